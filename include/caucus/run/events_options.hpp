// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/compiled.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/port.hpp>
#include <caucus/run/delay.hpp>
#include <caucus/run/detection.hpp>
#include <caucus/run/faults.hpp>
#include <caucus/run/report.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace caucus {

/// How `events` runs.
struct events_options {
    std::uint64_t seed = 1;
    delay_model delay = uniform{1, 10};
    bool fifo = true;                   // per directed link
    fault_plan faults = {};
    detector_model detector = no_detector{};   // or perfect{delay}, eventual{delay, wrong, until}
    detail_level detail = detail_level::automatic;
    bool keep_outcomes = true;          // else they are counted, and told to the observer alone
    bool outside_model = false;         // skip the run-time checks of what the algorithm assumes
    std::uint64_t shuffle_nodes = 0;    // other than 0: visit the nodes of a tick in another order
    bool timers_by_hand = false;  // they run out when `expire` says so, and never by themselves
    std::function<std::size_t(node, std::size_t)> coins = {};  // how choose(k) falls, if not by lot
    std::function<std::size_t(const hop&)> copies = {};  // of a message that arrive, if not one

    /// Refuses what makes no sense, and links that are worse than an algorithm needs.
    void check(guarantee needed) const;
};

#ifdef CAUCUS_INLINE
CAUCUS_INLINE void events_options::check(guarantee needed) const {
    detector.check();
    if (outside_model) return;
    if (!fifo && covers(needed, guarantee::fifo))
        refuse("events: the algorithm needs fifo links; leave fifo on, or say outside_model");
    // By chance only: whoever plans a cut or a partition wants to see what comes of it.
    if (covers(needed, guarantee::reliable) && faults.loses_by_chance())
        refuse("events: the plan loses messages and the algorithm needs reliable links; "
               "wrap it in reliable, or say outside_model");
}
#endif

}  // namespace caucus
