// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace caucus {

/// By which port each node is nearest to the root: what a node of a tree is told that must know the
/// way to it. The root itself needs none, and neither does whoever cannot reach it.
template <topology Topology>
constexpr std::vector<std::optional<port>> ports_towards(const Topology& t, node root) {
    if (root >= t.nodes())
        refuse("ports_towards: there is no node ", root.index, " among ", t.nodes());
    std::vector<std::optional<port>> ways(t.nodes(), std::optional<port>{});
    std::vector<node> reached{root};
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const port p : ports(t.degree(reached[i]))) {
            const far_end end = t.across(reached[i], p);
            if (end.node == root || ways[end.node]) continue;
            ways[end.node] = end.port;
            reached.push_back(end.node);
        }
    return ways;
}

}  // namespace caucus
