// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>

namespace caucus {

/// n nodes, of which node 0 is the centre: its port p leads to leaf p+1, a leaf's port 0 to it.
class star : public detail::tree_of_n {
public:
    constexpr explicit star(std::size_t n) : tree_of_n("star", n) {}

    constexpr std::size_t degree(node v) const { return v == 0 ? links() : 1; }

    constexpr far_end across(node v, port p) const {
        CAUCUS_ASSERT(v < nodes_ && p < degree(v));
        return v == 0 ? far_end{node{p + 1}, port{0}} : far_end{node{0}, port{v - 1}};
    }
    constexpr std::size_t arc(node v, port p) const {
        CAUCUS_ASSERT(v < nodes_ && p < degree(v));
        return v == 0 ? p.index() : links() + v - 1;
    }

    friend constexpr bool operator==(const star& a, const star& b) { return a.nodes_ == b.nodes_; }
};

}  // namespace caucus
