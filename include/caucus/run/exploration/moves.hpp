// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/options.hpp>

#include <cstdint>
#include <tuple>
#include <vector>

namespace caucus {

namespace exploration {

/// The part of a state that is in no process and no channel: who lives, who has yet to start, what
/// may still go wrong. Masks have one bit for each node (or arc).
struct fate {
    std::uint64_t alive = 0;
    std::uint64_t pending = 0;
    std::uint64_t suspected = 0;   // wrongly, by arc from the one who suspects
    std::uint64_t mourned = 0;     // rightly, by arc, if they may return and be trusted again
    std::uint64_t cut = 0;         // by arc
    std::uint64_t budgets = 0;     // a byte a kind, in the order of fault_budget
    std::vector<std::uint16_t> lives;
    std::vector<std::uint32_t> kept;   // index + 1
    std::vector<std::uint32_t> made;   // the process that a node has at the beginning of each life

    static constexpr auto fields(auto& self) {
        return std::tie(self.alive, self.pending, self.suspected, self.mourned, self.cut,
                        self.budgets, self.lives, self.kept, self.made);
    }
};

/// One thing that can happen, and to whom.
struct action {
    enum class kind : std::uint8_t {
        start, deliver, expire, crash, restart, amnesia, lose, duplicate, suspect, mistrust, trust,
        welcome, cut, mend
    };
    kind what = kind::start;
    std::uint32_t node = 0;
    std::uint32_t arc = 0;      // lose, cut …: the link; suspicions: towards whom
    std::uint32_t place = 0;    // of the message in its channel
    std::uint32_t value = 0;    // the message or timer
    bool cut_short = false;     // the node crashed before its handler was through

    /// Faults need not happen, so fairness does not ask for them. A perfect detector must speak:
    /// its words are no faults.
    bool is_fault() const {
        const bool is_known = what == kind::suspect || what == kind::welcome;
        return (what >= kind::crash && !is_known) || cut_short;
    }
};

struct rules {
    bool fifo = true;
    timers when = timers::after_messages;
    starting starts = starting::at_once;
    fault_budget faults = {};
    bool perfect_detector = false;
    bool starts_are_free = false;   // a pending start may never come
};

}  // namespace exploration
}  // namespace caucus
