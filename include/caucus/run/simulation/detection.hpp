// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/compiled.hpp>
#include <caucus/core/random.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/run/detection.hpp>
#include <caucus/run/simulation/agenda.hpp>
#include <caucus/run/simulation/arcs.hpp>
#include <caucus/run/simulation/life_records.hpp>
#include <caucus/run/simulation/per_arc.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::simulation {

/// The detectors of a simulation. Each arc v -> u is v's view of u; v is told of every change once.
class detection {
public:
    /// What v is to be told of the far end of an arc.
    struct word {
        arc_ends view;
        bool suspected;
        bool wrong;    // though it may live
        ticks due = 0;
        std::uint32_t change = 0;   // how many deaths and returns of the far end came before
        incarnation life{};         // the one that died or returned
    };

    detection(detector_model model, const arc_view& arcs, std::uint64_t seed);

    ticks next() const { return words_.next(); }
    /// For each observer by port, and by when they should have been told: not by who died first
    /// within a tick, and no postponed word after the one that takes it back.
    void take(ticks now, std::vector<word>& due);

    /// Does it matter which messages are under way?
    bool counts() const { return counts_; }
    void sent(std::size_t arc, ticks now) {
        if (counts_) ++of_arcs_.at(arc, now).under_way;
    }
    /// Arrived, or lost.
    void gone(const arc_view& arcs, const arc_ends& way, ticks now, const life_records& lives);

    void crashed(const arc_view& arcs, std::size_t u, ticks now, const life_records& lives);
    /// u is there for the first time. Nobody was told that it was not: it was no death.
    void arrived(const arc_view& arcs, std::size_t u, ticks now, const life_records& lives) {
        tell_of_the_dead(arcs, u, now, lives);
    }
    /// u lives again: it is trusted in time, and has itself to be told who is dead.
    void restarted(const arc_view& arcs, std::size_t u, ticks now, const life_records& lives);

    /// Does the word still hold, and is it news? Then it counts as told. The dead hear nothing, and
    /// who stands still hears it later.
    bool is_news(const word& w, const life_records& lives);
    /// The life that it speaks of. Who errs, errs about the present one.
    static incarnation life_in(const word& w, const life_records& lives) {
        return w.wrong ? lives.incarnation(w.view.to) : w.life;
    }
    /// What was not heard is said in this very tick. Not later: a suspicion would come after the
    /// trust that is due now, and last for ever.
    void say_again(ticks now);

private:
    struct opinion {
        std::uint32_t under_way = 0;   // messages
        std::uint32_t changes = 0;     // deaths and returns of the far end
        bool suspected = false;        // what the source was told of the far end
        bool awaited = false;          // a suspicion waits for the last message under way
        bool returned = false;         // the far end has, and that is not told

        bool is_idle(ticks) const {
            return under_way == 0 && changes == 0 && !suspected && !awaited && !returned;
        }
    };

    opinion& of(const arc_ends& view) { return of_arcs_.at(view.arc, 0); }
    /// What the far end of an arc thinks of its source.
    static arc_ends back(const arc_view& arcs, const arc_ends& way) {
        return arcs.leaving(way.to, way.in);
    }
    void plan(const word& w) { words_.add(w.due, w); }
    /// u, who has heard nothing yet, is to hear who died before.
    void tell_of_the_dead(const arc_view& arcs, std::size_t u, ticks now,
                          const life_records& lives);
    /// Of the far end's present life, whether it has begun or ended.
    void plan_word(const arc_ends& view, bool suspected, ticks now, const life_records& lives);
    void plan_suspicion(const arc_view& arcs, const arc_ends& view, ticks now,
                        const life_records& lives);

    detector_model model_;
    bool counts_;
    per_arc<opinion> of_arcs_;
    planned<word> words_;
    std::vector<word> unheard_;   // by those who stand still
};

#ifdef CAUCUS_INLINE
CAUCUS_INLINE detection::detection(detector_model model, const arc_view& arcs, std::uint64_t seed)
    : model_(model), counts_(model.is_perfect() && arcs.two_way()),
      of_arcs_(arcs.size(), arcs.nodes()) {
    random_source bits{mix(seed, 0x77726f6e67u)};
    if (arcs.size() == 0 || model_.until() < 2) return;
    for (std::size_t i = 0; i < model_.wrong(); ++i) {
        const arc_ends view = arcs.numbered(static_cast<std::size_t>(bits.below(arcs.size())));
        const ticks from = 1 + bits.below(model_.until() - 1);
        plan({view, true, true, from});
        plan({view, false, true, from + 1 + bits.below(model_.until() - from)});
    }
}
CAUCUS_INLINE void detection::take(ticks now, std::vector<word>& due) {
    words_.take(now, due);
    stable_sort(due, [&](const word& a, const word& b) {
        return a.view.arc != b.view.arc ? a.view.arc < b.view.arc : a.due < b.due;
    });
}
CAUCUS_INLINE void detection::gone(const arc_view& arcs, const arc_ends& way, ticks now,
                                   const life_records& lives) {
    if (!counts_) return;
    opinion& there = of(way);
    if (--there.under_way != 0 || !there.awaited) return;
    there.awaited = false;
    plan_word(back(arcs, way), true, now, lives);
}
CAUCUS_INLINE void detection::crashed(const arc_view& arcs, std::size_t u, ticks now,
                                      const life_records& lives) {
    erase_where(unheard_, [&](const word& w) { return w.view.from == u; });
    for (const arc_ends& view : arcs.into(node{u})) plan_suspicion(arcs, view, now, lives);
}
CAUCUS_INLINE void detection::restarted(const arc_view& arcs, std::size_t u, ticks now,
                                        const life_records& lives) {
    for (const arc_ends& view : arcs.into(node{u})) {
        if (arcs.two_way()) of(back(arcs, view)).awaited = false;
        ++of(view).changes;
        of(view).returned = true;
        plan_word(view, false, now, lives);
    }
    tell_of_the_dead(arcs, u, now, lives);
}
CAUCUS_INLINE void detection::tell_of_the_dead(const arc_view& arcs, std::size_t u, ticks now,
                                               const life_records& lives) {
    for (const port p : ports(arcs.degree(node{u}))) {
        const arc_ends view = arcs.leaving(node{u}, p);
        of(view).suspected = false;
        if (lives.gone(view.to)) plan_suspicion(arcs, view, now, lives);
    }
}
CAUCUS_INLINE bool detection::is_news(const word& w, const life_records& lives) {
    if (!lives.alive(w.view.from)) return false;
    if (lives.paused(w.view.from)) {
        unheard_.push_back(word{w});
        return false;
    }
    opinion& told = of(w.view);
    if (w.suspected == told.suspected) return false;
    if (w.wrong ? !w.suspected && lives.gone(w.view.to) : w.change != told.changes) return false;
    told.suspected = w.suspected;
    if (!w.suspected) told.returned = false;
    return true;
}
CAUCUS_INLINE void detection::say_again(ticks now) {
    for (const word& w : unheard_) words_.add(now, w);
    unheard_.clear();
}
CAUCUS_INLINE void detection::plan_word(const arc_ends& view, bool suspected, ticks now,
                                        const life_records& lives) {
    plan({view, suspected, false, after(now, model_.delay()), of(view).changes,
          lives.incarnation(view.to)});
}
CAUCUS_INLINE void detection::plan_suspicion(const arc_view& arcs, const arc_ends& view, ticks now,
                                             const life_records& lives) {
    ++of(view).changes;   // what was still to be said of its last death or return is void
    // But for a return from a death that was told: else its next death would be no news.
    if (of(view).returned && of(view).suspected) plan_word(view, false, now, lives);
    of(view).returned = false;
    if (counts_ && of(back(arcs, view)).under_way != 0) of(back(arcs, view)).awaited = true;
    else plan_word(view, true, now, lives);
}
#endif

}  // namespace caucus::simulation
