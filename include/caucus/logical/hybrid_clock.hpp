// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>

#include <cstdint>
#include <tuple>

namespace caucus {

/// A time that somebody's clock showed, and a count of what has happened since on one chain of
/// causes. A cause has the smaller stamp.
struct hybrid_stamp {
    ticks time = 0;
    std::uint32_t count = 0;

    friend constexpr bool operator<(const hybrid_stamp& a, const hybrid_stamp& b) {
        return a.time != b.time ? a.time < b.time : a.count < b.count;
    }
    friend constexpr bool operator==(const hybrid_stamp&, const hybrid_stamp&) = default;
};

struct hybrid_clock_options {
    ticks drift_max = 0;   // no two processes' clocks show times that are further apart
};

/// Stamps that respect causes, as a Lamport clock's do, and are close to physical time. That is
/// given with each event and never read here; where it stands still, this is a Lamport clock.
///
///     hybrid_clock mine{{.drift_max = 500}};
///     const hybrid_stamp sent = mine.tick(now);          // an event of one's own
///     if (!mine.learn(theirs, now)) …                    // a message has come: drop it
///     mine.now();                                        // the stamp of that, or of its event
///
/// Safety    if one event can have been the cause of another, its stamp is the smaller one, even if
///           clocks go backwards. Its time is the latest that any clock showed at an event among
///           its causes, or at itself: so it is never behind its own clock
/// Drift     while clocks are no further apart than drift_max, nothing is refused, no stamp is
///           ahead of its process's clock by more, and no count exceeds n(drift_max+1) for n
///           processes of at most one event a tick. What claims a later time than that is refused,
///           or one fast clock would draw all others along; its own process goes on, and is refused
///           until the others' clocks have caught up
/// Overflow  after 2^32 events without a tick the count goes on in the next tick, one ahead of the
///           clocks; a stranger's stamp that is at its end can bring that about
/// Source    Kulkarni, Demirbas, Madappa, Avva, Leone, OPODIS 2014
class hybrid_clock {
public:
    constexpr explicit hybrid_clock(hybrid_clock_options options)
        : drift_max_(options.drift_max) {}

    /// Of its latest event.
    constexpr const hybrid_stamp& now() const { return now_; }

    /// An event of its own, such as a message sent: what it is stamped with.
    constexpr hybrid_stamp tick(ticks physical) { return advance(now_, physical); }

    /// A message has come that was stamped so; that is an event, too, and now() its stamp.
    /// False: refused, it claims a time that no clock can show. Nothing has happened.
    constexpr bool learn(const hybrid_stamp& sent, ticks physical) {
        if (sent.time > after(physical, drift_max_)) return false;
        advance(now_ < sent ? sent : now_, physical);
        return true;
    }

    static constexpr auto fields(auto& self) { return std::tie(self.now_); }

private:
    static constexpr std::uint32_t last = ~std::uint32_t{0};

    /// Later than its latest cause, and not before the present.
    constexpr hybrid_stamp advance(hybrid_stamp cause, ticks physical) {
        if (cause.time < physical) return now_ = {physical, 0};
        if (cause.count != last) return now_ = {cause.time, cause.count + 1};
        if (cause.time != never) return now_ = {cause.time + 1, 0};
        return now_ = cause;   // the end of time
    }

    hybrid_stamp now_{};
    ticks drift_max_;
};

}  // namespace caucus
