// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>

namespace caucus {

/// 2^d nodes: port p leads to the node whose index differs in bit p, and arrives there by port p.
/// hypercube{0} is a single node.
class hypercube {
public:
    static constexpr shape kind = shape::graph;
    static constexpr bool one_inlet = false;

    constexpr explicit hypercube(std::size_t dimensions) : dimensions_(dimensions) {
        if (dimensions > 31) refuse("hypercube: ", dimensions, " dimensions are more than 31");
    }

    constexpr std::size_t nodes() const { return std::size_t{1} << dimensions_; }
    constexpr std::size_t links() const { return arcs() / 2; }
    constexpr std::size_t arcs() const { return nodes() * dimensions_; }
    constexpr std::size_t degree(node) const { return dimensions_; }

    constexpr far_end across(node v, port p) const {
        CAUCUS_ASSERT(v < nodes() && p < dimensions_);
        return {node{v ^ std::size_t{1} << p}, p};
    }
    constexpr std::size_t arc(node v, port p) const {
        CAUCUS_ASSERT(v < nodes() && p < dimensions_);
        return v * dimensions_ + p;
    }

    constexpr bool connected() const { return true; }
    constexpr bool acyclic() const { return dimensions_ < 2; }

    friend constexpr bool operator==(const hypercube&, const hypercube&) = default;

private:
    std::size_t dimensions_;
};

}  // namespace caucus
