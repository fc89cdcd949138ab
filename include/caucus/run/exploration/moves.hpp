// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/explore_options.hpp>
#include <caucus/trace/story.hpp>

#include <cstdint>
#include <tuple>
#include <vector>

namespace caucus::exploration {

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

struct rules {
    bool fifo = true;
    timers when = timers::after_messages;
    starting starts = starting::at_once;
    fault_budget faults = {};
    bool perfect_detector = false;
    bool starts_are_free = false;   // a pending start may never come
};

}  // namespace caucus::exploration
