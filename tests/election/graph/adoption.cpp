// SPDX-License-Identifier: MIT
#include <caucus/election/graph/adoption.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/wave_runs.hpp>

#include <type_traits>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using adoptions = electing<adoption>;

/// Keeps an eye on what the rules rely on.
struct watched : witness<adoption> {
    using base = wave_election<int>;
    bool adopted_when_done = false;        // though it had echoed
    bool adopted_over_settled = false;     // over an edge that was done with
    bool better_from_parent = false;
    bool was_adopted = false;

    using witness<adoption>::witness;
    template <class Kind>
    void on(const Kind& m, port from, auto& env) {
        const watched before = *this;
        witness<adoption>::on(m, from, env);
        if constexpr (std::is_same_v<Kind, explorer>) compare(before, m, from);
    }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(witness<adoption>::fields(self),
                              std::tie(self.adopted_when_done, self.adopted_over_settled,
                                       self.better_from_parent, self.was_adopted));
    }

private:
    void compare(const watched& before, explorer m, port from) {
        const bool engaged = before.parent().has_value();
        better_from_parent |= before.parent() == from && m.mark > before.mark();
        const bool adopted = !before.base::is_free() && parent() != before.parent();
        was_adopted |= adopted;
        adopted_when_done |= adopted && engaged && before.base::awaited_.empty();
        adopted_over_settled |= adopted && !before.base::awaited_.contains(from);
    }
};

struct nothing_odd {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].adopted_when_done || g[v].adopted_over_settled || g[v].better_from_parent)
                return false;
        return true;
    }
};
struct someone_is_adopted {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].was_adopted) return true;
        return false;
    }
};

}  // namespace

// Shape

static_assert(process<adoption<int>>);
static_assert(deduces<adoption, least, heap_storage>(
    [](auto... with) { return adoption{with...}; }));
static_assert(elected_at_compile_time<adoption>({17, 4, 42, 8}) == 42);
static_assert(sizeof(adoption<std::uint16_t, inplace_storage<8>>) <= 80);
static_assert(std::is_trivially_copyable_v<adoption<int, inplace_storage<8>>>);
static_assert(adoption<int>::messages({.nodes = 5, .links = 7}).most == 0);   // nobody started
static_assert(adoption<int>::messages({.nodes = 5, .links = 7, .initiators = 1}).mean == 18.0);
static_assert(!adoption<int>::messages({.nodes = 5, .links = 7, .initiators = 2}).mean);

// Paper

TEST_CASE("adoption: the rules on a path 2 1 · 3: 3 adopts the tree of 2 and turns only its way") {
    // Node 2 stays free; waves run one after the other.
    const std::vector<int> ids{2, 1, 9, 3};
    events net{path{4}, adoptions{ids}, {.delay = worse_waves_first(ids)}};
    const report r = check_wave_election(net, ids, {0, 1, 3});
    // (1) X2, X1 X1, X3 | (3b) 0 | (2) 2 takes 1, X1 | (3b) 3 | (3c) 1 was an initiator: 2 takes it
    // | (3c) 2: X3 to its old parent 1 | (3c) 1: X3 to its old parent 0 | (3c) 0, C3 | C3 | C3.
    CHECK(r.by_kind("explorer") == 7);
    CHECK(r.by_kind("echo") == 3);
    CHECK(r.by_kind("elected") == 3);
}

// Safety and liveness

TEST_CASE("adoption: the best starter leads: every graph, order and start set, n <= 4; two links "
          "between two nodes; any schedule, fifo or not, random graphs, n <= 30") {
    check_every_graph_up_to<adoption>(4);
    check_parallel_links<adoption>();
    check_random_graphs_up_to<adoption>(30, 400);
}

TEST_CASE("adoption: the best starter leads, any schedule, order, start, fifo or not, n <= 3") {
    using P = witness<adoption>;
    for (std::size_t n = 1; n <= 3; ++n)
        each_kind_of_graph(n, [](const graph& g) {
            for (const bool fifo : {true, false})
                check_all_schedules<P>(g, {.initiators = any_subset, .properties = promises<P>(g),
                                           .fifo = fifo, .starting = starting::any_time});
        });
}

TEST_CASE("adoption: joined or suppressed, the best of all leads, whoever calls: every "
          "graph, order and start, n <= 4, random ones, n <= 30; any schedule, any links, n <= 3") {
    check_whoever_calls<adoption, join>();
    check_whoever_calls<adoption, suppress>();
}

TEST_CASE("adoption: four callers alone on a ring of four: four leaders; joined, one") {
    check_four_callers<adoption>();
}

TEST_CASE("nightly: adoption: joined or suppressed, the best of all leads, any schedule, "
          "order and start, n = 4, late or not but for the two densest" * doctest::skip()) {
    check_every_start<adoption, join>(4, 4, {.starting = starting::any_time});
    check_every_start<adoption, suppress>(4, 4, {.starting = starting::any_time});
}

TEST_CASE("nightly: adoption: the best starter leads, any schedule, order and start, fifo or not, "
          "n = 4; n = 5, five links at most" * doctest::skip()) {
    for (const bool fifo : {true, false})
        check_every_start<adoption>(4, 6, {.fifo = fifo, .starting = starting::any_time});
    check_every_start<adoption>(5, 5, {});
}

TEST_CASE("adoption: repeated messages change nothing, any two of them, any schedule, n <= 3") {
    check_repetitions_up_to<adoption>(3, 2);
}

TEST_CASE("nightly: adoption: a repeated message changes nothing, any order, n = 4, five links" *
          doctest::skip()) {
    check_every_start<adoption>(4, 5, {.faults = {.duplicates = 1}, .fifo = false});
}

TEST_CASE("adoption: never of a node that has echoed, nor over an edge done with, any schedule") {
    // Nor does the parent ever send a better mark. Every graph of three nodes, three of four.
    const auto check = [](const graph& g) {
        check_all_schedules<watched>(g, {.properties = {always(nothing_odd{}),
                                                        sometimes(someone_is_adopted{})},
                                         .fifo = false});
    };
    each_kind_of_graph(3, check);
    for (const graph& g : {as_graph(path{4}), as_graph(two_way_ring{4}), paw}) check(g);
}

TEST_CASE("adoption: start twice is one start, and a node that was reached no longer starts") {
    check_one_start<adoption>();
}

TEST_CASE("adoption: any strict total order will do") {
    check_least_leads<adoption, least>();
}

// Cost: see adoption_costs.cpp

TEST_CASE("adoption: exactly 2|E| for one initiator, and n-1 announcements") {
    check_one_initiator<adoption>(true);
}

// Outside the model

TEST_CASE("adoption: a disconnected graph is refused") {
    check_disconnected_is_refused<adoption>();
}

TEST_CASE("adoption: equal ids are refused, and merge their waves when let through: two winners") {
    check_equal_ids<adoption>();
}

TEST_CASE("adoption: a crashed node stops the wave, silently") {
    check_crash_stops_the_wave<adoption>();
}

TEST_CASE("adoption: repeated messages are harmless, and strangers' ignored, one by one") {
    using process = adoption<int>;
    notes<process> asleep;
    process free{4};
    free.on(process::echo{4}, port{0}, asleep);      // nobody was asked
    free.on(process::elected{9}, port{0}, asleep);
    CHECK(asleep.out.empty());
    CHECK(asleep.told == 0);

    notes<process> env;
    process inner{1};
    for (int twice = 0; twice < 2; ++twice) inner.on(process::explorer{3}, port{0}, env);
    CHECK(env.out.size() == 1);   // (2) X3 on; the repetition is no question
    inner.on(process::explorer{2}, port{1}, env);
    CHECK(env.out.size() == 1);   // (3b)
    for (int twice = 0; twice < 2; ++twice) inner.on(process::explorer{7}, port{1}, env);
    REQUIRE(env.out.size() == 2);   // (3c) X7 to the old parent
    CHECK(env.out[1].out == port{0});
    CHECK(std::get<process::explorer>(env.out[1].message).mark == 7);
    inner.on(process::explorer{3}, port{0}, env);
    inner.on(process::echo{3}, port{0}, env);
    CHECK(env.out.size() == 2);   // both of a mark that the edge has left behind
    for (int twice = 0; twice < 2; ++twice) inner.on(process::echo{7}, port{0}, env);
    REQUIRE(env.out.size() == 3);
    CHECK(env.out[2].out == port{1});
    for (int twice = 0; twice < 2; ++twice) inner.on(process::elected{8}, port{1}, env);
    REQUIRE(env.out.size() == 4);   // to the child, that was its parent once
    CHECK(env.out[3].out == port{0});
    CHECK(env.told == 1);
    inner.on(process::explorer{7}, port{1}, env);
    CHECK(env.out.size() == 4);
    CHECK(inner.leader() == 8);
}

TEST_CASE("adoption: the answer to a mark in between is the own one, and to an equal one settles") {
    using process = adoption<int>;
    for (const int mark : {5, 7}) {
        notes<process> env;
        process p{1};
        p.start(env);                              // X1 X1
        p.on(process::explorer{7}, port{0}, env);  // (3c) an initiator forwards nothing
        CHECK(env.out.size() == 2);
        p.on(process::explorer{mark}, port{1}, env);   // (3d)
        REQUIRE(env.out.size() == (mark == 7 ? 4 : 3));
        CHECK(env.out[2].out == port{1});
        CHECK(std::get<process::explorer>(env.out[2].message).mark == 7);
    }
}

TEST_CASE("adoption: a node with more ports than its storage holds says so and stays out") {
    check_overflow<adoption>();
    check_overflow<adoption, join>();
}
