// SPDX-License-Identifier: MIT
#include <caucus/wave/spanning_tree.hpp>

#include <archetypes.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>
#include <support/hanging.hpp>
#include <support/instances.hpp>
#include <support/tree_runs.hpp>

#include <cstdint>
#include <tuple>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// Loses links to parents only: the one fault that explore's wrong suspicions are to stand for.
struct losing_parents : tree_node {
    using tree_node::tree_node;
    port_set<> lost = {};

    void on(const auto& kind, port from, auto& env) { tree_node::on(kind, from, env); }
    void on(suspect s, auto& env) {
        if (parent() != s.whom) return;
        lost.insert(s.whom);
        tree_node::on(s, env);
    }
    void on(trust t, auto& env) {
        lost.erase(t.whom);
        tree_node::on(t, env);
    }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(tree_node::fields(self), std::tie(self.lost));
    }
};

template <class P>
verdict joining(std::size_t n, std::size_t connections, fault_budget faults) {
    return explore(complete{n}, nodes_of<P>(n, connections),
                   {.initiators = members_of(n),
                    .properties = {always(no_circle), always(at_most_one_root), finally(all_hang)},
                    .faults = faults, .perfect_detector = faults.crashes != 0,
                    .starting = starting::any_time});
}
template <class P>
verdict maintaining(std::size_t n, std::size_t connections, fault_budget faults) {
    const auto sim = built<P>(n, connections);
    return explore(complete{n}, [&](node v) { return sim[v]; },
                   {.initiators = sizes{},
                    .properties = {always(no_circle), always(at_most_one_root), finally(all_hang)},
                    .faults = faults, .perfect_detector = faults.crashes != 0});
}

constexpr std::uint32_t joined_at_compile_time() {
    using in_place = spanning_tree<inplace_storage<3>>;
    rounds sim{complete{4}, [](node v) {
        return v == 0 ? in_place{} : in_place{port{3 - v}, 1};
    }};
    for (std::size_t v = 1; v < 4; ++v) {
        sim.start(v);
        sim.run();
    }
    return *sim[3].hops();
}

}  // namespace

// Shape

static_assert(process<tree_node>);
static_assert(joined_at_compile_time() == 2);
static_assert(covers(tree_node::assumes.links, guarantee::fifo | guarantee::no_duplicates));
static_assert(sizeof(spanning_tree<inplace_storage<4>>) <= 192);
using small_tree = spanning_tree<inplace_storage<4>>;
static_assert(std::is_same_v<decltype(spanning_tree{}), tree_node>);
static_assert(std::is_same_v<decltype(spanning_tree{inplace_storage<4>{}}), small_tree>);
static_assert(std::is_same_v<decltype(spanning_tree{port{0}}), tree_node>);
static_assert(std::is_same_v<decltype(spanning_tree{port{0}, {}}), tree_node>);
static_assert(std::is_same_v<decltype(spanning_tree{port{0}, {.connections_most = 2}}), tree_node>);
static_assert(std::is_same_v<decltype(spanning_tree{port{0}, spanning_tree_options{}}), tree_node>);
static_assert(std::is_same_v<decltype(spanning_tree{port{0}, 2}), tree_node>);
static_assert(std::is_same_v<decltype(spanning_tree{port{0}, inplace_storage<4>{}}), small_tree>);
static_assert(std::is_same_v<decltype(spanning_tree{port{0}, {}, inplace_storage<4>{}}),
                             small_tree>);
static_assert(std::is_same_v<decltype(spanning_tree{port{0}, {2}, inplace_storage<4>{}}),
                             small_tree>);

TEST_CASE("spanning_tree: {} leaves all options as they are; a number is connections_most") {
    CHECK(caucus::same(tree_node{port{1}, {}}, tree_node{port{1}}));
    CHECK(caucus::same(tree_node{port{1}, 2}, tree_node{port{1}, {.connections_most = 2}}));
    CHECK(caucus::same(tree_node{port{1}, 2u}, tree_node{port{1}, {2}}));
    CHECK_FALSE(caucus::same(tree_node{port{1}, 2}, tree_node{port{1}}));
    CHECK(caucus::same(small_tree{port{1}, inplace_storage<4>{}}, small_tree{port{1}}));
    CHECK(caucus::same(small_tree{inplace_storage<4>{}}, small_tree{}));
}

// Paper

TEST_CASE("spanning_tree: the first becomes the root at level 0, the others hang below it") {
    const auto sim = built(5, all_connections);
    CHECK(sim[1].is_root());
    CHECK(sim[1].hops() == 0u);
    for (std::size_t v = 2; v < 5; ++v) {
        CHECK(sim[v].hops() == 1u);
        CHECK(sim[v].parent() == way(v, 1, 5));
        CHECK_FALSE(sim[v].is_root());
    }
    CHECK_FALSE(sim[0].is_attached());   // the registry is no part of the tree
    CHECK_FALSE(sim[0].hops().has_value());
}

TEST_CASE("spanning_tree: with one connection each, to the latest, they hang in a chain") {
    const auto sim = built(6, 1);
    for (std::size_t v = 1; v < 6; ++v) CHECK(sim[v].hops() == v - 1);
}

// Safety and liveness

TEST_CASE("spanning_tree: every schedule of three that join: one root, no circle, all hang") {
    for (const std::size_t connections : {std::size_t{1}, all_connections}) {
        check(joining<tree_node>(4, connections, {}));
        check(joining<tree_node>(4, connections, {.crashes = 1}));
    }
    check(joining<losing_parents>(4, 1, {.wrong_suspicions = 1}));
    check(joining<tree_node>(3, 1, {.crashes = 2}));
    check(joining<losing_parents>(3, 1, {.wrong_suspicions = 2}));
}

TEST_CASE("spanning_tree: every schedule of three and four that hang, crashes and lost parents") {
    for (const std::size_t connections : {1u, 2u}) {
        check(maintaining<tree_node>(4, connections, {.crashes = 2}));
        check(maintaining<losing_parents>(4, connections, {.wrong_suspicions = 2}));
        check(maintaining<tree_node>(5, connections, {.crashes = 1}));
        check(maintaining<losing_parents>(5, connections, {.wrong_suspicions = 1}));
    }
}

TEST_CASE("spanning_tree: random joins and crashes, any delays: the living hang below one root") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 3 + dice.below(10);
        auto net = joined_at_random(n, nodes_of(n, 1 + dice.below(3)), seed, dice);
        for (std::size_t crashes = dice.below(n); crashes > 0; --crashes) {
            const std::size_t dead = 1 + dice.below(n - 1);
            net.run_for(dice.below(60));
            net.crash(dead);
            CHECK(net.run_for(10'000).stopped == stop::quiescent);   // its last words are there
            for (std::size_t v = 0; v < n; ++v)
                if (v != dead && net.alive(v)) net.suspect(v, way(v, dead, n));
            CHECK(no_circle(whole{net}));
        }
        CHECK(net.run().stopped == stop::quiescent);
        CHECK(no_circle(whole{net}));
        CHECK(all_hang(whole{net}));
    }
}

TEST_CASE("spanning_tree: a root that dies is followed by the next that enrolled") {
    const auto sim = built(4, all_connections);
    events net{complete{4}, [&](node v) { return sim[v]; }, {}};
    net.crash(1);
    for (const std::size_t v : sizes{0, 2, 3}) net.suspect(v, way(v, 1, 4));
    net.run();
    CHECK(net[2].is_root());
    CHECK(net[3].parent() == way(3, 2, 4));
}

TEST_CASE("spanning_tree: a sibling could be below: who loses the root lets go of all first") {
    const auto sim = built<losing_parents>(4, all_connections);   // 1 is the root of 2 and 3
    events net{complete{4}, [&](node v) { return sim[v]; }, {}};
    net.suspect(3, way(3, 1, 4));
    net.run();
    CHECK(net[3].parent() == way(3, 2, 4));
    CHECK(net[3].hops() == 2u);
    CHECK(net.run().by_kind("detach") == 1);
    CHECK(net.run().by_kind("detach_ack") == 1);
}

TEST_CASE("spanning_tree: start twice is one start; the registry does not join") {
    rounds sim{complete{3}, nodes_of(3, 1)};
    sim.start(0);
    CHECK(sim.run().messages == 0);
    sim.start(1);
    sim.start(1);
    CHECK(sim.run().messages == 2);
    sim.start(1);
    CHECK(sim.run().messages == 2);
}

// Cost

TEST_CASE("spanning_tree: to join with c connections costs 2 + 2c, and c-1 to tell the level") {
    for (std::size_t n = 2; n <= 9; ++n) {
        for (std::size_t connections = 1; connections <= n; ++connections) {
            rounds sim{complete{n}, nodes_of(n, connections)};
            std::uint64_t before = 0;
            for (std::size_t v = 1; v < n; ++v) {
                sim.start(v);
                const report r = sim.run();
                const std::size_t c = std::min(connections, v - 1);
                CHECK(r.messages - before == 2 + 2 * c + (c == 0 ? 0 : c - 1));
                before = r.messages;
            }
        }
    }
}

TEST_CASE("spanning_tree: another parent costs one level to each neighbour but the new parent") {
    // 2 and 3 hang from 1, 4 from 2, and knows 3: it goes over without a question.
    const std::size_t n = 5;
    auto sim = built(n, 2);
    REQUIRE(sim[4].parent() == way(4, 2, n));
    events net{complete{n}, [&](node v) { return sim[v]; }, {}};
    net.suspect(4, way(4, 2, n));
    const report r = net.run();
    CHECK(net[4].parent() == way(4, 3, n));
    CHECK(r.by_kind("cut") == 1);
    CHECK(r.messages == 1);   // 4 has no neighbour but these two
}

// Outside the model

TEST_CASE("spanning_tree: a level that overtakes a detach misleads; a detach twice does, too") {
    const auto after_a_crash = [](std::size_t n, bool fifo, std::uint8_t duplicates) {
        const auto sim = built(n, 1);
        return explore(complete{n}, [&](node v) { return sim[v]; },
                       {.initiators = sizes{}, .properties = {finally(all_hang)},
                        .faults = {.crashes = 1, .duplicates = duplicates},
                        .perfect_detector = true, .fifo = fifo, .outside_model = true});
    };
    CHECK(after_a_crash(5, true, 0).verified());
    CHECK_FALSE(after_a_crash(5, false, 0).holds);
    CHECK_FALSE(after_a_crash(4, true, 1).holds);
}

TEST_CASE("spanning_tree: a node with more ports than its storage holds says so and stays out") {
    using small = spanning_tree<inplace_storage<2>>;
    rounds sim{complete{4}, [](node v) { return v == 0 ? small{} : small{way(v, 0, 4)}; }};
    sim.start(1);
    CHECK(sim.run().messages == 0);
    CHECK(std::get<overflow>(sim.outcomes()[0].outcome).needed == 3);
}

TEST_CASE("spanning_tree: so does a registry, and leaves no one a place") {
    using small = spanning_tree<inplace_storage<2>>;
    archetype::environment<small> env;
    env.ports = 3;
    small registry;
    registry.on(small::enrol{}, port{2}, env);
    registry.on(suspect{port{2}}, env);
    CHECK(env.outbox.empty());
    REQUIRE(env.heard.size() == 1);
    CHECK(std::get<overflow>(env.heard[0]).needed == 3);
}
