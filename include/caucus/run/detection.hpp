// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/time.hpp>
#include <caucus/run/delay.hpp>

#include <cstddef>
#include <variant>

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
    constexpr detector_model(perfect p) : what_(p) {}
    constexpr detector_model(eventual e) : what_(e) {}
    detector_model(const by_hand&) {}

    constexpr bool watches() const { return what_.index() != 0; }
    constexpr bool is_perfect() const { return what_.index() == 1; }
    constexpr ticks delay() const {
        if (const auto* p = std::get_if<perfect>(&what_)) return p->delay == 0 ? 1 : p->delay;
        const auto* e = std::get_if<eventual>(&what_);
        return e == nullptr || e->delay == 0 ? 1 : e->delay;
    }
    /// How often wrong, and until when.
    constexpr std::size_t wrong() const {
        const auto* e = std::get_if<eventual>(&what_);
        return e == nullptr ? 0 : e->wrong;
    }
    constexpr ticks until() const {
        const auto* e = std::get_if<eventual>(&what_);
        return e == nullptr ? 0 : e->until;
    }

    void check() const {
        if (wrong() == 0) return;
        if (wrong() > 1'000'000)
            refuse("eventual: ", wrong(), " wrong suspicions; a million at most");
        if (until() < 2 || until() == never)
            refuse("eventual: wrong until ", until(), "; need 2 at least, and some time an end");
    }

private:
    std::variant<no_detector, perfect, eventual> what_;
};

}  // namespace caucus
