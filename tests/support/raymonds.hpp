// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/exclusion/raymond.hpp>
#include <caucus/topology/ports_towards.hpp>
#include <caucus/topology/tree.hpp>
#include <support/exclusion_suite.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace support {

/// The nodes of a tree of which that one has the token.
constexpr auto raymonds(const auto& t, std::size_t holder) {
    return [ways = caucus::ports_towards(t, caucus::node{holder})](caucus::node v) {
        return caucus::raymond{ways[v]};
    };
}

/// In binary trees node v hangs below (v-1)/2.
inline caucus::tree binary_tree(std::size_t n) {
    std::vector<std::size_t> parents(n, 0);
    for (std::size_t v = 1; v < n; ++v) parents[v] = (v - 1) / 2;
    return caucus::tree{parents};
}

}  // namespace support
