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
#include <functional>
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
    explorer(wiring topology, handler_memo& known, const property_set& properties,
             const settings& options)
        : options_(options), properties_(properties),
          world_(std::move(topology), options.how, known) {
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

    verdict run() {
        const auto begin = std::chrono::steady_clock::now();
        verdict v = attempt(options_.reduce, options_.max_states, options_.max_depth);
        // Whether a cycle is fair depends on all actions that were possible on it, and reductions
        // leave some out: explore again without them.
        if (doubtful_)
            v = attempt(reduction::none, options_.max_states, options_.max_depth);
        else if (longer_than_need_be_)
            v = shortest(std::move(v));
        v.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return v;
    }

private:
    using state = world::state;

    using progress_line = std::function<void(const search&)>;

    /// Looks for the same mistake without reductions, no deeper than it was found.
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
        doubtful_ = false;
        longer_than_need_be_ = false;
        rotations_ = includes(reduce, reduction::rotations) && is_symmetric();
        search_plan plan{
            max_states,
            max_depth,
            options_.max_memory,
            options_.recognise,
            includes(reduce, reduction::sleep) && !properties_.waits_for_the_end() && !rotations_,
            includes(reduce, reduction::ample) && !rotations_,
            options_.count_messages || properties_.waits_for_the_end(),
            std::max<std::size_t>(options_.threads, 1),
            rotations_};
        search s{world_, properties_, plan};
        auto last_word = std::chrono::steady_clock::now();
        const auto tell_progress = [&](const search& so_far) {
            if (!options_.progress) return;
            const auto now = std::chrono::steady_clock::now();
            if (now - last_word < std::chrono::seconds(2)) return;
            last_word = now;
            std::fprintf(stderr, "explore: %zu states, depth %zu, %zu MiB\n", so_far.states(),
                         static_cast<std::size_t>(so_far.depth), so_far.bytes() >> 20);
        };
        add_roots(s, tell_progress);
        s.run(tell_progress);
        return judge(s);
    }

    /// May states be merged that differ by a rotation of the ring?
    bool may_rotate() const {
        return world_.is_a_ring() && properties_.is_about_any_node() &&
               options_.initiators.what() != initiators::kind::given;
    }
    /// A ring of equal nodes that all start at once: a rotated state behaves as the state does.
    bool is_symmetric() {
        const bool all_start = options_.initiators.what() == initiators::kind::all &&
                               world_.how().starts == starting::at_once;
        if (!all_start || options_.how.faults.any() || options_.how.perfect_detector) return false;
        return may_rotate() && world_.all_made_equal();
    }

    /// The roots, one by one: there are up to 2^n - 1 start sets and n! orders, so that the limits
    /// must be looked at after each of them.
    void add_roots(search& s, const progress_line& tell_progress) {
        const std::uint64_t everyone = all_nodes();
        std::uint64_t first = everyone;
        std::uint64_t last = everyone;
        if (options_.initiators.what() == initiators::kind::given)
            first = last = options_.initiators.given();
        if (options_.initiators.what() == initiators::kind::any_subset) first = 1;
        if ((last & ~everyone) != 0)
            refuse("explore: an initiator is not among the ", world_.nodes(), " nodes");
        std::vector<std::size_t> order = order_of(0);
        std::uint64_t number = 0;
        do {
            for (std::uint64_t set = first;; ++set) {
                if (!add_root(s, order, {number, set, 0}, tell_progress)) return;
                if (set == last) break;
            }
            ++number;
        } while (options_.orders == orders::all_permutations && next_order(order));
    }
    bool add_root(search& s, const std::vector<std::size_t>& order, search::origin from,
                  const progress_line& tell_progress) {
        bool more = true;
        world_.roots(
            order, starts_now(from), starts_later(from),
            [&](const state& row, std::uint64_t hash, std::uint64_t messages, const auto&) {
                state rotated = row;
                if (rotations_ && world_.rotate_to_least(rotated) != 0)
                    more = s.add_root(rotated, world_.hash_of(rotated.data()), messages, from);
                else
                    more = s.add_root(row, hash, messages, from);
                ++from.which;
                tell_progress(s);
                return more;
            });
        return more;
    }

    std::uint64_t all_nodes() const {
        const std::size_t n = world_.nodes();
        return n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    }
    std::uint64_t starts_now(const search::origin& from) const {
        return world_.how().starts == starting::at_once ? from.starters : 0;
    }
    std::uint64_t starts_later(const search::origin& from) const {
        return from.starters & ~starts_now(from);
    }
    /// Where rotations make no difference, the first process stays at node 0: n times fewer orders.
    bool next_order(std::vector<std::size_t>& order) const {
        return std::next_permutation(order.begin() + (may_rotate() ? 1 : 0), order.end());
    }
    std::vector<std::size_t> order_of(std::uint64_t number) const {
        std::vector<std::size_t> order(world_.nodes());
        for (std::size_t v = 0; v < order.size(); ++v) order[v] = v;
        for (; number != 0; --number) next_order(order);
        return order;
    }

    verdict judge(search& s) {
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
        v.complete = v.limit.empty() && !found;
        v.holds = !found && v.deterministic;
        if (!v.deterministic) {
            v.counterexample.property = "every handler";
            v.counterexample.how = "does one thing for one input, but not " +
                                   world_.handlers().nondeterministic_handler();
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
        const std::size_t loop = way.successors.size();
        std::uint32_t here = at;
        for (const std::uint64_t e : way_round(g, *cycle, at, s.actions(), obliged)) {
            way.successors.push_back(static_cast<std::uint32_t>(e - g.offsets[here]));
            here = g.edges[e].to;
        }
        v.counterexample = tell(way);
        v.counterexample.loop_from = loop;
        blame(v, property, "can be avoided for ever");
    }

    /// Follows the way from its root again and writes down what happens. If rotations were merged,
    /// the rows on the way are rotated; `rotated` says by how many nodes, to undo it in the story.
    story tell(const search::way& way) {
        story told;
        told.order = order_of(way.origin.order);
        told.starters = way.origin.starters;
        state row;
        std::uint64_t which = 0;
        world_.roots(told.order, starts_now(way.origin), starts_later(way.origin),
                     [&](const state& s, std::uint64_t, std::uint64_t, const auto& starts) {
                         if (which++ != way.origin.which) return true;
                         row = s;
                         for (const auto& each : starts)
                             told.opening.push_back(
                                 step(each.what, each.what, each.how, each.before, each.after, 0));
                         return false;
                     });
        std::size_t rotated = rotations_ ? world_.rotate_to_least(row) : 0;
        world::scratch room;
        for (const std::uint32_t chosen : way.successors) {
            std::uint32_t number = 0;
            state next;
            world_.expand(row.data(), 0, true, room,
                          [&](const action& a, const ending& e, const state& s, std::uint64_t) {
                              if (number++ != chosen) return;
                              next = s;
                              told.steps.push_back(
                                  step(rotate_back(a, rotated), a, e, row, s, rotated));
                          });
            row = next;
            if (rotations_) rotated = (rotated + world_.rotate_to_least(row)) % world_.nodes();
        }
        return told;
    }

    /// The story reordered for the reader (see story::gather), where that is allowed.
    story gathered(story told) const {
        const rules& how = world_.how();
        const bool local = !how.faults.any() && !how.perfect_detector &&
                           !world_.handlers().is().has_timers;
        if (local) told.gather();
        return told;
    }

    action rotate_back(action a, std::size_t rotated) const {
        const auto n = static_cast<std::uint32_t>(world_.nodes());
        if (rotated == 0) return a;
        const std::uint32_t each = static_cast<std::uint32_t>(world_.arcs()) / n;
        a.node = (a.node + static_cast<std::uint32_t>(rotated)) % n;
        a.arc = (a.arc / each + static_cast<std::uint32_t>(rotated)) % n * each + a.arc % each;
        return a;
    }

    story_step step(const action& a, const action& there, const ending& e, const state& before,
                    const state& after, std::size_t rotated) {
        story_step made{a, 0, e.coins, {}, words(a, there, before, after)};
        const handler_memo& known = world_.handlers();
        if (a.what == action::kind::expire) made.value = known.timers().hash_of(a.value);
        else if (a.what == action::kind::deliver || a.what == action::kind::lose ||
                 a.what == action::kind::duplicate)
            made.value = known.messages().hash_of(a.value);
        for (const effect& f : e.effects) {
            if (f.what != effect::kind::send) continue;
            const std::size_t arc = world_.topology().arc(node{there.node}, port{f.port});
            action on = there;
            on.arc = static_cast<std::uint32_t>(arc);
            on.arc = rotate_back(on, rotated).arc;
            made.sent.push_back({on.arc, known.messages().hash_of(f.value),
                                 static_cast<std::uint32_t>(world_.end_of(on.arc).node.index), {}});
            known.print_message(made.sent.back().words, f.value);
        }
        return made;
    }

    std::string words(const action& a, const action& there, const state& before,
                      const state& after) {
        const handler_memo& known = world_.handlers();
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
    const property_set& properties_;
    world world_;
    bool doubtful_ = false;             // a cycle was found under reductions: it may not be fair
    bool longer_than_need_be_ = false;  // a counterexample was found under reductions
    bool rotations_ = false;
};

}  // namespace caucus::exploration
