// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/port.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::detail {

/// What stored topologies store: for every node a row of far ends, one per port, rows end to end.
class adjacency {
public:
    /// degrees[v] ports at every node v, none of them joined yet. (First values are spelled out,
    /// here and elsewhere: clang 14 cannot evaluate libstdc++ 12's vector(n) at compile time.)
    constexpr explicit adjacency(const std::vector<std::uint32_t>& degrees)
        : rows_(degrees.size() + 1, 0) {
        for (std::size_t v = 0; v < degrees.size(); ++v) rows_[v + 1] = rows_[v] + degrees[v];
        ends_.resize(rows_.back(), end{});
    }

    constexpr void join(far_end a, far_end b) {
        ends_[arc(a.node, a.port)] = end{b};
        ends_[arc(b.node, b.port)] = end{a};
    }

    constexpr std::size_t nodes() const { return rows_.size() - 1; }
    constexpr std::size_t arcs() const { return ends_.size(); }
    constexpr std::size_t degree(node v) const {
        CAUCUS_ASSERT(v < nodes());
        return rows_[v + 1] - rows_[v];
    }
    constexpr far_end across(node v, port p) const {
        const end e = ends_[arc(v, p)];
        return {caucus::node{e.node}, caucus::port{e.port}};
    }
    constexpr std::size_t arc(node v, port p) const {
        CAUCUS_ASSERT(v < nodes() && p < degree(v));
        return rows_[v] + p;
    }

    friend constexpr bool operator==(const adjacency&, const adjacency&) = default;

private:
    /// A far end in eight bytes.
    struct end {
        std::uint32_t node = 0;
        std::uint32_t port = 0;

        constexpr end() = default;
        constexpr explicit end(far_end e)
            : node(static_cast<std::uint32_t>(e.node.index)),
              port(static_cast<std::uint32_t>(e.port.index())) {}
        friend constexpr bool operator==(end, end) = default;
    };

    std::vector<std::uint32_t> rows_;
    std::vector<end> ends_;
};

}  // namespace caucus::detail
