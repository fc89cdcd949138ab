// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/appointed.hpp>
#include <caucus/exclusion/coordinator.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <cstddef>
#include <vector>

namespace support {

inline std::vector<int> tens(std::size_t n) {
    std::vector<int> ids;
    for (std::size_t v = 0; v < n; ++v) ids.push_back(static_cast<int>(10 * (v + 1)));
    return ids;
}

/// Node 0 serves all others, on any topology in which it is their neighbour.
template <class... Policies, class Topology>
auto under_node_0(const Topology& t, Policies... policies) {
    return [=, ids = tens(t.nodes())](caucus::node v) {
        return caucus::coordinator{caucus::appointed{ids[v], peer_ids(t, v, ids), ids[0]},
                                   policies...};
    };
}

/// Whoever is inside has a greater fence than all entries before, those of the dead included.
struct newest_is_inside {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; u < g.nodes(); ++u)
                if (g.alive(v) && g[v].holds() && g[v].fence() < g[u].fence()) return false;
        return true;
    }
};

}  // namespace support
