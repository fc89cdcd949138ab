// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>

namespace caucus {

/// A one-way ring: node v sends on `next` to v+1 (mod n), where it arrives by `prev`.
/// ring{1} is a self-loop, so that every ring formula holds at n = 1.
class ring {
public:
    static constexpr shape kind = shape::one_way_ring;
    static constexpr bool one_inlet = true;

    constexpr explicit ring(std::size_t n) : nodes_(detail::checked_nodes("ring", n)) {}

    constexpr std::size_t nodes() const { return nodes_; }
    constexpr std::size_t links() const { return nodes_; }
    constexpr std::size_t arcs() const { return nodes_; }
    constexpr std::size_t degree(node) const { return 1; }

    constexpr far_end across(node v, [[maybe_unused]] port p) const {
        CAUCUS_ASSERT(v < nodes_ && p == next);
        const std::size_t after = v + 1;
        return {node{after == nodes_ ? 0 : after}, prev};
    }
    constexpr std::size_t arc(node v, [[maybe_unused]] port p) const {
        CAUCUS_ASSERT(v < nodes_ && p == next);
        return v;
    }

    constexpr bool connected() const { return true; }
    constexpr bool acyclic() const { return false; }

    friend constexpr bool operator==(const ring&, const ring&) = default;

private:
    std::size_t nodes_;
};

}  // namespace caucus
