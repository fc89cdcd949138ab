// SPDX-License-Identifier: MIT
#include <caucus/election/graph/extinction.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/graphs.hpp>
#include <support/instances.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

auto nodes_with(const std::vector<int>& ids) {
    return [&ids](node v) { return extinction{ids[v]}; };
}

/// Runs to the end: the best starter leads, everybody knows and said so once, parents span.
report check_election(auto& sim, const std::vector<int>& ids,
                      const std::vector<std::size_t>& starters) {
    for (const std::size_t v : starters) sim.start(v);
    const report r = sim.run();
    int best = 0;
    for (const std::size_t v : starters) best = std::max(best, ids[v]);
    std::size_t leader = 0;
    std::size_t leaders = 0;
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        CHECK(sim[v].leader() == best);
        if (sim[v].is_leader()) {
            leader = v;
            ++leaders;
        }
    }
    CHECK(leaders == 1);
    CHECK(ids[leader] == best);
    CHECK(spans(sim, leader));
    CHECK(sim.outcomes().size() == sim.nodes());
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.within_proven());
    CHECK(r.by_kind("elected") == sim.nodes() - 1);
    CHECK(r.by_kind("explorer") + r.by_kind("echo") >= 2 * sim.topology().links());
    return r;
}

std::uint64_t without_announcement(const report& r) { return r.messages - r.by_kind("elected"); }

constexpr int elected_at_compile_time(std::array<int, 4> ids) {
    const graph g{4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}};
    rounds sim{g, [&](node v) { return extinction{ids[v]}; }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() ? *sim[3].leader() : 0;
}

}  // namespace

// Shape

static_assert(process<extinction<int>>);
static_assert(elected_at_compile_time({17, 4, 42, 8}) == 42);
static_assert(sizeof(extinction<std::uint16_t, inplace_storage<8>>) <= 64);

// Paper

TEST_CASE("extinction: the rules on a path 1 2 3, all start: 2 and 3 wash over, 3 wins") {
    const std::vector<int> ids{1, 2, 3};
    rounds sim{path{3}, nodes_with(ids)};
    const report r = check_election(sim, ids, {0, 1, 2});
    // (1) X1, X2 X2, X3 | (3c) 0 takes 2, 1 takes 3 and passes X3 | (4) C2 at 1: extinct |
    // (3c) 0 takes 3, C3 | (5) 1 passes C3 | 2 wins.
    CHECK(r.by_kind("explorer") == 5);
    CHECK(r.by_kind("echo") == 3);
    CHECK(r.by_kind("elected") == 2);
}

// Safety and liveness

TEST_CASE("extinction: the best starter leads, every graph, order and start set, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        each_connected_graph(n, [&](const graph& g) {
            each_permutation(n, [&](const std::vector<int>& ids) {
                each_subset(n, [&](const std::vector<std::size_t>& starters) {
                    rounds sim{g, nodes_with(ids)};
                    check_election(sim, ids, starters);
                    events net{g, nodes_with(ids),
                               {.seed = static_cast<std::uint64_t>(ids[0]),
                                .delay = heavy_tailed{1, 100}, .fifo = false}};
                    check_election(net, ids, starters);
                });
            });
        });
    }
}

TEST_CASE("extinction: one leader on any schedule, fifo or not, random graphs, n <= 30") {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 2 + dice.below(29);
        const std::vector<int> ids = shuffled(n, seed);
        const graph g = random_sparse_graph(n, std::min(n - 1 + dice.below(2 * n), n * (n - 1) / 2),
                                            seed);
        std::vector<std::size_t> starters{dice.below(n)};
        for (std::size_t v = 0; v < n; ++v)
            if (v != starters[0] && dice.below(3) == 0) starters.push_back(v);
        for (const delay_model& delay : every_delay()) {
            events net{g, nodes_with(ids),
                       {.seed = seed, .delay = delay, .fifo = seed % 2 == 0}};
            check_election(net, ids, starters);
        }
    }
}

TEST_CASE("extinction: start twice is one start, and a node that was reached no longer starts") {
    const std::vector<int> ids{1, 9, 5};
    rounds sim{path{3}, nodes_with(ids)};
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = 1});
    sim.start(1);   // better, but too late
    const report r = sim.run();
    CHECK(r.size.initiators == 1);
    CHECK(sim[1].leader() == 1);
}

TEST_CASE("extinction: starters that come late but unreached take part; the best of them leads") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const std::size_t n = 8;
        const std::vector<int> ids = shuffled(n, seed);
        events net{random_tree(n, seed), nodes_with(ids), {.seed = seed}};
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
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const graph g = random_graph(25, 0.2, seed);
        const std::vector<int> ids = shuffled(25, seed);
        events net{g, nodes_with(ids), {.seed = seed, .delay = exponential{7}}};
        const report r = check_election(net, ids, {seed % 25});
        CHECK(without_announcement(r) == 2 * g.links());
    }
}

TEST_CASE("extinction: within the least and most over all schedules, on three small graphs") {
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> triangle{{6, 6}, {8, 9}, {10, 11}};
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> star_of_4{
        {6, 6}, {7, 11}, {8, 14}, {9, 16}};
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> square{
        {8, 8}, {10, 12}, {12, 15}, {14, 17}};
    const auto check = [](const auto& t, const auto& expected) {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> found(t.nodes(), {~0ull, 0});
        each_permutation(t.nodes(), [&](const std::vector<int>& ids) {
            each_subset(t.nodes(), [&](const std::vector<std::size_t>& starters) {
                for (std::uint64_t seed = 1; seed <= 60; ++seed) {
                    events net{t, nodes_with(ids), {.seed = seed, .delay = heavy_tailed{1, 64}}};
                    for (const std::size_t v : starters) net.start(v);
                    const std::uint64_t sent = without_announcement(net.run());
                    auto& [fewest, most] = found[starters.size() - 1];
                    fewest = std::min(fewest, sent);
                    most = std::max(most, sent);
                }
            });
        });
        CHECK(found == expected);
    };
    check(complete{3}, triangle);
    check(star{4}, star_of_4);
    check(two_way_ring{4}, square);
}

TEST_CASE("extinction: a path can cost n²-1 when all start, and does with the worst schedule") {
    // Ids rise along the path, and each wave is let run to the far end before the next may move:
    // the worse one washes over all of the nodes before it, and is washed over in turn.
    for (std::size_t n = 2; n <= 8; ++n) {
        const std::vector<int> ids = ascending(n);
        const auto one_wave_after_the_other = [n](const hop& h, random_source&) -> ticks {
            // The first message of node v leaves at time 0 and waits its turn.
            return h.sent == 0 ? 1 + h.from.index * 4 * n : 1;
        };
        events net{path{n}, nodes_with(ids), {.delay = by_hand{one_wave_after_the_other}}};
        net.start_all();
        const report r = net.run();
        CHECK(without_announcement(r) == n * n - 1);
    }
}

// Outside the model

TEST_CASE("extinction: a disconnected graph is refused") {
    const std::vector<int> ids{1, 2, 3};
    CHECK_THROWS_WITH(rounds(graph{3, {{0, 1}}}, nodes_with(ids)),
                      "simulation: the graph is not connected: no way from node 0 to node 2");
}

TEST_CASE("extinction: equal ids merge their waves: two winners on a path of three") {
    const std::vector<int> ids{5, 1, 5};
    rounds sim{path{3}, nodes_with(ids), {.outside_model = true}};
    sim.start(0);
    sim.start(2);
    sim.run();
    CHECK(sim[0].is_leader());
    CHECK(sim[2].is_leader());
}

TEST_CASE("extinction: repeated messages are harmless") {
    using process = extinction<int>;
    struct hand {
        std::vector<process::message> out;
        int told = 0;
        std::size_t degree() const { return 2; }
        void send(port, const process::message& m) { out.push_back(m); }
        void broadcast(const process::message& m) { send(port{0}, m), send(port{1}, m); }
        void report(const process::outcome&) { ++told; }
    };
    hand asleep;
    process free{4};
    free.on(process::echo{4}, port{0}, asleep);      // nobody was asked
    free.on(process::elected{9}, port{0}, asleep);
    CHECK(asleep.out.empty());
    CHECK(asleep.told == 0);
    hand env;
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
    rounds sim{star{6}, [](node v) { return extinction{v.index + 1, inplace_storage<4>{}}; }};
    sim.start_all();
    sim.run();
    CHECK(std::get<overflow>(sim.outcomes()[0].outcome).needed == 5);
    for (std::size_t v = 0; v < 6; ++v) CHECK_FALSE(sim[v].is_leader());
}
