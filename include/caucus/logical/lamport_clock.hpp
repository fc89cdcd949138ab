// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

namespace caucus {

/// A count that never falls behind what it has heard: if one event can have been the cause of
/// another, its stamp is the smaller one. The converse does not hold.
///
/// Overflow  the numbers last for 2^64 events, and no stamp makes it leap over more than leap_max
///           of them: one message from a stranger would else use them up, 2^32 must do so now. Who
///           has missed more than leap_max events is told that it refuses to learn of them: its
///           next stamps are smaller than theirs. At the last number it stays
/// Source    Lamport, CACM 21(7), 1978
class lamport_clock {
public:
    static constexpr std::uint64_t leap_max = std::uint64_t{1} << 32;

    /// Of the last event that it knows of, here or elsewhere.
    constexpr std::uint64_t now() const { return now_; }
    /// There are no more numbers: all events from now on have the same.
    constexpr bool is_used_up() const { return now_ == last; }

    /// An event of its own, such as a message sent: what it is stamped with.
    constexpr std::uint64_t tick() { return is_used_up() ? now_ : ++now_; }

    /// A stamp from elsewhere. The paper lets its arrival be an event, too: `tick` does that.
    /// False: refused, it is too far ahead to be believed.
    constexpr bool learn(std::uint64_t stamp) {
        if (stamp <= now_) return true;
        if (stamp - now_ > leap_max) return false;
        now_ = stamp;
        return true;
    }

    static constexpr auto fields(auto& self) { return std::tie(self.now_); }

private:
    static constexpr std::uint64_t last = ~std::uint64_t{0};

    std::uint64_t now_ = 0;
};

/// Events in one order for all: by clock, and where clocks are equal, by id.
template <class Id>
struct stamp {
    std::uint64_t clock = 0;
    Id id{};

    friend constexpr bool operator<(const stamp& a, const stamp& b) {
        return a.clock != b.clock ? a.clock < b.clock : a.id < b.id;
    }
    friend constexpr bool operator==(const stamp& a, const stamp& b) {
        return a.clock == b.clock && a.id == b.id;
    }
};

}  // namespace caucus
