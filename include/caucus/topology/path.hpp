// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>

namespace caucus {

/// A line of n nodes: a two-way ring without the link from n-1 to 0. Inner nodes have `next` and
/// `prev`; either end has one link only, and calls it port 0.
class path : public detail::tree_of_n {
public:
    constexpr explicit path(std::size_t n) : tree_of_n("path", n) {}

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

    friend constexpr bool operator==(const path& a, const path& b) { return a.nodes_ == b.nodes_; }

private:
    constexpr bool last(node v) const { return v + 1 == nodes_; }
};

}  // namespace caucus
