// SPDX-License-Identifier: MIT
#include <caucus/core/inner_environment.hpp>

#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <support/doubling.hpp>
#include <support/least.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace caucus;
using support::doubling;

TEST_CASE("inner_environment: a broadcast inside goes to the ports that the layer shows") {
    rounds sim{complete{4}, [](node) { return doubling{support::greeter{3}}; }};
    sim.start(0);
    CHECK(sim.run().messages == 2);
    CHECK(sim[1].process().heard == std::vector{6});
    CHECK(sim[2].process().heard == std::vector{6});
    CHECK(sim[3].process().heard.empty());
}
