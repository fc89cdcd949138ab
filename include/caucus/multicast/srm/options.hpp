// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace caucus {

/// The role of what says for how long session messages go on.
struct sessions {};

/// One in each interval, for ever, as in the paper.
struct endless_sessions {
    using decides = sessions;
    static constexpr bool perpetual = true;
};
/// So many since it last heard of a new packet, and then silence. If all of them are lost that a
/// member was to hear, from everybody, a lost last packet is not noticed there before the next;
/// and who comes later hears of nothing before.
struct sessions_after_news {
    using decides = sessions;
    static constexpr bool perpetual = false;
    unsigned count = 4;
};

struct srm_options {
    double c1 = 2;                     // a request waits from c1·d to (c1+c2)·d, where d is the
    double c2 = 2;                     // distance to the source; as in the paper
    std::optional<double> d1{};        // a repair from d1·d to (d1+d2)·d, where d is the distance
    std::optional<double> d2{};        // to who asks; log10 of the group's size, as in the paper
    std::size_t group = 0;             // how many there are; 0: it, and one behind each port
    std::size_t members = 64;          // remembered: sources, each life for one; and distances
    std::size_t window = 64;           // packets of each source: the last ones
    ticks interval = 1000;             // from one session message to the next
    unsigned rounds = 16;              // of requests without a repair: then the packet is missed
    unsigned doublings = 8;            // of the wait between requests: fewer make it shorter

    /// Refuses what makes no sense, and waits that ticks could not count.
    constexpr srm_options checked() const {
        for (const double factor : {c1, c2, d1.value_or(0), d2.value_or(0)})
            if (!(factor >= 0 && factor <= 1000))
                refuse("srm: a factor c1, c2, d1 or d2 is not from 0 to 1000");
        if (c1 + c2 == 0) refuse("srm: no time between two requests: c1 and c2 are 0");
        if (members == 0 || window == 0 || members >> 20 != 0 || window >> 20 != 0)
            refuse("srm: ", members, " members with ", window, " packets each; need 1 to 2^20");
        if (interval == 0) refuse("srm: no time between two session messages");
        if (rounds == 0 || rounds > 250 || doublings > 16)
            refuse("srm: ", std::size_t{rounds}, " rounds with ", std::size_t{doublings},
                   " doublings; need 1 to 250, and at most 16");
        return *this;
    }
};

namespace detail {

/// Of packets: no source gets so far, and whoever says so would push everything out of the window.
inline constexpr std::uint64_t numbers_max = std::uint64_t{1} << 62;

/// Off by less than 10^-6, and the same on every machine; x at least 1.
constexpr double log10(double x) {
    double log = 0;
    for (; x >= 10; x /= 10) ++log;
    for (double bit = 0.5; bit > 1e-7; bit /= 2) {
        x *= x;
        if (x < 10) continue;
        x /= 10;
        log += bit;
    }
    return log;
}

/// For one timer of each packet, and that of the sessions.
template <class Storage>
struct room_for_packets {
    using type = heap_storage;
};
template <std::size_t N>
struct room_for_packets<inplace_storage<N>> {
    using type = inplace_storage<N * N + 1>;
};

}  // namespace detail

}  // namespace caucus
