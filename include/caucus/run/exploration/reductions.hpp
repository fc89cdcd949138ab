// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/property_set.hpp>
#include <caucus/run/exploration/sleep_bits.hpp>
#include <caucus/run/exploration/worklist.hpp>
#include <caucus/run/exploration/world.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace caucus::exploration {

/// The successors of a state, without those that a reduction allows to leave out.
///
/// Two events at different nodes commute: in either order they lead to the same state. A search
/// that tries both orders does its work twice, with k such events k! times over.
///
/// Sleep sets (Godefroid, CAV 1990, and LNCS 1032, 1996, ch. 5). When the successors by a and then
/// by b have been found in a state, the order b, a need not be tried: in the successor by b, a is
/// put to sleep. It sleeps on as long as only events at other nodes happen, because they commute
/// with it, and wakes with the first event at its own node. No state is left out, only transitions
/// to known ones. A state can be reached again by a way on which fewer actions are asleep; those
/// that are awake now were not tried there, and are tried then (`search::wake`; Godefroid, Holzmann
/// & Pirottin, 1992). Without that, states behind them are missed.
///   Needed: what happens at one node neither allows nor forbids anything elsewhere. Not so for
///   faults (a budget is shared), detectors (they see other nodes) and timers::after_messages (they
///   wait for every link): with these, an action would sleep that can lead to a new state. Nor
///   where a region is not to be left: one order may lead out of it, and the other one not.
///
/// Ample sets (Peled, CAV 1993; the conditions C0 to C3 are those of Clarke, Grumberg & Peled,
/// Model Checking, 1999, ch. 10). Where it makes no difference, only some of what can happen is
/// explored, the ample set, and the rest later. Here it is one delivery with all falls of its
/// coins, and what must hold is
///   C1  nothing that depends on it can happen first: its node has this inlet only, which is fifo,
///       no timer and no pending start. Else what comes first there might decide the matter.
///   C2  no property sees a difference in the process. Else the state in which it is broken may be
///       among those that were left out.
///   C3  it leads to a state that is new. Else the deliveries of a cycle, each ample in turn, could
///       put off for ever what happens elsewhere, and that would never be explored.
///
/// Rotations: a state is replaced by the least of its rotations; see state_space::rotate_to_least.
class reductions {
public:
    /// Of those that are wanted, the ones that fit.
    reductions(world& w, const property_set& properties, const visited& seen, reduction wanted)
        : w_(w), properties_(properties), seen_(seen) {
        const rules& how = w.how();
        const bool timed = w.has_timers();
        const bool local = how.undisturbed() && (!timed || how.when == timers::any_time);
        sleep_ = includes(wanted, reduction::sleep) && local && !properties.is_bounded() &&
                 w.arcs() + w.nodes() <= sleep_bits::most;
        ample_ = includes(wanted, reduction::ample) && local && !timed && how.fifo &&
                 properties.says_what_it_observes();
        rotations_ = includes(wanted, reduction::rotations);
        inlets_.assign(w.nodes(), 0);
        for (std::size_t arc = 0; arc < w.arcs(); ++arc) ++inlets_[w.end_of(arc).node];
        if (sleep_) bits_ = sleep_bits{w};
    }

    bool sleep() const { return sleep_; }
    std::string names() const {
        std::string list;
        const auto add = [&](bool applied, reduction one) {
            if (!applied) return;
            if (!list.empty()) list += ", ";
            list += name_of(one);
        };
        add(sleep_, reduction::sleep);
        add(ample_, reduction::ample);
        add(rotations_, reduction::rotations);
        return list;
    }

    /// Adds the successors of `to.row`, of the actions in `only`, while those in `asleep` sleep.
    /// False if something is not known yet and `learn` is not allowed.
    bool expand(findings& to, const job& j, std::uint64_t only, std::uint64_t asleep, bool learn) {
        if (ample_) {
            const std::size_t before = to.found.size();
            const ample_result a = expand_ample(to, j, learn);
            if (a != ample_result::no_such_set) return a == ample_result::done;
            to.forget_from(before);
        }
        std::uint64_t current = 0;   // the action whose endings are being listed
        std::uint32_t ordinal = 0;
        return w_.expand(to.row.data(), j.hash, learn, to.room,
                         [&](const action& a, const ending& e, const state& next, std::uint64_t h) {
                             const std::uint32_t number = ordinal++;
                             std::uint64_t inherited = 0;
                             if (sleep_) {
                                 const std::uint64_t bit = bits_.of(a);
                                 if (current != bit)
                                     asleep |= current & only & ~sleep_bits::sleepless;
                                 current = bit;
                                 if ((only & bit) == 0) {
                                     to.reduced = true;
                                     return;
                                 }
                                 inherited = asleep & ~bits_.at(a.node);
                             }
                             add(to, j, number, a, e, next, h, inherited);
                         });
    }

private:
    using state = world::state;
    enum class ample_result : std::uint8_t { done, unknown, no_such_set };

    void add(findings& to, const job& j, std::uint32_t number, const action& a, const ending& e,
             const state& next, std::uint64_t h, std::uint64_t sleep) {
        if (rotations_) {
            state rotated = next;
            if (w_.rotate_to_least(rotated) != 0) to.reduced = true;
            to.rows.push(rotated.data());
            h = w_.hash_of(rotated.data());
        } else {
            to.rows.push(next.data());
        }
        to.found.push_back({h, sleep, j.index, number, e.sends, a});
    }

    /// Finds the first action that is an ample set, with all its endings.
    ample_result expand_ample(findings& to, const job& j, bool learn) {
        const std::uint64_t pending = w_.fate_of(to.row.data()).pending;
        const std::size_t before = to.found.size();
        std::uint32_t ordinal = 0;
        bool good = false;
        action chosen;
        action last;
        const bool known = w_.expand(to.row.data(), j.hash, learn, to.room,
            [&](const action& a, const ending& e, const state& next, std::uint64_t h) {
                const std::uint32_t number = ordinal++;
                if (number == 0 || a.arc != last.arc || a.what != last.what ||
                    a.node != last.node) {
                    last = a;
                    if (good) return;   // the ample set is found, with all endings of its action
                    to.forget_from(before);
                    chosen = a;
                    good = a.what == action::kind::deliver && inlets_[a.node] == 1 &&
                           (pending >> a.node & 1) == 0;                                   // C1
                } else if (!good || a.arc != chosen.arc || a.what != chosen.what) {
                    return;
                }
                good = good && invisible(to.row[a.node], next[a.node]) &&                  // C2
                       !seen_.contains(h);                                                 // C3
                add(to, j, number, a, e, next, h, 0);
            });
        if (!known) return ample_result::unknown;
        if (!good || ordinal == to.found.size() - before) return ample_result::no_such_set;
        to.reduced = true;
        return ample_result::done;
    }

    bool invisible(std::uint32_t before, std::uint32_t after) const {
        return before == after || properties_.sees_no_difference(before, after);
    }

    world& w_;
    const property_set& properties_;
    const visited& seen_;
    bool sleep_ = false;
    bool ample_ = false;
    bool rotations_ = false;
    std::vector<std::uint32_t> inlets_;   // of each node: how many arcs lead there
    sleep_bits bits_;
};

}  // namespace caucus::exploration
