// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/cycles.hpp>
#include <caucus/run/exploration/search.hpp>
#include <caucus/run/verdict.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// The options of an exploration that do not depend on the processes.
struct settings {
    caucus::initiators initiators;
    reduction reduce;
    rules how;
    caucus::orders orders;
    std::uint64_t max_states;
    std::uint64_t max_depth;
    std::uint64_t max_memory;
    bool count_messages;
    fingerprint recognise;
    std::size_t threads;
    bool progress;
};

/// Searches, and tells what it found.
class explorer {
public:
    explorer(wiring topology, brain& mind, const jury& judges, const settings& options)
        : options_(options), jury_(judges), world_(std::move(topology), options.how, mind) {
        std::size_t finals = 0;
        for (std::size_t i = 0; i < jury_.size(); ++i) finals += jury_.mode(i) == mode::finally;
        if (finals > search::finals_most)
            refuse("explore: ", finals, " properties with finally, and ", search::finals_most,
                   " at most");
    }

    verdict run() {
        const auto begin = std::chrono::steady_clock::now();
        verdict v = attempt(options_.reduce, options_.max_states, options_.max_depth);
        // Fairness looks at all that was possible: a cycle is judged without reductions.
        if (doubtful_)
            v = attempt(reduction::none, options_.max_states, options_.max_depth);
        else if (longer_than_need_be_)
            v = shortest(std::move(v));
        v.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return v;
    }

private:
    using state = world::state;

    struct origin {
        std::vector<std::size_t> order;
        std::uint64_t now;
        std::uint64_t later;
        std::size_t which;   // of the roots that its coins give
    };

    /// The same mistake, looked for with nothing left out, no deeper than it was found.
    verdict shortest(verdict longer) {
        constexpr std::uint64_t states_most = 1u << 22;
        const verdict v =
            attempt(reduction::none, std::min(options_.max_states, states_most),
                            longer.counterexample.size());
        if (v.holds) longer.counterexample.shortest = false;
        else longer.counterexample = v.counterexample;
        return longer;
    }

    verdict attempt(reduction reduce, std::uint64_t max_states, std::uint64_t max_depth) {
        origins_.clear();
        doubtful_ = false;
        longer_than_need_be_ = false;
        rotations_ = includes(reduce, reduction::rotations) && is_symmetric();
        search_plan plan{
            max_states,
            max_depth,
            options_.max_memory,
            options_.recognise,
            includes(reduce, reduction::sleep) && !jury_.waits_for_the_end() && !rotations_,
            includes(reduce, reduction::ample) && !rotations_,
            options_.count_messages || jury_.waits_for_the_end(),
            std::max<std::size_t>(options_.threads, 1),
            rotations_};
        search s{world_, jury_, plan};
        add_roots(s);
        auto last_word = std::chrono::steady_clock::now();
        s.run([&](const search& so_far) {
            if (!options_.progress) return;
            const auto now = std::chrono::steady_clock::now();
            if (now - last_word < std::chrono::seconds(2)) return;
            last_word = now;
            std::fprintf(stderr, "explore: %zu states, depth %zu, %zu MiB\n", so_far.states(),
                         static_cast<std::size_t>(so_far.depth), so_far.bytes() >> 20);
        });
        return judge(s);
    }

    /// Does nobody care which node of a ring is which?
    bool may_turn() const {
        return world_.is_a_ring() && jury_.is_about_any_node() &&
               options_.initiators.what() != initiators::kind::given;
    }
    /// A ring of equal nodes, all of which have started.
    bool is_symmetric() {
        const bool all_start = options_.initiators.what() == initiators::kind::all &&
                               world_.how().starts == starting::at_once;
        if (!all_start || options_.how.faults.any() || options_.how.perfect_detector) return false;
        return may_turn() && world_.all_made_equal();
    }

    void add_roots(search& s) {
        const std::size_t n = world_.nodes();
        const std::uint64_t everyone = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
        std::vector<std::size_t> order(n);
        for (std::size_t v = 0; v < n; ++v) order[v] = v;
        const bool turns = may_turn();
        do {
            std::uint64_t first = everyone;
            std::uint64_t last = everyone;
            if (options_.initiators.what() == initiators::kind::given)
                first = last = options_.initiators.given();
            if (options_.initiators.what() == initiators::kind::any_subset) first = 1;
            if ((last & ~everyone) != 0)
                refuse("explore: an initiator is not among the ", n, " nodes");
            for (std::uint64_t set = first;; ++set) {
                add_root(s, order, set);
                if (set == last) break;
            }
        } while (options_.orders == orders::all_permutations &&
                 std::next_permutation(order.begin() + (turns ? 1 : 0), order.end()));
    }
    void add_root(search& s, const std::vector<std::size_t>& order, std::uint64_t set) {
        const bool at_once = world_.how().starts == starting::at_once;
        std::size_t which = 0;
        world_.roots(
            order, at_once ? set : 0, at_once ? 0 : set,
            [&](const state& row, std::uint64_t hash, std::uint64_t messages, const auto&) {
                origins_.push_back({order, at_once ? set : 0, at_once ? 0 : set, which++});
                const auto number = static_cast<std::uint32_t>(origins_.size() - 1);
                state turned = row;
                if (rotations_ && world_.turn_to_least(turned) != 0)
                    s.add_root(turned, world_.hash_of(turned.data()), messages, number);
                else
                    s.add_root(row, hash, messages, number);
            });
    }

    verdict judge(search& s) {
        verdict v;
        v.deterministic = !world_.mind().undecided();
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
        v.complete = v.limit.empty() && !found;
        v.holds = !found && v.deterministic;
        if (!v.deterministic) {
            v.counterexample.property = "every handler";
            v.counterexample.how =
                "does one thing for one input, but not " + world_.mind().fickle();
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
            const arrows g{s.offsets, s.edges};
            const bounds b =
                count_messages(g, s.roots(), [&](std::uint32_t i) { return s.ended(i); });
            v.messages = {b.least, b.most, true};
        }
        return v;
    }

    /// n²/2^65 or n²/2^129: see fingerprint.
    static double omissions(double states, fingerprint kind) {
        if (kind == fingerprint::exact) return 0;
        return states * states / 3.7e19 / (kind == fingerprint::bits128 ? 1.8e19 : 1.0);
    }

    void show(verdict& v, search& s, std::uint32_t at, std::size_t property, const char* how) {
        v.counterexample = gathered(tell(s.way_to(at)));
        longer_than_need_be_ = s.reduced && !rotations_;
        blame(v, property, how);
    }
    void blame(verdict& v, std::size_t property, const char* how) {
        v.holds = false;
        v.counterexample.property = jury_.name(property);
        v.counterexample.how = how;
    }

    void check_endings(verdict& v, search& s) {
        std::size_t number = 0;
        for (std::size_t i = 0; i < jury_.size() && v.holds; ++i) {
            if (jury_.mode(i) != mode::finally) continue;
            for (std::uint32_t at = 0; at < s.states() && v.holds; ++at) {
                if (!s.ended(at) || s.holds_at(at, number)) continue;
                show(v, s, at, i, "is false when all is over, after");
            }
            if (v.holds && v.complete) check_cycles(v, s, i, number);
            ++number;
        }
    }
    void check_cycles(verdict& v, search& s, std::size_t property, std::size_t number) {
        const arrows g{s.offsets, s.edges};
        const bool starts_are_free = world_.how().starts_are_free;
        const auto holds = [&](std::uint32_t at) { return s.holds_at(at, number); };
        if (s.reduced) {
            doubtful_ = doubtful_ || any_cycle_without(g, holds);
            return;
        }
        const auto obliged = [&](const action& a) {
            return !a.is_fault() && !(starts_are_free && a.what == action::kind::start);
        };
        const auto cycle = fair_cycle_without(g, s.actions(), holds, obliged);
        if (!cycle) return;
        const std::uint32_t at = *std::min_element(cycle->states.begin(), cycle->states.end());
        search::way way = s.way_to(at);
        const std::size_t loop = way.turns.size();
        std::uint32_t here = at;
        for (const std::uint64_t e : way_round(g, *cycle, at, s.actions(), obliged)) {
            way.turns.push_back(static_cast<std::uint32_t>(e - g.offsets[here]));
            here = g.edges[e].to;
        }
        v.counterexample = tell(way);
        v.counterexample.loop_from = loop;
        blame(v, property, "can be avoided for ever");
    }

    /// Follows the turns again and writes down what happens. Where rotations are left out, the ring
    /// is turned back: `turned` is how far the row has been turned from the real one.
    story tell(const search::way& way) {
        const origin& from = origins_[way.origin];
        story told;
        told.order = from.order;
        told.starters = from.now | from.later;
        state row;
        std::size_t which = 0;
        world_.roots(from.order, from.now, from.later,
                     [&](const state& s, std::uint64_t, std::uint64_t, const auto& starts) {
                         if (which++ != from.which) return;
                         row = s;
                         for (const auto& each : starts)
                             told.opening.push_back(
                                 step(each.what, each.what, each.how, each.before, each.after, 0));
                     });
        std::size_t turned = rotations_ ? world_.turn_to_least(row) : 0;
        world::scratch room;
        for (const std::uint32_t turn : way.turns) {
            std::uint32_t number = 0;
            state next;
            world_.expand(row.data(), 0, true, room,
                          [&](const action& a, const ending& e, const state& s, std::uint64_t) {
                              if (number++ != turn) return;
                              next = s;
                              told.steps.push_back(
                                  step(turn_back(a, turned), a, e, row, s, turned));
                          });
            row = next;
            if (rotations_) turned = (turned + world_.turn_to_least(row)) % world_.nodes();
        }
        return told;
    }

    /// The same events with few switches between nodes, where only their causes order them.
    story gathered(story told) const {
        const rules& how = world_.how();
        const bool local = !how.faults.any() && !how.perfect_detector &&
                           !world_.mind().is().has_timers;
        if (local) told.gather();
        return told;
    }

    action turn_back(action a, std::size_t turned) const {
        const auto n = static_cast<std::uint32_t>(world_.nodes());
        if (turned == 0) return a;
        const std::uint32_t each = static_cast<std::uint32_t>(world_.arcs()) / n;
        a.node = (a.node + static_cast<std::uint32_t>(turned)) % n;
        a.arc = (a.arc / each + static_cast<std::uint32_t>(turned)) % n * each + a.arc % each;
        return a;
    }

    story_step step(const action& a, const action& there, const ending& e, const state& before,
                    const state& after, std::size_t turned) {
        story_step made{a, 0, e.coins, {}, words(a, there, before, after)};
        const brain& known = world_.mind();
        if (a.what == action::kind::expire) made.value = known.timers().hash_of(a.value);
        else if (a.what == action::kind::deliver || a.what == action::kind::lose ||
                 a.what == action::kind::duplicate)
            made.value = known.messages().hash_of(a.value);
        for (const effect& f : e.effects) {
            if (f.what != effect::kind::send) continue;
            const std::size_t arc = world_.topology().arc(node{there.node}, port{f.port});
            action on = there;
            on.arc = static_cast<std::uint32_t>(arc);
            on.arc = turn_back(on, turned).arc;
            made.sent.push_back({on.arc, known.messages().hash_of(f.value),
                                 static_cast<std::uint32_t>(world_.end_of(on.arc).node.index), {}});
            known.print_message(made.sent.back().words, f.value);
        }
        return made;
    }

    std::string words(const action& a, const action& there, const state& before,
                      const state& after) {
        const brain& known = world_.mind();
        const auto other = [&](far_end end) { return "node " + std::to_string(end.node.index); };
        std::string line = "node " + std::to_string(a.node) + " ";
        switch (a.what) {
            case action::kind::start: line += "starts"; break;
            case action::kind::deliver:
                line += "receives ";
                known.print_message(line, a.value);
                line += " from " + other(world_.origin_of(a.arc));
                break;
            case action::kind::expire:
                line += "has waited long enough: ";
                known.print_timer(line, a.value);
                break;
            case action::kind::crash: line += "crashes"; break;
            case action::kind::restart: line += "restarts with what it kept"; break;
            case action::kind::amnesia: line += "restarts and remembers nothing"; break;
            case action::kind::lose:
            case action::kind::duplicate:
                line = a.what == action::kind::lose ? "lost: " : "doubled: ";
                known.print_message(line, a.value);
                line += " from " + other(world_.origin_of(a.arc)) + " to node " +
                        std::to_string(a.node);
                break;
            case action::kind::suspect: line += "suspects " + other(world_.end_of(a.arc)); break;
            case action::kind::mistrust:
                line += "suspects " + other(world_.end_of(a.arc)) + ", wrongly";
                break;
            case action::kind::trust:
            case action::kind::welcome:
                line += "trusts " + other(world_.end_of(a.arc));
                break;
            case action::kind::cut:
            case action::kind::mend:
                line = a.what == action::kind::cut ? "cut: from " : "mended: from ";
                line += other(world_.origin_of(a.arc)) + " to node " + std::to_string(a.node);
                break;
        }
        if (a.cut_short) return line + " and crashes before it is through";
        if (before[there.node] != after[there.node] && a.what != action::kind::crash) {
            line += " and is now ";
            known.print_process(line, after[there.node]);
        }
        return line;
    }

    settings options_;
    const jury& jury_;
    world world_;
    std::vector<origin> origins_;
    bool doubtful_ = false;             // a cycle was found, but not everything was looked at
    bool longer_than_need_be_ = false;  // a counterexample was, and so it may be
    bool rotations_ = false;
};

}  // namespace caucus::exploration
