// SPDX-License-Identifier: MIT
#include <caucus/wave/traversal.hpp>

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
#include <support/traversals.hpp>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// Nodes that count themselves; their ids, where the steering asks for them, run backwards.
template <class Steering, class Topology, class... Policies>
struct counting {
    Topology topology;
    auto operator()(node v) const {
        return traversal{1, sum{}, Steering{}(topology, v, descending(topology.nodes())),
                         Policies{}...};
    }
};
template <class Steering, class Topology>
counting<Steering, Topology> count_on(const Topology& t) { return {t}; }

/// On one network: all are visited and counted, parents are depth-first, every link that is walked
/// is walked once each way, the others never; exactly as many messages and rounds as proven.
template <class Steering>
void check_run(auto& sim, std::size_t initiator) {
    sim.start(initiator);
    const report r = sim.run();
    const std::size_t walked =
        std::is_same_v<Steering, by_paths> ? sim.nodes() - 1 : sim.topology().links();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.messages == 2 * walked);
    CHECK(r.within_proven());
    CHECK(r.in_flight_most <= 1);
    REQUIRE(sim.outcomes().size() == 1);
    CHECK(sim.outcomes()[0].node.index == initiator);
    CHECK(sim.outcomes()[0].outcome.value == static_cast<int>(sim.nodes()));
    CHECK(sim[initiator].has_completed());
    CHECK(spans(sim, initiator));
    CHECK(is_depth_first(sim));
    std::size_t arcs_walked = 0;
    for (const std::uint64_t each : r.by_link) {
        CHECK(each <= 1);   // "each edge exactly once", the lecture says: once per direction
        arcs_walked += each;
    }
    CHECK(arcs_walked == 2 * walked);
}
template <class Steering>
void check_traversal_by(const graph& t, std::size_t initiator) {
    const auto make = count_on<Steering>(t);
    rounds synchronous{t, make, {.detail = detail_level::on}};
    check_run<Steering>(synchronous, initiator);
    CHECK(synchronous.run().rounds == synchronous.run().messages);
    for (const delay_model& delay : every_delay()) {
        events net{t, make, {.seed = t.nodes(), .delay = delay, .fifo = t.links() % 2 == 0,
                             .detail = detail_level::on}};
        check_run<Steering>(net, initiator);
    }
}
void check_traversal(const graph& t, std::size_t initiator = 0) {
    check_traversal_by<by_colours>(t, initiator);
    check_traversal_by<by_paths>(t, initiator);
}
/// The same links, so that everything is compiled once for all topologies.
template <class Topology>
graph written_down(const Topology& t) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t v = 0; v < t.nodes(); ++v)
        for (const port p : ports(t.degree(node{v}))) {
            const std::size_t u = t.across(node{v}, p).node;
            if (v < u) edges.emplace_back(v, u);
        }
    return {t.nodes(), edges};
}

constexpr int folded_at_compile_time() {
    rounds sim{path{4}, [](node v) { return traversal{static_cast<int>(v) * 3}; }};
    sim.start(1);
    const report r = sim.run();
    return r.within_proven() ? sim[1].value() : 0;
}
constexpr int counted_at_compile_time() {
    constexpr std::array ids{3, 1, 4, 2};
    rounds sim{complete{4}, [&](node v) {
        const std::array peers{ids[(v + 1) % 4], ids[(v + 2) % 4], ids[(v + 3) % 4]};
        return traversal{1, sum{}, by_path{ids[v], peers}};
    }};
    sim.start(2);
    const report r = sim.run();
    return r.within_proven() ? sim[2].value() : 0;
}

}  // namespace

// Shape

static_assert(process<traversal<int>>);
static_assert(std::is_same_v<decltype(traversal{3}), traversal<int>>);
static_assert(std::is_same_v<decltype(traversal{3, sum{}, by_colour{}}),
                             traversal<int, sum, by_colour>>);
static_assert(std::is_same_v<decltype(traversal{3, by_colour{}, sum{}}),
                             traversal<int, by_colour, sum>>);
static_assert(folded_at_compile_time() == 9);
static_assert(counted_at_compile_time() == 4);
static_assert(std::is_same_v<traversal<int>::outcome, completed<int>>);
static_assert(traversal<int>::assumes.names == naming::anonymous);
static_assert(decltype(traversal{1, by_path{1, std::vector{2}}})::assumes.names ==
              naming::distinct);
static_assert(traversal<int>::time({.nodes = 4, .links = 5, .initiators = 1}).most == 10);
static_assert(traversal<int>::messages({.nodes = 4, .links = 5}).most == 0);   // nobody started
static_assert(sizeof(traversal<std::uint16_t, inplace_storage<8>>) <= 40);
static_assert(std::is_trivially_copyable_v<traversal<int, sum, inplace_storage<8>>>);

// Paper

TEST_CASE("traversal: a triangle by colour: 2 probes 0, which sends the token back") {
    const std::vector<std::size_t> route{0, 1, 2, 0, 2, 1, 0};
    CHECK(route_of(complete{3}, count_on<by_colours>(complete{3}), 0) == route);
}

TEST_CASE("traversal: a triangle by path: 2 knows from the list that 0 was visited") {
    const std::vector<std::size_t> route{0, 1, 2, 1, 0};
    CHECK(route_of(complete{3}, count_on<by_paths>(complete{3}), 0) == route);
}

TEST_CASE("traversal: a tree is walked as by CALL and RETURN, from its root and from a leaf") {
    const tree t{0, 0, 0, 1, 1};   // 1 and 2 below 0, 3 and 4 below 1
    const std::vector<std::size_t> from_root{0, 1, 3, 1, 4, 1, 0, 2, 0};
    CHECK(route_of(t, count_on<by_colours>(t), 0) == from_root);
    CHECK(route_of(t, count_on<by_paths>(t), 0) == from_root);
    const std::vector<std::size_t> from_leaf{4, 1, 0, 2, 0, 1, 3, 1, 4};
    CHECK(route_of(t, count_on<by_colours>(t), 4) == from_leaf);
    CHECK(route_of(t, count_on<by_paths>(t), 4) == from_leaf);
}

// Safety, liveness and cost: they are one thing here

TEST_CASE("traversal: exactly 2|E| or 2(n-1), depth first, every graph and initiator, n <= 5") {
    for (std::size_t n = 1; n <= 4; ++n)
        each_connected_graph(n, [&](const graph& g) {
            for (std::size_t v = 0; v < n; ++v) check_traversal(g, v);
        });
    std::size_t initiator = 0;
    each_connected_graph(5, [&](const graph& g) {
        initiator = (initiator + 1) % 5;
        rounds coloured{g, count_on<by_colours>(g)};
        check_run<by_colours>(coloured, initiator);
        rounds listed{g, count_on<by_paths>(g)};
        check_run<by_paths>(listed, initiator);
    });
}

TEST_CASE("traversal: exactly 2|E| or 2(n-1) on every kind of topology") {
    for (const std::size_t n : sizes{1, 2, 3, 10, 65}) {   // 65: one port more than a word has bits
        check_traversal(written_down(path{n}), n / 3);
        check_traversal(written_down(star{n}), n / 2);
        check_traversal(written_down(complete{n}));
    }
    check_traversal(written_down(star{130}));
    check_traversal(written_down(two_way_ring{9}));
    check_traversal(written_down(hypercube{5}), 5);
    check_traversal(written_down(torus{5, 4}), 11);
    check_traversal(written_down(tree{0, 0, 0, 1, 1, 2}), 4);
}

TEST_CASE("traversal: parallel links are links: 2|E| by colour, 2(n-1) by path") {
    rounds coloured{two_way_ring{2}, count_on<by_colours>(two_way_ring{2})};
    check_run<by_colours>(coloured, 0);
    rounds listed{two_way_ring{2}, count_on<by_paths>(two_way_ring{2})};
    check_run<by_paths>(listed, 0);
}

TEST_CASE("traversal: exactly 2|E| or 2(n-1) on 1,000 random trees and 1,000 random graphs") {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const std::size_t n = 1 + seed % 25;
        const std::size_t links = n * (n + 3) / 6;
        for (const graph& g : {random_tree(n, seed), random_sparse_graph(n, links, seed)}) {
            events coloured{g, count_on<by_colours>(g), {.seed = seed, .fifo = false}};
            coloured.start(seed % n);
            CHECK(coloured.run().messages == 2 * g.links());
            CHECK(coloured[seed % n].value() == static_cast<int>(n));
            events listed{g, count_on<by_paths>(g), {.seed = seed, .fifo = false}};
            listed.start(seed % n);
            CHECK(listed.run().messages == 2 * (n - 1));
            CHECK(listed[seed % n].value() == static_cast<int>(n));
        }
    }
}

TEST_CASE("traversal: two repetitions, in any order, are harmless: every graph, n <= 4") {
    const auto explored = [](const graph& g, const auto& make) {
        using process = std::remove_cvref_t<decltype(make(node{0}))>;
        const auto all_are_counted = [](const global_state<process>& s) {
            return s[0].has_completed() && s[0].value() == static_cast<int>(s.nodes());
        };
        const verdict v = explore(g, make, {.initiators = {0},
                                            .properties = {finally(all_are_counted)},
                                            .faults = {.duplicates = 2}, .fifo = false});
        CHECK(v.verified());
        CHECK(v.messages.least == make(node{0}).messages({g.nodes(), g.links(), 1}).least);
        CHECK(v.messages.most == v.messages.least);   // nobody answers a repetition
    };
    for (std::size_t n = 1; n <= 4; ++n)
        each_connected_graph(n, [&](const graph& g) {
            explored(g, count_on<by_colours>(g));
            explored(g, count_on<by_paths>(g));
        });
}

TEST_CASE("traversal: folds in the order of the visits: the greatest, a sum, a set, a text") {
    using laws::folded_from_2;
    const graph g = laws::chorded_circle();
    const std::vector<int> values{4, 9, 2, 7, 5};
    CHECK(folded_from_2([&](node v) { return traversal{values[v]}; }) == 9);
    CHECK(folded_from_2([&](node v) { return traversal{values[v], sum{}}; }) == 27);
    const auto unite = [](unsigned a, unsigned b) { return a | b; };
    CHECK(folded_from_2([&](node v) { return traversal{1u << v.index, unite}; }) == 31u);
    const auto append = [](const std::string& a, const std::string& b) { return a + b; };
    const auto letter = [](node v) { return std::string(1, static_cast<char>('a' + v.index)); };
    CHECK(folded_from_2([&](node v) { return traversal{letter(v), append}; }) == "cbaed");
    CHECK(folded_from_2([&](node v) {
        return traversal{letter(v), append, by_path{values[v], peer_ids(g, v, values)}};
    }) == "cbaed");
}

TEST_CASE("traversal: by path from the end of a path, 3n(n-1)/2 ids are carried, and never more") {
    const auto ids_carried = [](const auto& t) {
        rounds sim{t, count_on<by_paths>(t)};
        sim.start(0);
        const report r = sim.run();
        const std::uint64_t bits_without = r.messages * (8 + 32 + 32);   // kind, value, length
        return (r.bits - bits_without) / 32;
    };
    for (const std::size_t n : sizes{1, 2, 3, 20}) {
        CHECK(ids_carried(path{n}) == 3 * n * (n - 1) / 2);
        CHECK(ids_carried(star{n}) <= 3 * n * (n - 1) / 2);
        CHECK(ids_carried(complete{n}) == 3 * n * (n - 1) / 2);
    }
    CHECK(ids_carried(random_sparse_graph(30, 60, 1)) <= 3 * 30 * 29 / 2);
}

// Outside the model

TEST_CASE("traversal: start twice is one start, and a node that was visited no longer starts") {
    laws::starts_once(count_on<by_colours>(path{3}));
}

TEST_CASE("traversal: two initiators mix their tokens: on a path of two both complete, half each") {
    laws::two_waves_mix(count_on<by_colours>(path{2}));
}

TEST_CASE("traversal: a crashed node takes the token along, silently") {
    laws::a_crash_is_silent(count_on<by_colours>(path{4}));
}

TEST_CASE("traversal: what is not connected, not known or known twice is refused") {
    const graph apart{3, {{0, 1}}};
    CHECK_THROWS_WITH(rounds(apart, count_on<by_colours>(apart)),
                      "simulation: the graph is not connected: no way from node 0 to node 2");
    CHECK_THROWS_WITH(rounds(path{3}, count_on<by_paths>(star{3})),
                      "simulation: node 0 knows 2 peers and has 1 ports");
    const auto same_ids = [](node) { return traversal{1, by_path{5, std::vector{6}}}; };
    CHECK_THROWS_WITH(rounds(path{2}, same_ids), "simulation: nodes 0 and 1 have the same id");
}

TEST_CASE("traversal: a node with more ports than its storage holds says so and takes no token") {
    laws::overflow_is_said([](node) { return traversal{1, sum{}, inplace_storage<3>{}}; });
}

TEST_CASE("traversal: by path in place, the node for which the list has no room says so") {
    using in_place = counting<by_paths, path, inplace_storage<3>>;
    rounds fits{path{3}, in_place{path{3}}};
    fits.start(0);
    fits.run();
    CHECK(fits[0].value() == 3);
    rounds sim{path{5}, in_place{path{5}}};
    sim.start(0);
    CHECK(sim.run().messages == 3);
    REQUIRE(sim.outcomes().size() == 1);
    CHECK(sim.outcomes()[0].node.index == 3);
    CHECK(std::get<overflow>(sim.outcomes()[0].outcome).needed == 4);
}
