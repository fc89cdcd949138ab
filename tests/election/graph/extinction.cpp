// SPDX-License-Identifier: MIT
#include <caucus/election/graph/extinction.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/hypercube.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/wave_runs.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using extinctions = electing<extinction>;

}  // namespace

// Shape

static_assert(process<extinction<int>>);
static_assert(deduces<extinction, least, heap_storage>(
    [](auto... with) { return extinction{with...}; }));
static_assert(elected_at_compile_time<extinction>({17, 4, 42, 8}) == 42);
static_assert(sizeof(extinction<std::uint16_t, inplace_storage<8>>) <= 64);

// Paper

TEST_CASE("extinction: the rules on a path 1 2 3, all start: 2 and 3 wash over, 3 wins") {
    const std::vector<int> ids{1, 2, 3};
    rounds sim{path{3}, extinctions{ids}};
    const report r = check_wave_election(sim, ids, {0, 1, 2});
    // (1) X1, X2 X2, X3 | (3c) 0 takes 2, 1 takes 3 and passes X3 | (4) C2 at 1: extinct |
    // (3c) 0 takes 3, C3 | (5) 1 passes C3 | 2 wins.
    CHECK(r.by_kind("explorer") == 5);
    CHECK(r.by_kind("echo") == 3);
    CHECK(r.by_kind("elected") == 2);
}

// Safety and liveness

TEST_CASE("extinction: the best starter leads: every graph, order and start set, n <= 4; two links "
          "between two nodes; any schedule, fifo or not, random graphs, n <= 30") {
    check_every_graph_up_to<extinction>(4);
    check_parallel_links<extinction>();
    check_random_graphs_up_to<extinction>(30, 400);
}

TEST_CASE("extinction: the best starter leads, any schedule, order, start, fifo or not, n <= 3") {
    using P = witness<extinction>;
    for (std::size_t n = 1; n <= 3; ++n)
        each_kind_of_graph(n, [](const graph& g) {
            auto properties = promises<P>(g);
            properties.push_back(always(the_leader_marks_all{}));
            for (const bool fifo : {true, false})
                check_all_schedules<P>(g, {.initiators = any_subset, .properties = properties,
                                           .fifo = fifo, .starting = starting::any_time});
        });
}

TEST_CASE("extinction: joined or suppressed, the best of all leads, whoever calls: every "
          "graph, order and start, n <= 4, random ones, n <= 30; any schedule, any links, n <= 3") {
    check_whoever_calls<extinction, join>();
    check_whoever_calls<extinction, suppress>();
}

TEST_CASE("extinction: four callers alone on a ring of four: four leaders; joined, one") {
    check_four_callers<extinction>();
}

TEST_CASE("nightly: extinction: joined or suppressed, the best of all leads, any schedule, "
          "order and start, n = 4, late or not but for the two densest" * doctest::skip()) {
    check_every_start<extinction, join>(4, 4, {.starting = starting::any_time});
    check_every_start<extinction, suppress>(4, 4, {.starting = starting::any_time});
}

TEST_CASE("nightly: extinction: the best starter leads, any schedule, order and start, n = 4, fifo "
          "or not, late or not but for the densest; n = 5, trees" * doctest::skip()) {
    check_every_start<extinction>(4, 6, {});
    check_every_start<extinction>(4, 5, {.starting = starting::any_time});
    check_every_start<extinction>(4, 4, {.fifo = false, .starting = starting::any_time});
    check_every_start<extinction>(5, 4, {});
}

TEST_CASE("extinction: repeated messages change nothing, any two of them, any schedule, n <= 3") {
    check_repetitions_up_to<extinction>(3, 2);
}

TEST_CASE("nightly: extinction: a repeated message changes nothing, any order, trees of 4" *
          doctest::skip()) {
    check_every_start<extinction>(4, 3, {.faults = {.duplicates = 1}, .fifo = false});
}

TEST_CASE("extinction: start twice is one start, and a node that was reached no longer starts") {
    check_one_start<extinction>();
}

TEST_CASE("extinction: starters that come late but unreached take part; the best of them leads") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const std::size_t n = 8;
        const std::vector<int> ids = shuffled(n, seed);
        events net{random_tree(n, seed), extinctions{ids}, {.seed = seed}};
        net.start(seed % n);
        net.run_for(seed % 13);
        net.start((seed + 3) % n);
        net.run();
        const auto leader = net[0].leader();
        REQUIRE(leader.has_value());
        CHECK((leader == ids[seed % n] || leader == std::max(ids[seed % n], ids[(seed + 3) % n])));
        for (std::size_t v = 0; v < n; ++v) CHECK(net[v].leader() == leader);
    }
}

// Cost

TEST_CASE("extinction: exactly 2|E| for one initiator, and n-1 announcements") {
    check_one_initiator<extinction>(false);
}

TEST_CASE("extinction: in at most three times the diameter and one round, when all start") {
    const auto check = [](const auto& t, std::size_t diameter, ticks least, ticks most) {
        std::vector<ticks> found;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const std::vector<int> ids = shuffled(t.nodes(), seed);
            rounds sim{t, extinctions{ids}};
            sim.start_all();
            const report r = sim.run();
            found.push_back(r.rounds);
            size s = r.size;
            CHECK(extinction<int>::time(s).contains(r.rounds));
            s.diameter = diameter;
            CHECK(extinction<int>::time(s).contains(r.rounds));
        }
        CHECK(*std::min_element(found.begin(), found.end()) == least);
        CHECK(*std::max_element(found.begin(), found.end()) == most);
    };
    check(path{1}, 0, 0, 0);
    check(path{2}, 1, 3, 3);
    check(path{9}, 8, 12, 24);   // the best in the middle, and at an end
    check(complete{3}, 1, 4, 4);
    check(complete{9}, 1, 4, 4);
    check(two_way_ring{8}, 4, 12, 12);
    check(hypercube{4}, 4, 12, 12);
    CHECK(extinction<int>::time({.nodes = 5}).most == 0);   // nobody started
    CHECK(extinction<int>::time({.nodes = 5, .initiators = 1}).most == 13);
    CHECK(extinction<int>::time({.nodes = 1, .initiators = 1}).most == 0);
    CHECK(extinction<int>::time({.nodes = 2, .initiators = 1, .diameter = 1}).least == 3);
}

TEST_CASE("extinction: joined or suppressed, a caller alone: at most a diameter more to wake the "
          "best; on a path as much, from one end to the other") {
    const auto check = []<class Wake>(const auto& t, std::size_t diameter, Wake, ticks most) {
        ticks latest = 0;
        each_permutation(t.nodes(), [&](const std::vector<int>& ids) {
            each_subset(t.nodes(), [&](const sizes& starters) {
                rounds sim{t, electing<extinction, Wake>{ids}};
                const report r = check_wave_election(sim, ids, starters);
                size s = r.size;
                CHECK(extinction<int, Wake>::time(s).contains(r.rounds));
                s.diameter = diameter;
                CHECK(extinction<int, Wake>::time(s).contains(r.rounds));
                latest = std::max<ticks>(latest, r.rounds);
            });
        });
        CHECK(latest == most);
    };
    check(path{1}, 0, join{}, 0);
    check(path{5}, 4, join{}, 4 * 4);
    check(path{5}, 4, suppress{}, 4 * 4);
    check(complete{4}, 1, join{}, 4 + 1);
    check(complete{4}, 1, suppress{}, 4 + 1);
    check(two_way_ring{5}, 2, suppress{}, 4 * 2 + 1);
    CHECK(extinction<int, join>::time({.nodes = 5, .initiators = 1}).most == 4 * 4 + 1);
    CHECK(extinction<int, join>::time({.nodes = 5, .initiators = 5}).most == 3 * 4 + 1);
}

TEST_CASE("extinction: fewest and most over all schedules, any order of ids, every graph, n <= 4") {
    // On the two densest graphs for one initiator only: for more there are millions of states.
    check_costs<extinction>({
        {{0, 0}},                                         // path{1}
        {{2, 2}, {3, 3}},                                 // path{2}
        {{4, 4}, {5, 7}, {6, 8}},                         // path{3}
        {{6, 6}, {8, 9}, {10, 11}},                       // complete{3}
        {{6, 6}, {7, 11}, {8, 14}, {10, 15}},             // path{4}
        {{6, 6}, {7, 11}, {8, 14}, {9, 16}},              // star{4}
        {{8, 8}, {10, 12}, {12, 15}, {14, 17}},           // two_way_ring{4}
        {{8, 8}, {9, 15}, {11, 18}, {13, 21}},            // paw
        {{10, 10}},                                       // diamond
        {{12, 12}}});                                     // complete{4}
}

TEST_CASE("extinction: on a path 2(n-1)+(k-1)(2n-1-k) at worst: all schedules, n = 2, 3, 4, 5") {
    for (std::size_t n = 2; n <= 5; ++n)
        for (const std::size_t k : n < 5 ? sizes{1, 2, n} : sizes{2, n}) {
            CAPTURE(n);
            CAPTURE(k);
            CHECK(costs_of_all_schedules<extinction>(as_graph(path{n}), {k})[0].second ==
                  2 * (n - 1) + (k - 1) * (2 * n - 1 - k));
        }
}

TEST_CASE("extinction: the worst case of a path: each wave runs to its end before a better one") {
    // The last k nodes start, with rising ids: each wave washes over all of the nodes before it.
    for (const std::size_t n : sizes{2, 3, 6, 12, 40}) {
        for (std::size_t k = 1; k <= n; ++k) {
            CAPTURE(n);
            CAPTURE(k);
            const std::vector<int> ids = ascending(n);
            std::vector<std::size_t> starters = everybody(n);
            starters.erase(starters.begin(), starters.end() - static_cast<std::ptrdiff_t>(k));
            events net{path{n}, extinctions{ids}, {.delay = worse_waves_first(ids)}};
            const report r = check_wave_election(net, ids, starters);
            CHECK(without_announcement(r) == 2 * (n - 1) + (k - 1) * (2 * n - 1 - k));
        }
    }
}

TEST_CASE("extinction: joined, one caller costs what all do; suppressed, 2|E|+k-1 at best: "
          "all schedules, any order of ids, n <= 4") {
    check_first_costs<extinction, join>({
        {{0, 0}},                                         // path{1}
        {{3, 3}, {3, 3}},                                 // path{2}
        {{6, 8}, {6, 8}, {6, 8}},                         // path{3}
        {{10, 11}, {10, 11}, {10, 11}},                   // complete{3}
        {{10, 15}, {10, 15}},                             // path{4}
        {{9, 16}, {9, 16}},                               // star{4}
        {{14, 17}}});                                     // two_way_ring{4}
    check_first_costs<extinction, suppress>({
        {{0, 0}},                                         // path{1}
        {{2, 3}, {3, 3}},                                 // path{2}
        {{4, 8}, {5, 8}, {6, 8}},                         // path{3}
        {{6, 11}, {8, 11}, {10, 11}},                     // complete{3}
        {{6, 15}, {10, 15}},                              // path{4}
        {{6, 16}, {9, 16}},                               // star{4}
        {{8, 17}}});                                      // two_way_ring{4}
}

// Outside the model

TEST_CASE("extinction: a disconnected graph is refused") {
    check_disconnected_is_refused<extinction>();
}

TEST_CASE("extinction: equal ids merge their waves: two winners on a path of three") {
    check_equal_ids<extinction>();
}

TEST_CASE("extinction: repeated messages are harmless") {
    using process = extinction<int>;
    notes<process> asleep;
    process free{4};
    free.on(process::echo{4}, port{0}, asleep);      // nobody was asked
    free.on(process::elected{9}, port{0}, asleep);
    CHECK(asleep.out.empty());
    CHECK(asleep.told == 0);
    notes<process> env;
    process inner{1};
    for (int twice = 0; twice < 2; ++twice) inner.on(process::explorer{7}, port{0}, env);
    CHECK(env.out.size() == 1);   // X on; no echo yet: the repetition is no answer
    inner.on(process::explorer{3}, port{1}, env);
    CHECK(env.out.size() == 1);   // (3b)
    inner.on(process::echo{3}, port{1}, env);
    CHECK(env.out.size() == 1);   // of a wave that never was ours
    for (int twice = 0; twice < 2; ++twice) inner.on(process::echo{7}, port{1}, env);
    CHECK(env.out.size() == 2);
    for (int twice = 0; twice < 2; ++twice) inner.on(process::elected{7}, port{0}, env);
    CHECK(env.out.size() == 3);
    CHECK(env.told == 1);
}

TEST_CASE("extinction: a node with more ports than its storage holds says so and stays out") {
    check_overflow<extinction>();
    check_overflow<extinction, join>();
}
