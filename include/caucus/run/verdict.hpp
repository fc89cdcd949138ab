// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/trace/story.hpp>

#include <cstdint>
#include <string>

namespace caucus {

/// What an exploration found.
struct verdict {
    struct range {
        std::uint64_t least = 0;       // never: no schedule ends
        std::uint64_t most = 0;        // never: without bound
        bool known = false;
    };

    bool holds = false;          // every property, on everything that was explored
    bool complete = false;       // all that can happen was explored
    std::string limit;           // if a limit stopped the exploration: its name
    /// False: a handler did two things for one input, or two processes that look the same did.
    bool deterministic = true;
    story counterexample;

    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t depth = 0;
    range messages;              // over all schedules that end
    std::uint64_t longest_chain = 0;   // of messages, if `chains` was set; never: without bound
    double seconds = 0;
    double bytes_per_state = 0;        // all told, without the edges
    double edge_bytes_per_state = 0;   // for least and most messages, and for cycles
    double omissions_bound = 0;        // the probability that a fingerprint hid a state, at most
    std::string reductions;            // what was in force

    double states_per_second() const {
        return seconds == 0 ? 0 : static_cast<double>(states) / seconds;
    }
    bool verified() const { return holds && complete && deterministic; }
};

}  // namespace caucus
