// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <cstdint>

namespace caucus {

/// Rows and columns that close into rings; node r·columns + c stands in row r, column c.
/// Links join east to west and south to north. A side of 1 or 2 would need self-loops or parallel
/// links, and is refused.
class torus {
public:
    static constexpr shape kind = shape::graph;
    static constexpr bool one_inlet = false;

    static constexpr port east{0}, west{1}, south{2}, north{3};

    constexpr torus(std::size_t rows, std::size_t columns)
        : rows_(static_cast<std::uint32_t>(rows)), columns_(static_cast<std::uint32_t>(columns)) {
        if (rows < 3) refuse("torus: ", rows, " rows are fewer than 3");
        if (columns < 3) refuse("torus: ", columns, " columns are fewer than 3");
        if (rows > 0xffff'ffffu / columns)
            refuse("torus: ", rows, " rows of ", columns, " nodes are more than 2^32-1 nodes");
    }

    constexpr std::size_t nodes() const { return std::size_t{rows_} * columns_; }
    constexpr std::size_t links() const { return 2 * nodes(); }
    constexpr std::size_t arcs() const { return 4 * nodes(); }
    constexpr std::size_t degree(node) const { return 4; }

    constexpr far_end across(node v, port p) const {
        CAUCUS_ASSERT(v < nodes() && p < 4);
        const std::size_t n = nodes();
        if (p == south) return {node{v + columns_ < n ? v + columns_ : v + columns_ - n}, north};
        if (p == north) return {node{v < columns_ ? v + n - columns_ : v - columns_}, south};
        const std::uint32_t c = static_cast<std::uint32_t>(v.index) % columns_;
        if (p == east) return {node{c + 1 < columns_ ? v + 1 : v - c}, west};
        return {node{c > 0 ? v - 1 : v + columns_ - 1}, east};
    }
    constexpr std::size_t arc(node v, port p) const {
        CAUCUS_ASSERT(v < nodes() && p < 4);
        return 4 * v + p;
    }

    constexpr bool connected() const { return true; }
    constexpr bool acyclic() const { return false; }

    friend constexpr bool operator==(const torus&, const torus&) = default;

private:
    std::uint32_t rows_, columns_;
};

}  // namespace caucus
