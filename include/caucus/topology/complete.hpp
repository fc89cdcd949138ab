// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>

namespace caucus {

/// Everyone linked to everyone: port p of node v leads to v+1+p (mod n), so that port order is
/// successor order. complete{1} has no ports.
class complete {
public:
    static constexpr shape kind = shape::complete;
    static constexpr bool one_inlet = false;

    constexpr explicit complete(std::size_t n) : nodes_(detail::checked_nodes("complete", n)) {}

    constexpr std::size_t nodes() const { return nodes_; }
    constexpr std::size_t links() const { return arcs() / 2; }
    constexpr std::size_t arcs() const { return nodes_ * (nodes_ - 1); }
    constexpr std::size_t degree(node) const { return nodes_ - 1; }

    constexpr far_end across(node v, port p) const {
        CAUCUS_ASSERT(v < nodes_ && p < degree(v));
        const std::size_t ahead = v + 1 + p;
        // Once round is n steps: p+1 there, and the way back's port plus 1.
        return {node{ahead < nodes_ ? ahead : ahead - nodes_}, port{nodes_ - 2 - p}};
    }
    constexpr std::size_t arc(node v, port p) const {
        CAUCUS_ASSERT(v < nodes_ && p < degree(v));
        return v * (nodes_ - 1) + p;
    }

    constexpr bool connected() const { return true; }
    constexpr bool acyclic() const { return nodes_ < 3; }

    friend constexpr bool operator==(const complete&, const complete&) = default;

private:
    std::size_t nodes_;
};

}  // namespace caucus
