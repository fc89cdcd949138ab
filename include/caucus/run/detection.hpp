// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/time.hpp>
#include <caucus/run/delay.hpp>

#include <cstddef>

namespace caucus {

// Who suspects whom in a simulation, unless the processes find out for themselves.

/// Nobody, unless by hand: `net.suspect(v, port)`.
struct no_detector {};

/// Whoever crashed, and only those: `delay` ticks (at least one) after the crash, or after the last
/// message on the link has arrived if that is later. Whoever restarts is trusted again.
struct perfect {
    ticks delay = 1;
};

/// As quick, but wrong that many times before `until`: a living neighbour is suspected, and trusted
/// again no later than `until`. The dead are suspected even while their messages are under way.
struct eventual {
    ticks delay = 1;
    std::size_t wrong = 10;
    ticks until = 1000;
};

/// One of the above. `by_hand{}` is as good as no_detector.
class detector_model {
public:
    constexpr detector_model() = default;
    constexpr detector_model(no_detector) {}
    constexpr detector_model(perfect p) : watches_(true), perfect_(true), delay_(p.delay) {}
    constexpr detector_model(eventual e)
        : watches_(true), delay_(e.delay), wrong_(e.wrong), until_(e.until) {}
    detector_model(const by_hand&) {}

    constexpr bool watches() const { return watches_; }
    constexpr bool is_perfect() const { return perfect_; }
    constexpr ticks delay() const { return delay_ == 0 ? 1 : delay_; }
    /// How often wrong, and until when.
    constexpr std::size_t wrong() const { return wrong_; }
    constexpr ticks until() const { return until_; }

    void check() const {
        if (wrong() == 0) return;
        if (wrong() > 1'000'000)
            refuse("eventual: ", wrong(), " wrong suspicions; a million at most");
        if (until() < 2 || until() == never)
            refuse("eventual: wrong until ", until(), "; need 2 at least, and some time an end");
    }

private:
    bool watches_ = false;
    bool perfect_ = false;
    ticks delay_ = 1;
    std::size_t wrong_ = 0;
    ticks until_ = 0;
};

}  // namespace caucus
