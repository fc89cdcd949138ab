// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace caucus {

/// Scatters the bits of x: the finaliser of SplitMix64, a bijection.
constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Folds y into the running hash x; the order of folding matters.
constexpr std::uint64_t mix(std::uint64_t x, std::uint64_t y) {
    return mix(x * 0x9e3779b97f4a7c15u + mix(y + 0x9e3779b97f4a7c15u));
}

/// A seeded source of bits: SplitMix64. The same seed gives the same draws on every compiler and
/// standard library, which the distributions of <random> do not.
///
/// Source    Steele, Lea & Flood, OOPSLA 2014
class random_source {
public:
    constexpr explicit random_source(std::uint64_t seed) : state_(seed) {}

    constexpr std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15u); }

    /// A fair draw from 0 … bound-1; bound > 0.
    constexpr std::uint64_t below(std::uint64_t bound) {
        // Draws under 2^64 mod bound are thrown away: without that, low results are favoured.
        const std::uint64_t uneven = (0 - bound) % bound;
        std::uint64_t draw = bits();
        while (draw < uneven) draw = bits();
        return draw % bound;
    }

    /// True with that probability. For 0 nothing is drawn: the other draws stay as they were.
    constexpr bool happens(double probability) {
        constexpr double two_to_53 = 9007199254740992.0;
        return probability > 0 && static_cast<double>(bits() >> 11) < probability * two_to_53;
    }

    /// A fair permutation of the range, in place (Fisher & Yates).
    constexpr void shuffle(auto& range) {
        for (std::size_t i = range.size(); i > 1; --i) {
            const auto j = static_cast<std::size_t>(below(i));
            auto held = range[i - 1];
            range[i - 1] = range[j];
            range[j] = held;
        }
    }

private:
    std::uint64_t state_;
};

}  // namespace caucus
