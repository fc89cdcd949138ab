// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/fate.hpp>

#include <cstddef>
#include <cstdint>

namespace caucus::exploration {

/// The options of an exploration that do not depend on the processes.
struct settings {
    caucus::initiators initiators;
    reduction reduce;
    rules how;
    caucus::orders orders;
    std::uint64_t max_states;
    std::uint64_t max_depth;
    std::uint64_t max_memory;
    bool count_messages;
    fingerprint recognise;
    std::size_t threads;
    bool progress;
    bool chains = false;   // also the longest causal chain: a second exploration
};

}  // namespace caucus::exploration
