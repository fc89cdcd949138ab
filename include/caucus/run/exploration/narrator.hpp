// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/print.hpp>
#include <caucus/run/exploration/beginnings.hpp>
#include <caucus/trace/story.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace caucus::exploration {

/// Tells what happens on a schedule. A search keeps of each state only its parent and its number
/// among the parent's successors; the narrator follows these numbers from the root again, and this
/// time writes down what happens.
class narrator {
public:
    /// `rotations`: every state on the way was rotated to the least of its rotations.
    narrator(world& w, beginnings& roots, bool rotations)
        : world_(w), roots_(roots), rotations_(rotations) {}

    story tell(const way& schedule) {
        story told;
        told.order = roots_.order_of(schedule.origin.order);
        told.starters = schedule.origin.starters;
        state row;
        roots_.again(schedule.origin, [&](const state& s, const auto& starts) {
            row = s;
            for (const auto& each : starts)
                told.opening.push_back(step(each.what, each.how, each.before, each.after, 0));
        });
        // By how many nodes the row is rotated: undone in the story, or its nodes would jump.
        std::size_t rotated = rotations_ ? world_.rotate_to_least(row) : 0;
        for (const std::uint32_t chosen : schedule.successors) {
            state next = successor(row, chosen, [&](const action& a, const ending& e,
                                                    const state& s) {
                told.steps.push_back(step(a, e, row, s, rotated));
            });
            row = std::move(next);
            if (rotations_) rotated = (rotated + world_.rotate_to_least(row)) % world_.nodes();
        }
        return told;
    }

    /// The same, reordered for the reader (see story::gather) where that is allowed.
    story tell_gathered(const way& schedule) {
        story told = tell(schedule);
        if (world_.how().undisturbed() && !world_.has_timers()) told.gather();
        return told;
    }

    /// The state that the schedule leads to. Not if states were rotated.
    world::state end_of(const way& schedule) {
        state row;
        roots_.again(schedule.origin, [&](const state& s, const auto&) { row = s; });
        for (const std::uint32_t chosen : schedule.successors)
            row = successor(row, chosen, [](const action&, const ending&, const state&) {});
        return row;
    }

private:
    using state = world::state;

    /// The successor of that number, of which `tell` hears.
    state successor(const state& row, std::uint32_t chosen, auto tell) {
        std::uint32_t number = 0;
        state next;
        world_.expand(row.data(), 0, true, room_,
                      [&](const action& a, const ending& e, const state& s, std::uint64_t) {
                          if (number++ != chosen) return;
                          next = s;
                          tell(a, e, s);
                      });
        return next;
    }

    action rotate_back(action a, std::size_t rotated) const {
        const auto n = static_cast<std::uint32_t>(world_.nodes());
        if (rotated == 0) return a;
        const std::uint32_t each = static_cast<std::uint32_t>(world_.arcs()) / n;
        a.node = (a.node + static_cast<std::uint32_t>(rotated)) % n;
        a.arc = (a.arc / each + static_cast<std::uint32_t>(rotated)) % n * each + a.arc % each;
        return a;
    }

    story_step step(const action& there, const ending& e, const state& before, const state& after,
                    std::size_t rotated) {
        const action a = rotate_back(there, rotated);
        std::string words = sentence(a, world_.fate_of(before.data()));
        if (a.cut_short) {
            words += " and crashes before it is through";
        } else if (before[there.node] != after[there.node] && a.what != action::kind::crash) {
            words += " and is now ";
            world_.handlers().print_process(words, after[there.node]);
        }
        story_step made{a, hash_of_value(a), e.coins, {}, std::move(words)};
        if (a.cut_short) made.effects = e.effects.size();
        for (const effect& f : e.effects) {
            if (f.what != effect::kind::send) continue;
            action sending = there;
            sending.arc = static_cast<std::uint32_t>(
                world_.topology().arc(node{there.node}, port{f.port}));
            const std::uint32_t arc = rotate_back(sending, rotated).arc;
            made.sent.push_back({arc, world_.handlers().messages().hash_of(f.value),
                                 static_cast<std::uint32_t>(world_.end_of(arc).node.index), {}});
            world_.handlers().print_message(made.sent.back().words, f.value);
        }
        return made;
    }

    /// By which a replay finds the message or timer.
    std::uint64_t hash_of_value(const action& a) const {
        const handler_memo& known = world_.handlers();
        if (a.what == action::kind::expire || a.what == action::kind::expire_early)
            return known.timer_values().hash_of(a.value);
        const bool of_message = a.what == action::kind::deliver || a.what == action::kind::lose ||
                                a.what == action::kind::duplicate;
        return of_message ? known.messages().hash_of(a.value) : 0;
    }

    /// How an action is told. N is its node, V the verb, M and T the message and the timer, S who
    /// has sent it, L whose life it is about.
    /// No default: the compilers warn of a kind of action that is not told.
    const char* pattern_of(const action& a) const {
        switch (a.what) {
            case action::kind::start:
            case action::kind::crash:
            case action::kind::restart:
            case action::kind::amnesia: return "N V";
            case action::kind::deliver: return "N V M from S";
            case action::kind::expire:
                return world_.handlers().is_decision(a.value) ? "N decides: T" : "N V: T";
            case action::kind::expire_early: return "N V: T";
            case action::kind::lose:
            case action::kind::duplicate: return "V: M from S to N";
            case action::kind::suspect:
            case action::kind::trust:
            case action::kind::welcome: return "N V L";
            case action::kind::mistrust: return "N V L, wrongly";
            case action::kind::suspect_late: return "N V past L";
            case action::kind::cut:
            case action::kind::mend: return "V: from S to N";
        }
        return "";
    }
    std::string sentence(const action& a, const fate& before) const {
        std::string words;
        for (const char* at = pattern_of(a); *at != '\0'; ++at) {
            switch (*at) {
                case 'N': add_node(words, a.node); break;
                case 'V': words += action::phrase_of(a.what).verb; break;
                case 'M': world_.handlers().print_message(words, a.value); break;
                case 'T': world_.handlers().print_timer(words, a.value); break;
                case 'S': add_node(words, world_.origin_of(a.arc).node); break;
                case 'L': add_life(words, a, before); break;
                default: words += *at;
            }
        }
        return words;
    }

    static void add_node(std::string& words, std::size_t v) {
        words += "node ";
        caucus::print(words, v);
    }
    /// Nobody speaks of a first life before there is a second.
    void add_life(std::string& words, const action& a, const fate& before) const {
        const std::size_t whom = world_.end_of(a.arc).node;
        if (before.life_of(whom) != 0) {
            words += "life ";
            caucus::print(words, a.value);
            words += " of ";
        }
        add_node(words, whom);
    }

    world& world_;
    beginnings& roots_;
    bool rotations_;
    world::scratch room_{};
};

}  // namespace caucus::exploration
