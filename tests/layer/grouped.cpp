// SPDX-License-Identifier: MIT
#include <caucus/layer/grouped.hpp>

#include <archetypes.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/time_slice.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>
#include <laws/layer.hpp>
#include <support/instances.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

using namespace caucus;

namespace {

/// Counts its lives in what it keeps.
struct counter {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
    using kept = int;
    int count = 0;
    void start(auto& env) { env.keep(++count); }
    void on(const recovered<int>& r, auto&) { count = r.last ? *r.last + 100 : -1; }
};

using pair_of_slices = grouped<time_slice<int>, std::array<time_slice<int>, 2>>;

}  // namespace

// Shape.
static_assert(process<grouped<support::greeter>>);
static_assert(std::is_same_v<grouped<support::greeter>::timer, nothing>);
static_assert(std::is_same_v<grouped<support::greeter>::outcome, nothing>);
static_assert(std::is_same_v<kept_by<grouped<support::greeter>>, nothing>);
static_assert(std::is_same_v<decltype(grouped{std::vector<support::greeter>{}}),
                             grouped<support::greeter>>);
static_assert(pair_of_slices::assumes.time == timing::synchronous);
static_assert(pair_of_slices::timers(1) == 2);
static_assert(
    std::is_same_v<decltype(grouped{time_slice{1, 2}, time_slice{2, 2}}), pair_of_slices>);
static_assert(std::is_same_v<pair_of_slices::storage_type, inplace_storage<2>>);

static_assert([] {
    rounds sim{ring{4}, [](node v) {
                   const int x = static_cast<int>(v) + 1;
                   return grouped{std::array{time_slice{x, 4}, time_slice{5 - x, 4}}};
               }};
    sim.start_all();
    sim.run();
    for (std::size_t v = 0; v < 4; ++v)
        if (sim[v][0].is_leader() != (v == 0) || sim[v][1].is_leader() != (v == 3)) return false;
    return sim.outcomes().size() == 8;
}());

TEST_CASE("grouped: the laws of layers") {
    const auto first = [](const auto& group) -> const auto& { return group[0]; };
    laws::layer_laws([](auto process) { return grouped{std::array{process}}; }, first);
    laws::layer_laws([](auto process) { return grouped{std::vector{process}}; }, first);
}

// Safety and cost: the instances do what each would do alone.

TEST_CASE("grouped: every instance runs as if it were alone, and costs the same") {
    constexpr std::size_t n = 6, instances = 5;
    const auto ids = [](std::size_t i) { return support::shuffled(n, i + 1); };
    rounds sim{ring{n}, [&](node v) {
                   std::vector<chang_roberts<int>> each;
                   for (std::size_t i = 0; i < instances; ++i) each.emplace_back(ids(i)[v]);
                   return grouped{each};
               }};
    sim.start_all();
    const report together = sim.run();
    std::uint64_t messages = 0;
    for (std::size_t i = 0; i < instances; ++i) {
        rounds alone{ring{n}, [&](node v) { return chang_roberts{ids(i)[v]}; }};
        alone.start_all();
        messages += alone.run().messages;
        for (std::size_t v = 0; v < n; ++v) CHECK(same(sim[v].instance(i), alone[v]));
        std::size_t told = 0;
        for (const auto& o : sim.outcomes()) told += o.outcome.instance == i;
        CHECK(told == n);
    }
    CHECK(together.messages == messages);
}

TEST_CASE("grouped: two are given one by one, in that order") {
    const grouped two{chang_roberts{7}, chang_roberts{8}};
    CHECK(two.size() == 2);
    CHECK(two[0].id() == 7);
    CHECK(two[1].id() == 8);
}

TEST_CASE("grouped: one alone is started, by a request") {
    const auto make = [](node v) {
        return grouped{std::array{chang_roberts{static_cast<int>(v)}, chang_roberts{7}}};
    };
    rounds sim{ring{3}, make, {.outside_model = true}};
    CHECK(sim.call(1, request::start_one{0}) == answer::accepted);
    sim.run();
    for (std::size_t v = 0; v < 3; ++v) {
        CHECK(sim[v][0].leader() == 2);
        CHECK_FALSE(sim[v][1].leader());
    }
    CHECK(sim.call(1, request::start_one{2}) == answer::no_such_instance);
}

TEST_CASE("grouped: two elections at once, on every schedule") {
    const auto elected_in_both = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v][0].leader() != 1 || g[v][1].leader() != 5) return false;
        return true;
    };
    const auto one_leader_each = [](const auto& g) {
        for (std::size_t i = 0; i < 2; ++i)
            if (g[0][i].is_leader() && g[1][i].is_leader()) return false;
        return true;
    };
    const verdict v = explore(
        path{2},
        [](node u) {
            const int id = static_cast<int>(u);
            return grouped{std::array{extinction{id}, extinction{5 - id}}};
        },
        {.properties = {always(one_leader_each), finally(elected_in_both),
                        sometimes(elected_in_both)},
         .fifo = false});
    CHECK_MESSAGE(v.verified(), v.counterexample.text(), v.limit);
}

TEST_CASE("grouped: what one keeps does not take away what another kept") {
    events net{complete{2}, [](node) { return grouped{std::array{counter{}, counter{}}}; }};
    CHECK(net.call(0, request::start_one{0}) == answer::accepted);
    CHECK(net.call(0, request::start_one{1}) == answer::accepted);
    CHECK(net.call(0, request::start_one{1}) == answer::accepted);
    net.crash(0);
    net.restart(0);
    CHECK(net[0][0].count == 101);
    CHECK(net[0][1].count == 102);
    CHECK(net.call(0, request::start_one{0}) == answer::accepted);
    net.crash(0);
    net.restart(0);
    CHECK(net[0][0].count == 202);
    CHECK(net[0][1].count == 102);
    net.crash(1);
    net.restart(1);
    CHECK(net[1][0].count == -1);
    events heap{complete{2}, [](node) { return grouped{std::vector{counter{}, counter{}}}; }};
    CHECK(heap.call(1, request::start_one{1}) == answer::accepted);
    heap.crash(1);
    heap.restart(1);
    CHECK(heap[1][0].count == -1);
    CHECK(heap[1][1].count == 101);
}

// Outside the model.

TEST_CASE("grouped: a message for an instance that there is not is dropped and counted") {
    events net{path{2}, [](node v) {
                   return grouped{std::vector<support::greeter>(v.index == 0 ? 3 : 1)};
               }};
    net.start_all();
    net.run();
    CHECK(net[1].dropped() == 2);
    CHECK(net[0].dropped() == 0);
    CHECK(net[1][0].heard.size() == 1);
    CHECK(net[0][0].heard.size() == 1);
}

TEST_CASE("grouped: over and under other layers") {
    const auto under = [](node v) {
        const int id = static_cast<int>(v);
        return reliable{grouped{std::array{extinction{id}, extinction{5 - id}}}};
    };
    events net{path{4}, under, {.delay = heavy_tailed{1, 500}, .fifo = false}};
    net.start_all();
    net.run();
    const auto over = [](node v) {
        const int id = static_cast<int>(v);
        return grouped{std::vector{reliable{extinction{id}}, reliable{extinction{5 - id}}}};
    };
    events other{path{4}, over, {.delay = heavy_tailed{1, 500}, .fifo = false}};
    other.start_all();
    other.run();
    for (std::size_t v = 0; v < 4; ++v) {
        CHECK(net[v].process()[0].leader() == 3);
        CHECK(net[v].process()[1].leader() == 5);
        CHECK(other[v][0].leader() == 3);
        CHECK(other[v][1].leader() == 5);
    }
}

TEST_CASE("grouped: one that was not there in the last life has kept nothing") {
    std::size_t instances = 1;
    events net{complete{2}, [&](node) { return grouped{std::vector<counter>(instances)}; }};
    net.start(0);
    net.crash(0);
    instances = 3;
    net.restart(0);
    CHECK(net[0][0].count == 101);
    CHECK(net[0][1].count == -1);
    CHECK(net[0][2].count == -1);
    CHECK(net.call(0, request::start_one{2}) == answer::accepted);        // and has room for it
    net.crash(0);
    net.restart(0);
    CHECK(net[0][2].count == 100);
}
