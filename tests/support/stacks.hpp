// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/layer/supervision.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <support/fault_matrix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// How the stacks of tests/fault_matrix.md are watched, and where they run.

namespace support {

constexpr caucus::supervised_options watchful(std::size_t reach) {
    return {.beat = 100, .timeout = 350, .election_max = 1000, .reach = reach};
}
/// Heavy tails: what was sent in troubled times may take 2000 ticks to come.
constexpr regime supervision_of(std::size_t reach) {
    return {.runs = 40, .trouble = 3000, .settling = 2000 + watchful(reach).settled_after(),
            .detector = false};
}
inline constexpr regime supervision = supervision_of(1);

inline constexpr auto trees = [](std::size_t n, std::uint64_t seed) {
    return caucus::random_tree(n, seed);
};
inline constexpr auto graphs = [](std::size_t n, std::uint64_t seed) {
    return caucus::random_sparse_graph(n, std::min(n + 1, n * (n - 1) / 2), seed);
};
inline constexpr auto complete_networks = [](std::size_t n, std::uint64_t) {
    return caucus::complete{n};
};

}  // namespace support
