// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/run/agenda.hpp>
#include <caucus/run/arcs.hpp>
#include <caucus/run/delay.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace caucus {

// Who suspects whom in a simulation, unless the processes find out for themselves.

/// Nobody, unless by hand: `net.suspect(v, port)`.
struct none {};

/// Whoever crashed, and only those: `delay` ticks after the crash, or after the last message on the
/// link has arrived if that is later. Whoever restarts is trusted again.
struct perfect {
    ticks delay = 1;
};

/// As quick, but wrong that many times before `until`: a living neighbour is suspected, and trusted
/// again no later than `until`. The dead are suspected even while their messages are under way.
struct eventual {
    ticks delay = 1;
    std::size_t wrong = 10;
    ticks until = 1000;
};

/// One of the above. `by_hand{}` is as good as none.
class detector_model {
public:
    constexpr detector_model() = default;
    constexpr detector_model(none) {}
    constexpr detector_model(perfect p) : what_(p) {}
    constexpr detector_model(eventual e) : what_(e) {}
    detector_model(const by_hand&) {}

    constexpr bool watches() const { return what_.index() != 0; }
    constexpr bool is_perfect() const { return what_.index() == 1; }
    constexpr ticks delay() const {
        if (const auto* p = std::get_if<perfect>(&what_)) return p->delay == 0 ? 1 : p->delay;
        const auto* e = std::get_if<eventual>(&what_);
        return e == nullptr || e->delay == 0 ? 1 : e->delay;
    }
    /// How often wrong, and until when.
    constexpr std::size_t wrong() const {
        const auto* e = std::get_if<eventual>(&what_);
        return e == nullptr ? 0 : e->wrong;
    }
    constexpr ticks until() const {
        const auto* e = std::get_if<eventual>(&what_);
        return e == nullptr ? 0 : e->until;
    }

private:
    std::variant<none, perfect, eventual> what_;
};

/// The detectors of a simulation. Each arc v -> u is v's view of u; v is told of every change once.
class detection {
public:
    /// What v is to be told of the far end of an arc.
    struct word {
        std::size_t arc;
        bool suspected;
        bool wrong;    // though it may live
    };

    detection(detector_model model, std::shared_ptr<const arc_table> arcs, std::uint64_t seed)
        : model_(model), arcs_(std::move(arcs)), suspected_(arcs_->size(), 0),
          under_way_(arcs_->size(), 0), awaited_(arcs_->size(), 0) {
        random_source bits{mix(seed, 0x77726f6e67u)};
        if (arcs_->size() == 0 || model_.until() < 2) return;
        for (std::size_t i = 0; i < model_.wrong(); ++i) {
            const auto arc = static_cast<std::size_t>(bits.below(arcs_->size()));
            const ticks from = 1 + bits.below(model_.until() - 1);
            words_.add(from, {arc, true, true});
            words_.add(from + 1 + bits.below(model_.until() - from), {arc, false, true});
        }
    }

    ticks next() const { return words_.next(); }
    void take(ticks now, std::vector<word>& due) { words_.take(now, due); }

    void sent(std::size_t arc) { ++under_way_[arc]; }
    /// Arrived, or lost.
    void gone(std::size_t arc, ticks now) {
        if (--under_way_[arc] != 0 || awaited_[arc] == 0) return;
        awaited_[arc] = 0;
        words_.add(after(now, model_.delay()), {arcs_->back(arc), true, false});
    }

    void crashed(std::size_t u, ticks now) {
        arcs_->each_into(u, [&](std::size_t arc) { plan_suspicion(arc, now); });
    }
    /// u lives again: it is trusted in time, and has itself to be told who is dead.
    void restarted(std::size_t u, ticks now, auto is_alive) {
        arcs_->each_into(u, [&](std::size_t arc) {
            const std::size_t back = arcs_->back(arc);
            if (back != arc_table::none) awaited_[back] = 0;
            words_.add(after(now, model_.delay()), {arc, false, false});
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
        if (w.suspected ? subject_alive && !w.wrong : !subject_alive) return false;
        suspected_[w.arc] = w.suspected;
        return true;
    }
    void postpone(const word& w, ticks at) { words_.add(at, w); }

private:
    void plan_suspicion(std::size_t arc, ticks now) {
        const std::size_t back = arcs_->back(arc);
        if (model_.is_perfect() && back != arc_table::none && under_way_[back] != 0)
            awaited_[back] = 1;
        else
            words_.add(after(now, model_.delay()), {arc, true, false});
    }

    detector_model model_;
    std::shared_ptr<const arc_table> arcs_;   // shared by copies of the simulation
    std::vector<char> suspected_;               // per arc: what its source was told of its end
    std::vector<std::uint32_t> under_way_;      // per arc: messages
    std::vector<char> awaited_;                 // per arc: a suspicion waits for the last of them
    agenda<word> words_;
};

}  // namespace caucus
