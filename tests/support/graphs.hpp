// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/graph.hpp>

#include <cstddef>
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
