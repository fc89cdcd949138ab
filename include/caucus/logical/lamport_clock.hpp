// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tuple>

namespace caucus {

/// A count that never falls behind what it has heard: if one event can have been the cause of
/// another, its stamp is the smaller one. The converse does not hold.
///
/// Source    Lamport, CACM 21(7), 1978
class lamport_clock {
public:
    /// Of the last event that it knows of, here or elsewhere.
    constexpr std::uint64_t now() const { return now_; }

    /// An event of its own, such as a message sent: what it is stamped with.
    constexpr std::uint64_t tick() { return ++now_; }

    /// A stamp from elsewhere. The paper lets its arrival be an event, too: `tick` does that.
    constexpr void learn(std::uint64_t stamp) {
        if (now_ < stamp) now_ = stamp;
    }

    static constexpr auto fields(auto& self) { return std::tie(self.now_); }

private:
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
