// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/run/detection.hpp>
#include <caucus/run/simulation/agenda.hpp>
#include <caucus/run/simulation/arcs.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace caucus::simulation {

/// The detectors of a simulation. Each arc v -> u is v's view of u; v is told of every change once.
class detection {
public:
    /// What v is to be told of the far end of an arc.
    struct word {
        std::size_t arc;
        bool suspected;
        bool wrong;    // though it may live
        ticks due = 0;
        std::uint32_t change = 0;   // how many deaths and returns of the far end came before
    };

    detection(detector_model model, std::shared_ptr<const arc_table> arcs, std::uint64_t seed)
        : model_(model), arcs_(std::move(arcs)), suspected_(arcs_->size(), 0),
          under_way_(arcs_->size(), 0), awaited_(arcs_->size(), 0), returned_(arcs_->size(), 0),
          changes_(arcs_->size(), 0) {
        random_source bits{mix(seed, 0x77726f6e67u)};
        if (arcs_->size() == 0 || model_.until() < 2) return;
        for (std::size_t i = 0; i < model_.wrong(); ++i) {
            const auto arc = static_cast<std::size_t>(bits.below(arcs_->size()));
            const ticks from = 1 + bits.below(model_.until() - 1);
            plan({arc, true, true, from});
            plan({arc, false, true, from + 1 + bits.below(model_.until() - from)});
        }
    }

    ticks next() const { return words_.next(); }
    /// For each observer by port, and by when they should have been told: not by who died first
    /// within a tick, and no postponed word after the one that takes it back.
    void take(ticks now, std::vector<word>& due) {
        words_.take(now, due);
        stable_sort(due, [&](const word& a, const word& b) {
            return a.arc != b.arc ? a.arc < b.arc : a.due < b.due;
        });
    }

    void sent(std::size_t arc) { ++under_way_[arc]; }
    /// Arrived, or lost.
    void gone(std::size_t arc, ticks now) {
        if (--under_way_[arc] != 0 || awaited_[arc] == 0) return;
        awaited_[arc] = 0;
        plan_word(arcs_->back(arc), true, now);
    }

    void crashed(std::size_t u, ticks now) {
        arcs_->each_into(u, [&](std::size_t arc) { plan_suspicion(arc, now); });
    }
    /// u lives again: it is trusted in time, and has itself to be told who is dead.
    void restarted(std::size_t u, ticks now, auto is_alive) {
        arcs_->each_into(u, [&](std::size_t arc) {
            const std::size_t back = arcs_->back(arc);
            if (back != arc_table::none) awaited_[back] = 0;
            ++changes_[arc];
            returned_[arc] = 1;
            plan_word(arc, false, now);
        });
        for (std::size_t arc = 0; arc < arcs_->size(); ++arc)
            if ((*arcs_)[arc].from == u) {
                suspected_[arc] = 0;
                if (!is_alive((*arcs_)[arc].to)) plan_suspicion(arc, now);
            }
    }

    /// Does the word still hold, and is it news? Then it counts as told.
    bool is_news(const word& w, bool subject_alive) {
        if (w.suspected == (suspected_[w.arc] != 0)) return false;
        if (w.wrong ? !w.suspected && !subject_alive : w.change != changes_[w.arc]) return false;
        suspected_[w.arc] = w.suspected;
        if (!w.suspected) returned_[w.arc] = 0;
        return true;
    }
    void postpone(const word& w, ticks at) { words_.add(at, w); }

private:
    void plan(const word& w) { words_.add(w.due, w); }
    void plan_word(std::size_t arc, bool suspected, ticks now) {
        plan({arc, suspected, false, after(now, model_.delay()), changes_[arc]});
    }
    void plan_suspicion(std::size_t arc, ticks now) {
        ++changes_[arc];   // what was still to be said of its last death or return is void
        // But for a return from a death that was told: else its next death would be no news.
        if (returned_[arc] != 0 && suspected_[arc] != 0) plan_word(arc, false, now);
        returned_[arc] = 0;
        const std::size_t back = arcs_->back(arc);
        if (model_.is_perfect() && back != arc_table::none && under_way_[back] != 0)
            awaited_[back] = 1;
        else
            plan_word(arc, true, now);
    }

    detector_model model_;
    std::shared_ptr<const arc_table> arcs_;   // shared by copies of the simulation
    std::vector<char> suspected_;               // per arc: what its source was told of its end
    std::vector<std::uint32_t> under_way_;      // per arc: messages
    std::vector<char> awaited_;                 // per arc: a suspicion waits for the last of them
    std::vector<char> returned_;                // per arc: its end has, and that is not told
    std::vector<std::uint32_t> changes_;        // per arc: deaths and returns of its end
    planned<word> words_;
};

}  // namespace caucus::simulation
