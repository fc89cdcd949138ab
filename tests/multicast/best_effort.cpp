// SPDX-License-Identifier: MIT
#include <caucus/multicast/best_effort.hpp>

#include <caucus/multicast/order_layer.hpp>

#include <support/ordered_runs.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

static_assert(process<best_effort<std::string>>);
static_assert(needs_a_multicast__with_payload_and_delivers<best_effort<std::string, std::string>>);
static_assert(best_effort<int>::delivers == ordering::any);
using in_place = best_effort<int, int, inplace_storage<2>>;
static_assert(sizeof(in_place) <= 24);

const auto three = [](node v) { return best_effort<int>{static_cast<int>(v), others(3, v)}; };
explore_options<caster<best_effort<int>>> options() {
    return {.properties = {always("integrity", keeps_deliveries{}),
                           finally("all is delivered", settles_deliveries{}),
                           sometimes("all", delivers_all{3})},
            .fifo = false,
            .timers = timers::any_time,
            .count_messages = false};
}

}  // namespace

TEST_CASE("best_effort: each message once, to all, any schedule, n = 3") {
    const verdict v = explore(complete{3}, casters(three, {1, 1, 1}), options());
    CHECK(v.verified());
}
TEST_CASE("best_effort: n-1 messages a broadcast") {
    for (const std::size_t n : {1u, 2u, 5u, 16u}) {
        const auto make = [&](node v) {
            return best_effort<int>{static_cast<int>(v), others(n, v)};
        };
        events net{complete{n}, make};
        net.start_all();
        for (int i = 0; i < 3; ++i)
            CHECK(net.call(0, request::broadcast<int>{i}) == answer::accepted);
        CHECK(best_effort<int>::per_broadcast(n).contains(net.run().messages / 3));
        CHECK(net.outcomes().size() == 3 * n);
    }
}
TEST_CASE("best_effort: in place, and the same group for another payload") {
    const in_place p{1, std::array{0, 2}};
    const in_place::with_payload<char> other{p};
    CHECK(other.id() == 1);
    CHECK(other.peers().size() == 2);
    CHECK(other.peers()[1] == 2);
}
TEST_CASE("best_effort, outside the model: of a crashed sender some deliver more than others") {
    auto how = options();
    how.faults = {.crashes = 1, .fragile = true};
    how.remember_dead = true;
    how.properties = {always("integrity", keeps_deliveries{}),
                      finally("all is delivered", settles_deliveries{})};
    const verdict v = explore(complete{3}, casters(three, {1, 0, 0}), how);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.text().find("all is delivered") != std::string::npos);
}
TEST_CASE("best_effort, outside the model: what is lost, is lost; repeated, is repeated") {
    storm_tally sum;
    const storm s{.order = ordering::any, .settles = false, .heals_at = 500, .after = 500};
    const auto make = [](node v) { return three(v); };
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        s.run(seed, 3, make,
              {.seed = seed, .fifo = false, .faults = fault_plan{}.links({.loss = 0.1}),
               .outside_model = true}, sum);
    CHECK(sum.bad == 0);
    CHECK(sum.unsettled > 15);
    CHECK(sum.delivered > 100);
    storm_tally repeated;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        s.run(seed, 3, make,
              {.seed = seed, .faults = fault_plan{}.links({.duplication = 0.1}),
               .outside_model = true}, repeated);
    CHECK(repeated.bad > 15);
}
