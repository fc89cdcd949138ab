// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>

namespace caucus {

/// n nodes, of which node 0 is the centre: its port p leads to leaf p+1, a leaf's port 0 to it.
class star {
public:
    static constexpr shape kind = shape::tree;
    static constexpr bool one_inlet = false;

    constexpr explicit star(std::size_t n) : nodes_(detail::checked_nodes("star", n)) {}

    constexpr std::size_t nodes() const { return nodes_; }
    constexpr std::size_t links() const { return nodes_ - 1; }
    constexpr std::size_t arcs() const { return 2 * links(); }
    constexpr std::size_t degree(node v) const { return v == 0 ? links() : 1; }

    constexpr far_end across(node v, port p) const {
        CAUCUS_ASSERT(v < nodes_ && p < degree(v));
        return v == 0 ? far_end{node{p + 1}, port{0}} : far_end{node{0}, port{v - 1}};
    }
    constexpr std::size_t arc(node v, port p) const {
        CAUCUS_ASSERT(v < nodes_ && p < degree(v));
        return v == 0 ? p.index() : links() + v - 1;
    }

    constexpr bool connected() const { return true; }
    constexpr bool acyclic() const { return true; }

    friend constexpr bool operator==(const star&, const star&) = default;

private:
    std::size_t nodes_;
};

}  // namespace caucus
