// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/graph.hpp>

#include <support/instances.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace support {

/// Every connected graph on the nodes 0 … n-1.
inline void each_connected_graph(std::size_t n, auto visit) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b) pairs.emplace_back(a, b);
    for (std::size_t bits = 0; bits < std::size_t{1} << pairs.size(); ++bits) {
        std::vector<std::pair<std::size_t, std::size_t>> edges;
        for (std::size_t i = 0; i < pairs.size(); ++i)
            if ((bits >> i & 1) != 0) edges.push_back(pairs[i]);
        const caucus::graph g{n, edges};
        if (g.connected()) visit(g);
    }
}

/// The edges of g when node v is called names[v], a bit a pair.
inline std::uint64_t edges_renamed(const caucus::graph& g, const std::vector<int>& names) {
    std::uint64_t bits = 0;
    for (std::size_t v = 0; v < g.nodes(); ++v)
        for (const caucus::port p : caucus::ports(g.degree(caucus::node{v}))) {
            const std::size_t u = g.across(caucus::node{v}, p).node;
            const auto place = static_cast<std::size_t>(names[v] - 1) * g.nodes() +
                               static_cast<std::size_t>(names[u] - 1);
            bits |= std::uint64_t{1} << place;
        }
    return bits;
}

/// One of each kind of connected graph on n nodes: those that differ by names alone are one kind.
inline void each_kind_of_graph(std::size_t n, auto visit) {
    each_connected_graph(n, [&](const caucus::graph& g) {
        const std::uint64_t mine = edges_renamed(g, ascending(n));
        bool first = true;
        each_permutation(n, [&](const std::vector<int>& names) {
            first = first && mine <= edges_renamed(g, names);
        });
        if (first) visit(g);
    });
}

/// Every way to give the nodes of g the ids 1 … n, but for those that its symmetries make equal.
inline void each_labelling(const caucus::graph& g, auto visit) {
    const std::size_t n = g.nodes();
    const std::uint64_t edges = edges_renamed(g, ascending(n));
    each_permutation(n, [&](const std::vector<int>& ids) {
        bool first = true;
        each_permutation(n, [&](const std::vector<int>& names) {
            if (!first || edges_renamed(g, names) != edges) return;
            std::vector<int> turned(n, 0);
            for (std::size_t v = 0; v < n; ++v)
                turned[static_cast<std::size_t>(names[v] - 1)] = ids[v];
            first = ids <= turned;
        });
        if (first) visit(ids);
    });
}

/// Do the parent ports of `sim` form a spanning tree rooted at `root`?
template <class Simulation>
bool spans(const Simulation& sim, std::size_t root) {
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        std::size_t at = v;
        std::size_t hops = 0;
        for (; at != root && hops <= sim.nodes(); ++hops) {
            const auto parent = sim[at].parent();
            if (!parent) return false;
            at = sim.topology().across(caucus::node{at}, *parent).node;
        }
        if (at != root) return false;
    }
    return !sim[root].parent().has_value();
}

}  // namespace support
