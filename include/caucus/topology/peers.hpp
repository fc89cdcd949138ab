// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <type_traits>
#include <vector>

namespace caucus {

/// The ids of v's neighbours in order of its ports, where ids[u] is the id of node u: what an
/// algorithm that knows its peers is given.
template <topology Topology>
constexpr auto peer_ids(const Topology& t, node v, const auto& ids) {
    std::vector<std::remove_cvref_t<decltype(ids[v])>> peers;
    for (const port p : ports(t.degree(v))) peers.push_back(ids[t.across(v, p).node]);
    return peers;
}

}  // namespace caucus
