// SPDX-License-Identifier: MIT
#include <caucus/core/layer.hpp>

#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <support/doubling.hpp>
#include <support/least.hpp>

#include <doctest/doctest.h>

#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using support::doubling;

namespace {

struct own {};
struct other {};
struct timed : support::greeter {
    struct fuse {};
    using timer = fuse;
    using outcome = std::variant<int, char>;
};

static_assert(std::is_same_v<timers_over<support::greeter>, nothing>);
static_assert(std::is_same_v<timers_over<support::greeter, own>, std::variant<own>>);
static_assert(std::is_same_v<timers_over<timed, own>, std::variant<own, inner_timer<timed::fuse>>>);
static_assert(std::is_same_v<outcomes_over<support::greeter>, nothing>);
static_assert(std::is_same_v<outcomes_over<support::greeter, own>, std::variant<own>>);
static_assert(std::is_same_v<outcomes_over<timed>, std::variant<int, char>>);
static_assert(
    std::is_same_v<outcomes_over<timed, own, other>, std::variant<int, char, own, other>>);

static_assert(std::is_same_v<detail::room_for_timers_over<heap_storage, timed, 2>::type,
                             heap_storage>);
static_assert(std::is_same_v<detail::room_for_timers_over<inplace_storage<4>, timed, 2>::type,
                             inplace_storage<4 + 2 + 1>>);

}  // namespace

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
