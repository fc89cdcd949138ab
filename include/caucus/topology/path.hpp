// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>

namespace caucus {

/// A line of n nodes: a two-way ring without the link from n-1 to 0. Inner nodes have `next` and
/// `prev`; either end has one link only, and calls it port 0.
class path {
public:
    static constexpr shape kind = shape::tree;
    static constexpr bool one_inlet = false;

    constexpr explicit path(std::size_t n) : nodes_(detail::checked_nodes("path", n)) {}

    constexpr std::size_t nodes() const { return nodes_; }
    constexpr std::size_t links() const { return nodes_ - 1; }
    constexpr std::size_t arcs() const { return 2 * links(); }
    constexpr std::size_t degree(node v) const { return (v != 0 ? 1u : 0u) + (!last(v) ? 1u : 0u); }

    constexpr far_end across(node v, port p) const {
        CAUCUS_ASSERT(v < nodes_ && p < degree(v));
        if (p == prev || last(v)) return {node{v - 1}, next};
        const node after{v + 1};
        return {after, last(after) ? port{0} : prev};
    }
    constexpr std::size_t arc(node v, port p) const {
        CAUCUS_ASSERT(v < nodes_ && p < degree(v));
        return v == 0 ? 0 : 2 * v - 1 + p;
    }

    constexpr bool connected() const { return true; }
    constexpr bool acyclic() const { return true; }

    friend constexpr bool operator==(const path&, const path&) = default;

private:
    constexpr bool last(node v) const { return v + 1 == nodes_; }

    std::size_t nodes_;
};

}  // namespace caucus
