// SPDX-License-Identifier: MIT
#include <caucus/wave/echo.hpp>

#include <archetypes.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/hypercube.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/torus.hpp>
#include <caucus/topology/tree.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <laws/wave.hpp>
#include <support/graphs.hpp>
#include <support/instances.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

auto counting() {
    return [](node) { return echo{1, sum{}}; };
}

/// One wave from node 0, on `rounds` and with every temper of delay: 2|E|, and everybody counted.
template <class Topology>
void check_wave(const Topology& t, std::size_t initiator = 0) {
    const auto check = [&](auto& sim) {
        sim.start(initiator);
        const report r = sim.run();
        CHECK(r.stopped == stop::quiescent);
        CHECK(r.messages == 2 * t.links());
        CHECK(r.within_proven());
        CHECK(r.by_kind("explorer") == 2 * t.links() + 1 - t.nodes());
        CHECK(r.by_kind("reply") == t.nodes() - 1);
        REQUIRE(sim.outcomes().size() == 1);
        CHECK(sim.outcomes()[0].node.index == initiator);
        CHECK(sim.outcomes()[0].outcome.value == static_cast<int>(t.nodes()));
        CHECK(sim[initiator].has_completed());
        CHECK(spans(sim, initiator));
    };
    rounds synchronous{t, counting()};
    check(synchronous);
    for (const delay_model& delay : every_delay()) {
        events net{t, counting(), {.seed = t.nodes(), .delay = delay, .fifo = t.links() % 2 == 0}};
        check(net);
    }
}

/// Every schedule, any order of messages, so many of them twice: all are counted, parents span.
void check_schedules(const graph& g, std::size_t initiator, std::uint8_t duplicates) {
    const auto counted = [initiator](const global_state<echo<int, sum>>& s) {
        return s[initiator].has_completed() && s[initiator].value() == static_cast<int>(s.nodes());
    };
    const auto spanned = [&](const global_state<echo<int, sum>>& s) {
        if (!s[initiator].has_completed()) return true;
        for (std::size_t v = 0; v < s.nodes(); ++v) {
            std::size_t at = v;
            for (std::size_t hops = 0; at != initiator; ++hops) {
                if (!s[at].parent() || hops == s.nodes()) return false;
                at = g.across(node{at}, *s[at].parent()).node;
            }
        }
        return true;
    };
    const verdict v = explore(g, counting(),
                              {.initiators = {initiator},
                               .properties = {finally(counted), always(spanned)},
                               .faults = {.duplicates = duplicates}, .fifo = false});
    CHECK_MESSAGE(v.verified(), v.counterexample.text());
    CHECK(v.messages.least == 2 * g.links());
    CHECK(v.messages.most == 2 * g.links());
}

constexpr int folded_at_compile_time() {
    rounds sim{path{4}, [](node v) { return echo{static_cast<int>(v) * 3}; }};
    sim.start(1);
    sim.run();
    return sim[1].value();
}

}  // namespace

// Shape

static_assert(process<echo<int>>);
static_assert(std::is_same_v<decltype(echo{3}), echo<int>>);
static_assert(std::is_same_v<decltype(echo{3, sum{}, heap_storage{}}),
                             echo<int, sum, heap_storage>>);
static_assert(std::is_same_v<decltype(echo{3, heap_storage{}, sum{}}),
                             echo<int, heap_storage, sum>>);
static_assert(folded_at_compile_time() == 9);
static_assert(std::is_same_v<echo<int>::outcome, completed<int>>);
static_assert(sizeof(echo<std::uint16_t, inplace_storage<8>>) <= 32);

// Paper

TEST_CASE("echo: a triangle, Chang 1982: explorers cross on the far edge, replies on the tree") {
    rounds sim{complete{3}, counting()};
    sim.start(0);
    const report r = sim.run();
    CHECK(r.rounds == 3);   // out, across, back
    CHECK(r.by_kind("explorer") == 4);
    CHECK(r.by_kind("reply") == 2);
}

// Safety, liveness and cost: they are one thing here

TEST_CASE("echo: exactly 2|E| on every connected graph of up to 5 nodes, every initiator") {
    for (std::size_t n = 1; n <= 5; ++n) {
        each_connected_graph(n, [&](const graph& g) {
            for (std::size_t v = 0; v < n; ++v) check_wave(g, v);
        });
    }
}

TEST_CASE("echo: every schedule, any order, a message twice: 2|E|, a tree, every graph, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n)
        each_kind_of_graph(n, [&](const graph& g) {
            for (std::size_t v = 0; v < n; ++v) check_schedules(g, v, g.links() < 6 ? 1 : 0);
        });
}

TEST_CASE("nightly: echo: every schedule, any order, every graph, n = 5" * doctest::skip()) {
    each_kind_of_graph(5, [](const graph& g) {
        for (std::size_t v = 0; v < 5; ++v) check_schedules(g, v, g.links() < 6 ? 1 : 0);
    });
}

TEST_CASE("echo: exactly 2|E| on every kind of topology") {
    for (const std::size_t n : sizes{1, 2, 3, 10, 65, 130}) {
        check_wave(path{n});
        check_wave(star{n}, n / 2);
        check_wave(complete{n});
    }
    for (const std::size_t n : sizes{2, 3, 9}) {   // two_way_ring{2} has two parallel links
        rounds sim{two_way_ring{n}, counting()};
        sim.start(0);
        CHECK(sim.run().messages == 2 * n);
        CHECK(sim[0].value() == static_cast<int>(n));
    }
    check_wave(hypercube{6}, 5);
    check_wave(torus{5, 7}, 11);
    check_wave(tree{0, 0, 0, 1, 1, 2}, 4);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        check_wave(random_tree(40, seed), seed % 40);
        check_wave(random_graph(30, 0.2, seed), seed % 30);
        check_wave(random_regular(20, 3, seed));
    }
}

TEST_CASE("echo: at most twice the eccentricity and one round, on trees exactly twice") {
    for (const std::size_t n : sizes{2, 3, 8, 33}) {
        rounds sim{path{n}, counting()};
        sim.start(0);
        CHECK(sim.run().rounds == 2 * (n - 1));
    }
    rounds cube{hypercube{5}, counting()};
    cube.start(0);
    CHECK(cube.run().rounds <= 2 * 5 + 1);
}

TEST_CASE("echo: folds any commutative monoid: the maximum, a sum, a set of bits, a text") {
    const std::vector<int> values{4, 9, 2, 7, 5};
    using laws::folded_from_2;
    CHECK(folded_from_2([&](node v) { return echo{values[v]}; }) == 9);
    CHECK(folded_from_2([&](node v) { return echo{values[v], sum{}}; }) == 27);
    const auto unite = [](unsigned a, unsigned b) { return a | b; };
    CHECK(folded_from_2([&](node v) { return echo{1u << v.index, unite}; }) == 31u);
    const auto longest = [](const std::string& a, const std::string& b) {
        return a.size() < b.size() ? b : a;
    };
    CHECK(folded_from_2([&](node v) { return echo{std::string(v + 1, 'x'), longest}; }) == "xxxxx");
}

// Outside the model

TEST_CASE("echo: start twice is one start, and a node that was reached no longer starts") {
    laws::starts_once(counting());
}

TEST_CASE("echo: two initiators mix their waves: on a path of two both complete, with half each") {
    laws::two_waves_mix(counting());
}

TEST_CASE("echo: a crashed node stops the wave, silently") {
    laws::a_crash_is_silent(counting());
}

TEST_CASE("echo: repeated messages are harmless: each port is heard once") {
    using process = echo<int, sum>;
    archetype::environment<process> env;
    env.ports = 2;
    process root{1, sum{}};
    root.start(env);
    for (int twice = 0; twice < 2; ++twice) root.on(process::reply{10}, port{0}, env);
    CHECK(env.heard.empty());
    for (int twice = 0; twice < 2; ++twice) root.on(process::reply{100}, port{1}, env);
    REQUIRE(env.heard.size() == 1);
    CHECK(env.heard[0].value == 111);

    archetype::environment<process> other;
    other.ports = 2;
    process leafward{1, sum{}};
    for (int twice = 0; twice < 2; ++twice) leafward.on(process::explorer{}, port{0}, other);
    CHECK(other.outbox.size() == 1);
    for (int twice = 0; twice < 2; ++twice) leafward.on(process::explorer{}, port{1}, other);
    CHECK(other.outbox.size() == 2);
}

TEST_CASE("echo: a reply that nobody asked for is ignored") {
    using process = echo<int, sum, inplace_storage<3>>;
    archetype::environment<process> env;
    env.ports = 1;
    process leaf{1, sum{}, inplace_storage<3>{}};
    leaf.on(process::reply{5}, port{0}, env);
    CHECK(env.outbox.size() == 0);
    CHECK(leaf.value() == 1);
    leaf.on(process::explorer{}, port{0}, env);
    CHECK(env.outbox.size() == 1);
}

TEST_CASE("echo: a node with more ports than its storage holds says so and stays out") {
    laws::overflow_is_said([](node) { return echo{1, sum{}, inplace_storage<3>{}}; });
}
