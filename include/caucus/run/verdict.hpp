// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>
#include <caucus/run/exploration/moves.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace caucus {

/// One event of a story: what happened, to whom, what it drew and sent, and how it reads.
struct story_step {
    struct sending {
        std::uint32_t arc;
        std::uint64_t message;   // its hash
        std::uint32_t to;
        std::string words;
    };

    exploration::action what;
    std::uint64_t value = 0;     // the hash of the message or timer
    std::vector<std::uint32_t> coins;
    std::vector<sending> sent;
    std::string words;
};

/// A schedule, from the beginning. `loop_from`: from that step on it goes round for ever.
struct story {
    std::vector<story_step> opening;  // starting::at_once: the starts, before the first step
    std::vector<story_step> steps;
    std::optional<std::size_t> loop_from;
    std::string property;     // the one that is broken
    std::string how;          // such as "is false after"
    /// False: it was found under reductions, and the search without them hit its limit of states,
    /// so that a shorter one may exist.
    bool shortest = true;
    std::uint64_t starters = 0;           // a bit a node
    std::vector<std::size_t> order;       // order[v]: whose process stands at node v

    /// Reorders the events so that a reader switches between nodes as seldom as possible: a node
    /// goes on as long as it can. Only right if an event depends on nothing but the earlier events
    /// at its node and the message that it receives: not with faults, detectors or timers.
    void gather() {
        std::vector<story_step> rest;
        rest.swap(steps);
        std::vector<std::pair<std::uint32_t, std::uint64_t>> under_way;
        const auto send = [&](const story_step& s) {
            for (const story_step::sending& each : s.sent)
                under_way.push_back({each.arc, each.message});
        };
        const auto arrived = [&](const story_step& s) {
            return std::find(under_way.begin(), under_way.end(),
                             std::pair{s.what.arc, s.value});
        };
        for (const story_step& s : opening) send(s);
        while (!rest.empty()) {
            const auto ready = [&](std::size_t i) {
                for (std::size_t j = 0; j < i; ++j)
                    if (rest[j].what.node == rest[i].what.node) return false;
                return rest[i].what.what != exploration::action::kind::deliver ||
                       arrived(rest[i]) != under_way.end();
            };
            std::size_t chosen = 0;   // the first is always ready
            for (std::size_t i = 0; i < rest.size() && !steps.empty(); ++i) {
                if (rest[i].what.node != steps.back().what.node) continue;
                if (ready(i)) chosen = i;
                break;
            }
            const story_step& step = rest[chosen];
            if (step.what.what == exploration::action::kind::deliver)
                under_way.erase(arrived(step));
            send(step);
            steps.push_back(step);
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(chosen));
        }
    }

    std::size_t size() const { return steps.size(); }
    bool empty() const { return property.empty(); }
    std::string text() const {
        if (property.empty()) return "";
        std::string lines =
            property + " " + how + (opening.empty() && steps.empty() ? "\n" : ":\n");
        for (const story_step& start : opening) lines += "  at first " + start.words + "\n";
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (loop_from == i) lines += "  from here on, again and again:\n";
            lines += "  " + std::to_string(i + 1) + ". " + steps[i].words + "\n";
        }
        return lines;
    }
};

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
    bool deterministic = true;   // false: a handler did two things for one input
    story counterexample;

    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t depth = 0;
    range messages;              // over all schedules that end
    std::uint64_t longest_chain = 0;   // of messages, if `chains` was set; never: without bound
    double seconds = 0;
    double bytes_per_state = 0;        // all told, without the edges
    double edge_bytes_per_state = 0;   // kept for least and most messages, and for cycles
    double omissions_bound = 0;        // the probability that a fingerprint hid a state, at most
    std::string reductions;            // what was in force

    double states_per_second() const {
        return seconds == 0 ? 0 : static_cast<double>(states) / seconds;
    }
    bool verified() const { return holds && complete && deterministic; }
};

}  // namespace caucus
