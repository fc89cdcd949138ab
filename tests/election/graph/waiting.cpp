// SPDX-License-Identifier: MIT
#include <caucus/election/graph/waiting.hpp>

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

using waitings = electing<waiting>;

}  // namespace

// Shape

static_assert(process<waiting<int>>);
static_assert(deduces<waiting, least, heap_storage>(
    [](auto... with) { return waiting{with...}; }));
static_assert(elected_at_compile_time<waiting>({17, 4, 42, 8}) == 42);
static_assert(sizeof(waiting<std::uint16_t, inplace_storage<8>>) <= 80);
static_assert(std::is_trivially_copyable_v<waiting<int, inplace_storage<8>>>);
static_assert(waiting<int>::messages({.nodes = 5, .links = 7}).most == 0);   // nobody started
static_assert(waiting<int>::messages({.nodes = 5, .links = 7, .initiators = 1}).mean == 18.0);
static_assert(!waiting<int>::messages({.nodes = 5, .links = 7, .initiators = 2}).mean);

// Paper: there is none, see the header

TEST_CASE("waiting: the rules on a path 1 · 3 2: a better explorer is an answer, and is followed") {
    const std::vector<int> ids{1, 9, 3, 2};
    events net{path{4}, waitings{ids}, {.delay = worse_waves_first(ids)}};
    const report r = check_wave_election(net, ids, {0, 2, 3});
    // X1, X3 X3, X2 | 1 takes 1, X1 | X1 and X2 are worse than 3 | X3 at 1 is the answer to X1: 1
    // follows, X3 | X3 at 0 as well: C3 | 3 follows 3 at once, C3 | C3.
    CHECK(r.by_kind("explorer") == 6);
    CHECK(r.by_kind("echo") == 3);
    CHECK(r.by_kind("elected") == 3);
}

// Safety and liveness

TEST_CASE("waiting: the best starter leads: every graph, order and start set, n <= 4; two links "
          "between two nodes; any schedule, fifo or not, random graphs, n <= 30") {
    check_every_graph_up_to<waiting>(4);
    check_parallel_links<waiting>();
    check_random_graphs_up_to<waiting>(30, 400);
}

TEST_CASE("waiting: the best starter leads, any schedule, order, start, fifo or not, n <= 3") {
    using P = witness<waiting>;
    for (std::size_t n = 1; n <= 3; ++n)
        each_kind_of_graph(n, [](const graph& g) {
            auto properties = promises<P>(g);
            properties.push_back(always(the_leader_marks_all{}));
            for (const bool fifo : {true, false})
                check_all_schedules<P>(g, {.initiators = any_subset, .properties = properties,
                                           .fifo = fifo, .starting = starting::any_time});
        });
}

TEST_CASE("waiting: joined or suppressed, the best of all leads, whoever calls: every "
          "graph, order and start, n <= 4, random ones, n <= 30; any schedule, any links, n <= 3") {
    check_whoever_calls<waiting, join>();
    check_whoever_calls<waiting, suppress>();
}

TEST_CASE("waiting: four callers alone on a ring of four: four leaders; joined, one") {
    check_four_callers<waiting>();
}

TEST_CASE("nightly: waiting: joined or suppressed, the best of all leads, any schedule, "
          "order and start, n = 4, late or not but for the two densest" * doctest::skip()) {
    check_every_start<waiting, join>(4, 4, {.starting = starting::any_time});
    check_every_start<waiting, suppress>(4, 4, {.starting = starting::any_time});
}

TEST_CASE("nightly: waiting: the best starter leads, any schedule, order and start, fifo or not, "
          "n = 4; n = 5, five links at most" * doctest::skip()) {
    for (const bool fifo : {true, false})
        check_every_start<waiting>(4, 6, {.fifo = fifo, .starting = starting::any_time});
    check_every_start<waiting>(5, 5, {});
}

TEST_CASE("waiting: repeated messages change nothing, any two of them, any schedule, n <= 3") {
    check_repetitions_up_to<waiting>(3, 2);
}

TEST_CASE("nightly: waiting: a repeated message changes nothing, any order, n = 4, five links" *
          doctest::skip()) {
    check_every_start<waiting>(4, 5, {.faults = {.duplicates = 1}, .fifo = false});
}

TEST_CASE("waiting: start twice is one start, and a node that was reached no longer starts") {
    check_one_start<waiting>();
}

TEST_CASE("waiting: any strict total order will do") {
    check_least_leads<waiting, least>();
}

// Cost

TEST_CASE("waiting: exactly 2|E| for one initiator, and n-1 announcements") {
    check_one_initiator<waiting>(true);
}

TEST_CASE("waiting: fewest and most over all schedules, any order of ids, every graph, n <= 4") {
    // On the two densest graphs for one initiator and for all: in between it takes too long.
    check_costs<waiting>({
        {{0, 0}},                                         // path{1}
        {{2, 2}, {3, 3}},                                 // path{2}
        {{4, 4}, {5, 7}, {6, 8}},                         // path{3}
        {{6, 6}, {8, 9}, {10, 10}},                       // complete{3}
        {{6, 6}, {7, 11}, {8, 14}, {10, 15}},             // path{4}
        {{6, 6}, {7, 11}, {8, 12}, {9, 13}},              // star{4}
        {{8, 8}, {10, 12}, {12, 14}, {14, 15}},           // two_way_ring{4}
        {{8, 8}, {9, 15}, {11, 18}, {13, 19}},            // paw
        {{10, 10}, {17, 19}},                             // diamond
        {{12, 12}, {21, 21}}});                           // complete{4}
}

TEST_CASE("waiting: on a path it costs as much as extinction at worst: all schedules, n = 5") {
    for (const std::size_t k : sizes{2, 5})
        CHECK(costs_of_all_schedules<waiting>(as_graph(path{5}), {k})[0].second ==
              2 * 4 + (k - 1) * (2 * 5 - 1 - k));
}

TEST_CASE("waiting: exactly (2n-1)(n-1) on a complete graph if all start, whatever the schedule") {
    // Everybody has heard of the best before its own explorers are answered. n = 3, 4: see above.
    for (std::size_t n = 1; n <= 20; ++n)
        for (const delay_model& delay : every_delay()) {
            const std::vector<int> ids = shuffled(n, n);
            events net{complete{n}, waitings{ids}, {.seed = n, .delay = delay, .fifo = false}};
            const report r = check_wave_election(net, ids, everybody(n));
            CHECK(without_announcement(r) == (2 * n - 1) * (n - 1));
        }
}

TEST_CASE("waiting: joined, one caller costs what all do; suppressed, 2|E|+k-1 at best: "
          "all schedules, any order of ids, n <= 4") {
    check_first_costs<waiting, join>({
        {{0, 0}},                                         // path{1}
        {{3, 3}, {3, 3}},                                 // path{2}
        {{6, 8}, {6, 8}, {6, 8}},                         // path{3}
        {{10, 10}, {10, 10}, {10, 10}},                   // complete{3}
        {{10, 15}, {10, 15}},                             // path{4}
        {{9, 13}, {9, 13}},                               // star{4}
        {{14, 15}}});                                     // two_way_ring{4}
    check_first_costs<waiting, suppress>({
        {{0, 0}},                                         // path{1}
        {{2, 3}, {3, 3}},                                 // path{2}
        {{4, 8}, {5, 8}, {6, 8}},                         // path{3}
        {{6, 10}, {8, 10}, {10, 10}},                     // complete{3}
        {{6, 15}, {10, 15}},                              // path{4}
        {{6, 12}, {9, 13}},                               // star{4}
        {{8, 15}}});                                      // two_way_ring{4}
}

// Outside the model

TEST_CASE("waiting: a disconnected graph is refused") {
    check_disconnected_is_refused<waiting>();
}

TEST_CASE("waiting: equal ids are refused, and merge their waves when let through: two winners") {
    check_equal_ids<waiting>();
}

TEST_CASE("waiting: a crashed node stops the wave, silently") {
    check_crash_stops_the_wave<waiting>();
}

TEST_CASE("waiting: repeated messages are harmless, and strangers' ignored, one by one") {
    using process = waiting<int>;
    notes<process> asleep;
    process free{4};
    free.on(process::echo{4}, port{0}, asleep);      // nobody was asked
    free.on(process::elected{9}, port{0}, asleep);
    CHECK(asleep.out.empty());
    CHECK(asleep.told == 0);

    notes<process> env;
    process inner{1};
    for (int twice = 0; twice < 2; ++twice) inner.on(process::explorer{3}, port{0}, env);
    CHECK(env.out.size() == 1);   // X3 on; the repetition is no answer
    for (int twice = 0; twice < 2; ++twice) inner.on(process::explorer{7}, port{0}, env);
    CHECK(env.out.size() == 1);   // parked
    inner.on(process::explorer{2}, port{1}, env);
    CHECK(env.out.size() == 1);   // worse
    inner.on(process::echo{3}, port{1}, env);
    REQUIRE(env.out.size() == 2);   // answered, and 7 followed at once: no echo of 3
    CHECK(env.out[1].out == port{1});
    CHECK(std::get<process::explorer>(env.out[1].message).mark == 7);
    inner.on(process::echo{3}, port{1}, env);
    CHECK(env.out.size() == 2);   // of the old wave
    for (int twice = 0; twice < 2; ++twice) inner.on(process::echo{7}, port{1}, env);
    REQUIRE(env.out.size() == 3);
    CHECK(env.out[2].out == port{0});
    for (int twice = 0; twice < 2; ++twice) inner.on(process::elected{7}, port{0}, env);
    REQUIRE(env.out.size() == 4);
    CHECK(env.out[3].out == port{1});
    CHECK(env.told == 1);
}

TEST_CASE("waiting: of those that wait the best is followed, and who brought it is no child") {
    using process = waiting<int>;
    notes<process> env;
    process p{1};
    p.start(env);                                // X1 X1
    p.on(process::explorer{5}, port{0}, env);
    CHECK(env.out.size() == 2);
    p.on(process::explorer{7}, port{1}, env);    // both answered: 7 is followed
    REQUIRE(env.out.size() == 3);
    CHECK(env.out[2].out == port{0});
    CHECK(p.parent() == port{1});

    notes<process> other;
    process q{1};
    q.start(other);
    for (const port at : {port{0}, port{1}}) q.on(process::explorer{5}, at, other);
    REQUIRE(other.out.size() == 4);              // X5 the other way, which brought it too: C5
    CHECK(other.out[2].out == port{1});
    CHECK(other.out[3].out == port{0});
    CHECK(std::get<process::echo>(other.out[3].message).mark == 5);
    q.on(process::elected{5}, port{0}, other);
    CHECK(other.out.size() == 4);
}

TEST_CASE("waiting: a node with more ports than its storage holds says so and stays out") {
    check_overflow<waiting>();
    check_overflow<waiting, join>();
}
