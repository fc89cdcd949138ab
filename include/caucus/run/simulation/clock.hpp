// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>

#include <cstdint>

namespace caucus::simulation {

/// A node's clock, which runs fast or slow by some parts in a million of true time. Exact for all
/// ticks and saturating at `never`, in whole numbers of at most 64 bits.
class drifting_clock {
public:
    /// A timer's true deadline, the first tick at which its local time is over; and by how many
    /// millionths of a local tick that is late.
    struct deadline {
        ticks at = 0;
        std::uint32_t late = 0;
    };

    constexpr ticks local(ticks now) const {
        return after(local_, divided(elapsed(now), million).whole);
    }

    /// `delay` local ticks from `now` on, but at least one true tick.
    constexpr deadline due(ticks now, ticks delay) const {
        return due_in(now, times(delay, million));
    }

    /// From `now` on it runs fast by that many parts in a million: more than minus a million.
    constexpr void drift(ticks now, std::int32_t parts_per_million) {
        const quotient shown = divided(elapsed(now), million);
        local_ = after(local_, shown.whole);
        part_ = shown.rest;
        at_ = now;
        pace_ = static_cast<std::uint32_t>(std::int64_t{million} + parts_per_million);
    }

    /// The deadline of a timer that this clock has set, once `changed` takes over: what is left of
    /// its local time runs at the new pace. What is due by now stays due, and never is never.
    constexpr deadline moved_to(const drifting_clock& changed, ticks now, deadline due) const {
        if (due.at <= now || due.at == never) return due;
        return changed.due_in(now, less(times(due.at - now, pace_), due.late));
    }

private:
    static constexpr std::uint32_t million = 1'000'000;

    /// high · 2^32 + low: a number of ticks times less than 2^32.
    struct product {
        std::uint64_t high;
        std::uint64_t low;    // less than 2^32
    };
    struct quotient {
        ticks whole;          // never, if it is too large
        std::uint32_t rest;
    };

    static constexpr product times(ticks n, std::uint32_t factor) {
        const std::uint64_t low = (n & 0xffffffffu) * factor;
        return {(n >> 32) * factor + (low >> 32), low & 0xffffffffu};
    }
    static constexpr product plus(product p, std::uint32_t more) {
        const std::uint64_t low = p.low + more;
        return {p.high + (low >> 32), low & 0xffffffffu};
    }
    static constexpr product less(product p, std::uint32_t much) {
        if (p.low >= much) return {p.high, p.low - much};
        return {p.high - 1, p.low + (std::uint64_t{1} << 32) - much};
    }
    static constexpr quotient divided(product p, std::uint32_t by) {
        const std::uint64_t low = p.high % by << 32 | p.low;
        const auto rest = static_cast<std::uint32_t>(low % by);
        if (p.high / by >> 32 != 0) return {never, rest};
        return {p.high / by << 32 | low / by, rest};
    }

    /// In millionths of a local tick since `at_`, where it showed `local_`.
    constexpr product elapsed(ticks now) const { return plus(times(now - at_, pace_), part_); }

    /// Rounded up: whoever looks at its clock when a timer fires must not find that it is too soon.
    constexpr deadline due_in(ticks now, product millionths) const {
        quotient wait = divided(millionths, pace_);
        if (wait.whole == 0 && wait.rest == 0) return {after(now, 1), pace_};
        if (wait.rest == 0) return {after(now, wait.whole), 0};
        return {after(now, after(wait.whole, 1)), pace_ - wait.rest};
    }

    ticks at_ = 0;
    ticks local_ = 0;
    std::uint32_t part_ = 0;          // millionths of a local tick, not shown yet
    std::uint32_t pace_ = million;    // millionths of a local tick in a true one
};

}  // namespace caucus::simulation
