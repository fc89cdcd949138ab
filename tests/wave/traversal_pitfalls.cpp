// SPDX-License-Identifier: MIT
// What becomes of a token by other rules: readings of the lectures that cost more, and Tarry's.
#include <caucus/wave/traversal.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/graphs.hpp>
#include <support/traversals.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

using namespace caucus;
using namespace support;

namespace {

/// A single token by other rules: flawed ones, and Tarry's.
enum class reading : std::uint8_t {
    uncoloured,   // a visited node sends the token back, but does not colour the port
    unawaited,    // nor tells a probe from an answer: what comes by a used port is one
    first_edge,   // the walk "ends when the token comes back over the initiator's first edge"
    tarry         // a visited node sends it on by a port it has not sent it by, the parent's last
};
struct otherwise {
    struct token {};
    using message = token;
    using timer = nothing;
    using outcome = nothing;
    enum class role : std::uint8_t { unvisited, visited, completed };

    reading how = reading::tarry;
    role is = role::unvisited;
    std::optional<port> first = {};
    std::optional<port> awaited = {};
    port_set<> used = {};

    std::optional<port> parent() const { return first; }

    void start(auto& env) {
        is = role::visited;
        go(env);
    }
    void on(token, port from, auto& env) {
        const bool is_new = is == role::unvisited;
        if (is_new) {
            is = role::visited;
            first = from;
        }
        const bool is_home = how == reading::first_edge && !first && from == port{0};
        if (is_home) is = role::completed;
        else if (is_new || how == reading::tarry || is_answer(from)) go(env);
        else env.send(from, token{});
    }
    bool is_answer(port from) const {
        return how == reading::unawaited ? used.contains(from) : awaited == from;
    }
    void go(auto& env) {
        for (const port p : ports(env.degree())) {
            if (first == p || !used.insert(p)) continue;
            awaited = p;
            return env.send(p, token{});
        }
        awaited = {};
        if (first) env.send(*first, token{});
        else is = role::completed;
    }
};
std::size_t visited(const auto& g) {
    std::size_t count = 0;
    for (std::size_t v = 0; v < g.nodes(); ++v) count += g[v].is != otherwise::role::unvisited;
    return count;
}
const auto all_are_visited = [](const global_state<otherwise>& g) {
    return visited(g) == g.nodes() && g[0].is == otherwise::role::completed;
};
/// From node 0, on every schedule: there is only one.
template <class Topology>
std::uint64_t messages_otherwise(const Topology& t, reading how) {
    const verdict v = explore(t, [=](node) { return otherwise{how}; },
                              {.initiators = {0}, .properties = {finally(all_are_visited)}});
    CHECK(v.verified());
    CHECK(v.messages.least == v.messages.most);
    return v.messages.most;
}

}  // namespace

TEST_CASE("traversal: if a visited node does not colour the port, other links cost 4 messages") {
    for (std::size_t n = 1; n <= 4; ++n)
        each_connected_graph(n, [&](const graph& g) {
            CHECK(messages_otherwise(g, reading::uncoloured) ==
                  2 * (n - 1) + 4 * (g.links() - (n - 1)));
        });
    // If it cannot tell a probe from an answer either, the token walks whole branches again.
    CHECK(messages_otherwise(complete{3}, reading::unawaited) == 9);
    CHECK(messages_otherwise(two_way_ring{4}, reading::unawaited) == 12);
    CHECK(messages_otherwise(complete{4}, reading::unawaited) == 22);
}

TEST_CASE("traversal: Tarry's rule costs 2|E| too, and its tree need not be depth-first") {
    std::size_t not_depth_first = 0;
    for (std::size_t n = 1; n <= 5; ++n)
        each_connected_graph(n, [&](const graph& g) {
            rounds sim{g, [](node) { return otherwise{reading::tarry}; }};
            sim.start(0);
            CHECK(sim.run().messages == 2 * g.links());
            CHECK(sim[0].is == otherwise::role::completed);
            CHECK(spans(sim, 0));
            not_depth_first += !is_depth_first(sim);
        });
    CHECK(not_depth_first > 0);
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const graph g = random_sparse_graph(20, 19 + seed % 60, seed);
        rounds sim{g, [](node) { return otherwise{reading::tarry}; }};
        sim.start(seed % 20);
        CHECK(sim.run().messages == 2 * g.links());
    }
}

TEST_CASE("errata: traversal that ends when the token is back over its first edge: 2 of 4 nodes") {
    const auto printed = [](node) { return otherwise{reading::first_edge}; };
    const verdict v = explore(star{4}, printed,
                              {.initiators = {0}, .properties = {finally(all_are_visited)}});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.how == "is false when all is over, after");
    CHECK(v.counterexample.size() == 2);   // to the first leaf and back
    rounds sim{star{4}, printed};
    sim.start(0);
    CHECK(sim.run().messages == 2);
    CHECK(visited(sim) == 2);
    // It holds where the initiator has one edge, and where the first leads to all the others.
    for (const std::size_t leaf : {1u, 2u, 3u}) {
        rounds from_leaf{star{4}, printed};
        from_leaf.start(leaf);
        CHECK(from_leaf.run().messages == 6);
        CHECK(visited(from_leaf) == 4);
    }
    CHECK(messages_otherwise(two_way_ring{4}, reading::first_edge) == 8);
}
