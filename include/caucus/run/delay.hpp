// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/compiled.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/random.hpp>
#include <caucus/core/time.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace caucus {

// How long messages take, in whole ticks, at least one. All arithmetic is on integers: the same
// seed gives the same delays on every machine.

/// Every message takes one tick.
struct unit {
    constexpr ticks draw(random_source&) const { return 1; }
};

/// Anything from `least` to `most`, equally likely.
struct uniform {
    ticks least = 1;
    ticks most = 10;

    constexpr ticks draw(random_source& bits) const { return least + bits.below(most - least + 1); }
};

namespace detail {

/// log2(1 + i/256) in units of 2^-32, by repeated squaring.
struct log_table {
    constexpr log_table() {
        for (std::uint64_t i = 0; i < 256; ++i) {
            std::uint64_t x = (256 + i) << 22;   // from 1 to 2, in units of 2^-30
            for (int digit = 0; digit < 32; ++digit) {
                x = x * x >> 30;
                const std::uint64_t carry = x >> 31;
                x >>= carry;
                entries[i] = entries[i] << 1 | carry;
            }
        }
        entries[256] = std::uint64_t{1} << 32;
    }
    std::uint64_t entries[257] = {};
};
inline constexpr log_table logs;

/// -ln(u / 2^64) in units of 2^-32, for u > 0; off by less than 1 in 10,000.
constexpr std::uint64_t minus_log(std::uint64_t u) {
    const int zeros = std::countl_zero(u);
    const std::uint64_t mantissa = u << zeros << 1;          // what follows the leading one
    const std::uint64_t slot = mantissa >> 56;
    const std::uint64_t rest = mantissa >> 24 & 0xffffffffu;
    const std::uint64_t low = logs.entries[slot];
    const std::uint64_t log2 = low + ((logs.entries[slot + 1] - low) * rest >> 32);
    const std::uint64_t minus_log2 = ((static_cast<std::uint64_t>(zeros) + 1) << 32) - log2;
    constexpr std::uint64_t ln2 = 2977044472;                // in units of 2^-32
    return (minus_log2 >> 32) * ln2 + ((minus_log2 & 0xffffffffu) * ln2 >> 32);
}

}  // namespace detail

/// Memoryless: 1 + an exponential delay, rounded down, so that the mean is about `mean`.
struct exponential {
    ticks mean = 10;

    constexpr ticks draw(random_source& bits) const {
        const std::uint64_t scale = 2 * mean - 1;   // half a tick less, as we round down
        const std::uint64_t log = detail::minus_log(bits.bits() | 1);
        return 1 + ((log >> 32) * scale + ((log & 0xffffffffu) * scale >> 32)) / 2;
    }
};

/// Most are quick, a few take for ever: P(delay >= x) = least/x, cut off at `most`. What finds the
/// bugs that uniform jitter does not.
struct heavy_tailed {
    ticks least = 1;
    ticks most = 1000;

    constexpr ticks draw(random_source& bits) const {
        const std::uint64_t u = (bits.bits() >> 32) + 1;   // 1 … 2^32
        const std::uint64_t stretched = (least << 32) / u;
        return stretched < most ? stretched : most;
    }
};

/// One fixed delay for each arc of the topology.
struct per_link {
    std::vector<ticks> delays;
};

/// A message that asks for its delay.
struct hop {
    node from;
    port out;
    node to;
    ticks sent = 0;
    std::size_t arc = 0;
};

/// Any rule: a script, an adversary, a measured distribution.
struct by_hand {
    std::function<ticks(const hop&, random_source&)> rule;
};

/// One of the above. Written out and not a std::variant of them, whose every copy would instantiate
/// hundreds of functions in every program that simulates.
class delay_model {
public:
    delay_model() = default;
    delay_model(unit) {}
    delay_model(uniform u) : what_(kind::uniform), least_(u.least), most_(u.most) {}
    delay_model(exponential e) : what_(kind::exponential), least_(e.mean) {}
    delay_model(heavy_tailed h)
        : what_(kind::heavy_tailed), least_(h.least), most_(h.most) {}
    delay_model(per_link l) : what_(kind::per_link), delays_(std::move(l.delays)) {}
    delay_model(by_hand b) : what_(kind::by_hand), rule_(std::move(b.rule)) {}

    constexpr bool is_unit() const { return what_ == kind::unit; }

    /// Is a later message on the same link always later to arrive, whatever is drawn?
    constexpr bool keeps_order() const { return is_unit() || what_ == kind::per_link; }

    /// Refuses what makes no sense on a topology with that many arcs.
    void check(std::size_t arcs) const;

    ticks draw(const hop& h, random_source bits) const {
        switch (what_) {
            case kind::unit: return 1;
            case kind::uniform: return uniform{least_, most_}.draw(bits);
            case kind::exponential: return exponential{least_}.draw(bits);
            case kind::heavy_tailed: return heavy_tailed{least_, most_}.draw(bits);
            case kind::per_link: return delays_[h.arc];
            case kind::by_hand: break;
        }
        const ticks delay = rule_(h, bits);
        return delay == 0 ? 1 : delay;
    }

private:
    enum class kind : std::uint8_t { unit, uniform, exponential, heavy_tailed, per_link, by_hand };

    kind what_ = kind::unit;
    ticks least_ = 0;   // of an exponential delay: the mean
    ticks most_ = 0;
    std::vector<ticks> delays_;
    std::function<ticks(const hop&, random_source&)> rule_;
};

#ifdef CAUCUS_INLINE
CAUCUS_INLINE void delay_model::check(std::size_t arcs) const {
    switch (what_) {
        case kind::unit: return;
        case kind::uniform:
            if (least_ == 0 || most_ < least_)
                refuse("uniform: delays from ", least_, " to ", most_, "; need 1 <= least <= most");
            if (most_ >> 62 != 0)
                refuse("uniform: delays up to ", most_, "; need less than 2^62");
            return;
        case kind::exponential:
            if (least_ == 0 || least_ >> 31 != 0)
                refuse("exponential: a mean delay of ", least_, "; need 1 to 2^31-1");
            return;
        case kind::heavy_tailed:
            if (least_ == 0 || most_ < least_ || least_ >> 31 != 0)
                refuse("heavy_tailed: delays from ", least_, " to ", most_,
                       "; need 1 <= least <= most, and least < 2^31");
            return;
        case kind::per_link:
            if (delays_.size() != arcs)
                refuse("per_link: ", delays_.size(), " delays for ", arcs, " arcs");
            for (std::size_t arc = 0; arc < arcs; ++arc)
                if (delays_[arc] == 0)
                    refuse("per_link: the delay of arc ", arc, " is 0; need at least 1");
            return;
        case kind::by_hand:
            if (!rule_) refuse("by_hand: there is no rule");
    }
}
#endif

}  // namespace caucus
