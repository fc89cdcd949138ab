// SPDX-License-Identifier: MIT
#include <caucus/core/layer.hpp>

#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <support/doubling.hpp>
#include <support/least.hpp>

#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

using namespace caucus;
using support::doubling;

TEST_CASE("layer: a layer around itself by name, where deduction would copy") {
    const auto twice = layer<doubling>(layer<doubling>(support::greeter{1}));
    static_assert(std::is_same_v<decltype(twice), const doubling<doubling<support::greeter>>>);
    static_assert(std::is_same_v<decltype(doubling{doubling{support::greeter{1}}}),
                                 doubling<support::greeter>>);
    rounds sim{complete{4}, [&](node) { return twice; }};
    sim.start(0);
    CHECK(sim.run().messages == 1);
    CHECK(sim[1].process().process().heard == std::vector{4});
}
