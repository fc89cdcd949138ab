// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>

namespace caucus {

/// A ring with links in both directions: `next` of v and `prev` of v+1 (mod n) face each other.
/// Always n links: two_way_ring{2} has two parallel ones, and two_way_ring{1} is one self-loop
/// whose two ports face each other, so that every ring formula holds at n = 1.
class two_way_ring {
public:
    static constexpr shape kind = shape::two_way_ring;
    static constexpr bool one_inlet = false;

    constexpr explicit two_way_ring(std::size_t n)
        : nodes_(detail::checked_nodes("two_way_ring", n)) {}

    constexpr std::size_t nodes() const { return nodes_; }
    constexpr std::size_t links() const { return nodes_; }
    constexpr std::size_t arcs() const { return 2 * nodes_; }
    constexpr std::size_t degree(node) const { return 2; }

    constexpr far_end across(node v, port p) const {
        CAUCUS_ASSERT(v < nodes_ && p < 2);
        const std::size_t after = v + 1 == nodes_ ? 0 : v + 1;
        const std::size_t before = v == 0 ? nodes_ - 1 : v - 1;
        return p == next ? far_end{node{after}, prev} : far_end{node{before}, next};
    }
    constexpr std::size_t arc(node v, port p) const {
        CAUCUS_ASSERT(v < nodes_ && p < 2);
        return 2 * v + p;
    }

    constexpr bool connected() const { return true; }
    constexpr bool acyclic() const { return false; }

    friend constexpr bool operator==(const two_way_ring&, const two_way_ring&) = default;

private:
    std::size_t nodes_;
};

}  // namespace caucus
