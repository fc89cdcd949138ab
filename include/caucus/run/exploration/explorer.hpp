// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/narrator.hpp>
#include <caucus/run/exploration/search.hpp>
#include <caucus/run/exploration/settings.hpp>
#include <caucus/run/exploration/time_fairness.hpp>
#include <caucus/run/verdict.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

// How explore works, and in which file. Begin here.
//
// An exploration visits every state that the processes can reach, whatever the schedule. States are
// many and processes may be large: so it works with numbers instead of values, and does each thing
// once that it can look up afterwards.
//
// 1. Intern (table, value_tables, state_space, fate, wiring). Every distinct process, message,
//    timer, content of an arc and set of armed timers gets a number when it comes up first. A state
//    is a row of these numbers. Equal values have equal numbers, so equal states are equal rows: a
//    state is copied, hashed and compared as a few words, however large the processes are. The hash
//    is a sum over the places of a row, so that of a successor follows from the two or three that
//    changed.
//
// 2. Memoise (handler_memo, handlers, lookalikes, channels, alarms, decisions). What a handler does
//    depends on the process and the input alone. So it is run when such a pair comes up first
//    (twice, to find out whether it is deterministic, if possible on two values that have the same
//    description; and once more for each way its coins can fall) and looked up afterwards, as are
//    the contents of arcs and the sets of timers. There are far fewer pairs than transitions:
//    nearly all of the search runs no code of the user's. And only `handlers` and `property_set_of`
//    know the type of the processes; all the rest is compiled once.
//
// 3. Search (beginnings, world, expansion, misfortunes, search, worklist, visited, reductions,
//    sleep_bits, thread_pool). `beginnings` makes the roots and `world` lists all that can happen
//    in a state, always in the same order; `search` goes on from there, breadth first, and
//    recognises a state that it has seen by a fingerprint in `visited`. The threads of a pool only
//    look things up; what is not known yet is left to one of them, so no table needs a lock.
//    `reductions` leaves out what cannot make a difference.
//
// 4. Check (property_set, state_graph, cycles, time_fairness). `always` and `sometimes` are checked
//    in each new state. `finally` is checked when the search is over: in the states in which
//    nothing more happens, and on the cycles of the state graph that a fair schedule can go round
//    for ever.
//
// 5. Narrate (narrator). Of each state the search keeps its parent and a number, no more. If a
//    property is broken, the narrator goes from the root to that state again, by these numbers,
//    and writes down the story.
//
// `explorer` has these stages done in turn, and makes the verdict. `explore_by_number` is all that
// explore.hpp sees of it, so that it can be compiled elsewhere (core/compiled.hpp). `chained`
// stands between explorer and handlers to find the longest chain of messages.

namespace caucus::exploration {

/// Searches, checks, and tells what it found.
class explorer {
public:
    explorer(wiring topology, handler_memo& known, const property_set& properties,
             const settings& options)
        : options_(options), properties_(properties),
          world_(std::move(topology), options.how, known),
          roots_(world_, options.initiators, options.orders, properties.is_about_any_node()) {
        std::size_t finals = 0;
        for (std::size_t i = 0; i < properties_.size(); ++i)
            finals += properties_.mode(i) == mode::finally;
        if (finals > search::finals_most)
            refuse("explore: ", finals, " properties with finally, and ", search::finals_most,
                   " at most");
        constexpr std::size_t threads_most = 1024;
        if (options.threads > threads_most)
            refuse("explore: ", options.threads, " threads, and ", threads_most, " at most");
    }

    explorer(const explorer&) = delete;   // roots_ refers to world_
    explorer& operator=(const explorer&) = delete;

    verdict run() {
        const double begin = seconds_now();
        verdict v = attempt(options_.reduce, options_.max_states, options_.max_depth);
        // Whether a cycle is fair depends on all actions that were possible on it, and reductions
        // leave some out: explore again without them.
        if (doubtful_)
            v = attempt(reduction::none, options_.max_states, options_.max_depth);
        else if (longer_than_need_be_)
            shorten(v);
        v.seconds = seconds_now() - begin;
        return v;
    }

private:
    using state = world::state;

    /// Looks for the same mistake without reductions, no deeper than it was found. If that search
    /// hits its limit of states first, a shorter counterexample may exist.
    void shorten(verdict& longer) {
        constexpr std::uint64_t states_most = 1u << 22;
        verdict v = attempt(reduction::none, std::min(options_.max_states, states_most),
                            longer.counterexample.size());
        if (v.holds) longer.counterexample.shortest = false;
        else longer.counterexample = std::move(v.counterexample);
    }

    verdict attempt(reduction reduce, std::uint64_t max_states, std::uint64_t max_depth) {
        doubtful_ = false;
        longer_than_need_be_ = false;
        rotations_ = includes(reduce, reduction::rotations) && is_symmetric();
        search s{world_, properties_,
                 {max_states, max_depth, options_.max_memory, options_.recognise, chosen_of(reduce),
                  options_.count_messages || properties_.waits_for_the_end(),
                  std::max<std::size_t>(options_.threads, 1)}};
        double last_time = seconds_now();
        const auto tell_progress = [&](const search& so_far) {
            if (!options_.progress) return;
            const double now = seconds_now();
            if (now - last_time < 2) return;
            last_time = now;
            std::fprintf(stderr, "explore: %zu states, depth %zu, %zu MiB\n", so_far.states(),
                         static_cast<std::size_t>(so_far.depth), so_far.bytes() >> 20);
        };
        roots_.each([&](const state& row, std::uint64_t hash, std::uint64_t messages,
                        const origin& from) {
            state least = row;
            const bool rotated = rotations_ && world_.rotate_to_least(least) != 0;
            if (rotated) hash = world_.hash_of(least.data());
            const bool more = s.add_root(least, hash, messages, from);
            tell_progress(s);
            return more;
        });
        s.run(tell_progress);
        return verdict_of(s);
    }

    /// Rotations go with no other reduction. Sleep sets leave out edges, and with them cycles that
    /// a `finally` is about.
    reduction chosen_of(reduction wanted) const {
        if (rotations_) return reduction::rotations;
        reduction chosen = reduction::none;
        if (includes(wanted, reduction::sleep) && !properties_.waits_for_the_end())
            chosen = chosen | reduction::sleep;
        if (includes(wanted, reduction::ample)) chosen = chosen | reduction::ample;
        return chosen;
    }

    /// A ring of equal nodes that all start at once: a rotated state behaves as the state does.
    bool is_symmetric() {
        const bool all_start = options_.initiators.what() == initiators::kind::all &&
                               world_.how().starts == starting::at_once;
        return all_start && world_.how().undisturbed() && roots_.may_rotate() &&
               world_.all_made_equal();
    }

    verdict verdict_of(search& s) {
        verdict v;
        v.deterministic = !world_.handlers().is_nondeterministic();
        v.states = s.states();
        v.transitions = s.transitions;
        v.depth = s.depth;
        v.limit = s.stopped_by != nullptr ? s.stopped_by : "";
        v.bytes_per_state = static_cast<double>(s.bytes()) / static_cast<double>(s.states());
        v.edge_bytes_per_state =
            static_cast<double>(s.edge_bytes()) / static_cast<double>(s.states());
        v.omissions_bound = omissions(static_cast<double>(v.states), options_.recognise);
        v.reductions = s.in_force();
        const bool found = s.broken_state() != search::none;
        if (v.limit.empty() && s.reached_beyond && !found) v.limit = "within";
        v.complete = v.limit.empty() && !found;
        v.holds = !found && v.deterministic;
        if (!v.deterministic) {
            v.counterexample.property = "every handler";
            v.counterexample.how = "does one thing for one input, but not ";
            v.counterexample.how += world_.handlers().nondeterministic_handler();
            return v;
        }
        if (found) {
            show(v, s, s.broken_state(), s.broken_property(), "is false after");
            return v;
        }
        if (v.complete)
            for (const std::size_t i : s.still_awaited()) blame(v, i, "is never true");
        if (v.holds) check_endings(v, s);
        if (options_.count_messages && v.complete) {
            const bounds b = count_messages(s.graph(), s.roots(),
                                            [&](std::uint32_t i) { return s.ended(i); });
            v.messages = {b.least, b.most, true};
        }
        return v;
    }

    /// Not <chrono>: it takes nearly as long to compile as <vector>, <string> and <functional>.
    static double seconds_now() {
        std::timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
    }

    /// n²/2^65 or n²/2^129: see fingerprint.
    static double omissions(double states, fingerprint kind) {
        if (kind == fingerprint::exact) return 0;
        return states * states / 3.7e19 / (kind == fingerprint::bits128 ? 1.8e19 : 1.0);
    }

    void show(verdict& v, search& s, std::uint32_t at, std::size_t property, const char* how) {
        v.counterexample = narrator{world_, roots_, rotations_}.tell_gathered(s.way_to(at));
        longer_than_need_be_ = s.reduced && !rotations_;
        blame(v, property, how);
    }
    void blame(verdict& v, std::size_t property, const char* how) {
        v.holds = false;
        v.counterexample.property = properties_.name(property);
        v.counterexample.how = how;
    }

    void check_endings(verdict& v, search& s) {
        std::size_t number = 0;
        for (std::size_t i = 0; i < properties_.size() && v.holds; ++i) {
            if (properties_.mode(i) != mode::finally) continue;
            for (std::uint32_t at = 0; at < s.states() && v.holds; ++at) {
                if (!s.ended(at) || s.holds_at(at, number)) continue;
                show(v, s, at, i, "is false when all is over, after");
            }
            if (v.holds && v.complete) check_cycles(v, s, i, number);
            ++number;
        }
    }
    void check_cycles(verdict& v, search& s, std::size_t property, std::size_t number) {
        const state_graph& g = s.graph();
        const bool starts_are_free = world_.how().starts_are_free;
        const auto holds = [&](std::uint32_t at) { return s.holds_at(at, number); };
        if (s.reduced) {
            doubtful_ = doubtful_ || any_cycle_without(g, holds);
            return;
        }
        const auto obliged = [&](const action& a) {
            return !a.is_fault() && !(starts_are_free && a.what == action::kind::start);
        };
        narrator teller{world_, roots_, rotations_};
        const auto row_of = [&](std::uint32_t at) { return teller.end_of(s.way_to(at)); };
        time_fairness time{world_, g, holds, obliged, row_of};
        const auto cycle = fair_cycle_over(
            edges_without(g, holds), g, g.actions, obliged,
            [&](const auto& states, const auto& stays) { return time.passes_on(states, stays); });
        if (!cycle) return;
        const std::uint32_t at = *std::min_element(cycle->states.begin(), cycle->states.end());
        way schedule = s.way_to(at);
        const std::size_t loop = schedule.successors.size();
        std::uint32_t here = at;
        for (const std::uint64_t e :
             way_round(g, *cycle, at, g.actions, obliged, time.ends_of_waits())) {
            schedule.successors.push_back(static_cast<std::uint32_t>(e - g.offsets[here]));
            here = g.edges[e].to;
        }
        v.counterexample = teller.tell(schedule);
        v.counterexample.loop_from = loop;
        blame(v, property, "can be avoided for ever");
    }

    settings options_;
    const property_set& properties_;
    world world_;
    beginnings roots_;
    bool doubtful_ = false;             // a cycle was found under reductions: it may not be fair
    bool longer_than_need_be_ = false;  // a counterexample was found under reductions
    bool rotations_ = false;
};

}  // namespace caucus::exploration
