// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::detail {

/// A set of unordered pairs of different nodes: open addressing, at most three quarters full.
class pair_set {
public:
    constexpr explicit pair_set(std::size_t capacity) {
        std::size_t slots = 4;
        while (slots / 4 * 3 < capacity) slots *= 2;
        slots_.resize(slots, vacant);
    }

    /// True if the pair was not there yet.
    constexpr bool insert(std::size_t a, std::size_t b) {
        const std::uint64_t pair = key(a, b);
        std::uint64_t& slot = slots_[find(pair)];
        const bool fresh = slot == vacant;
        slot = pair;
        return fresh;
    }
    constexpr bool contains(std::size_t a, std::size_t b) const {
        return slots_[find(key(a, b))] != vacant;
    }

private:
    static constexpr std::uint64_t vacant = 0;   // no key: that pair would be a self-loop at 0

    static constexpr std::uint64_t key(std::size_t a, std::size_t b) {
        return a < b ? std::uint64_t{a} << 32 | b : std::uint64_t{b} << 32 | a;
    }
    constexpr std::size_t find(std::uint64_t pair) const {
        std::size_t i = mix(pair) & (slots_.size() - 1);
        while (slots_[i] != vacant && slots_[i] != pair) i = (i + 1) & (slots_.size() - 1);
        return i;
    }

    std::vector<std::uint64_t> slots_;
};

}  // namespace caucus::detail
