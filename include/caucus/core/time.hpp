// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace caucus {

/// Time and delays are whole ticks; what a tick is (a round, a microsecond), executors decide.
using ticks = std::uint64_t;

/// Later than everything that happens.
inline constexpr ticks never = ~ticks{0};

/// The moment `delay` after `now`; saturates instead of wrapping into the past.
constexpr ticks after(ticks now, ticks delay) { return delay < never - now ? now + delay : never; }

/// `count` delays one after another; saturates, too.
constexpr ticks times(ticks count, ticks delay) {
    return delay != 0 && count > never / delay ? never : count * delay;
}

}  // namespace caucus
