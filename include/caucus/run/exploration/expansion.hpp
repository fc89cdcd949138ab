// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/callback.hpp>
#include <caucus/run/exploration/state_space.hpp>
#include <caucus/trace/story.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::exploration {

/// One state whose successors are being listed. Whoever lists them prepares a copy of the state
/// (`copy`, `with`), changes it, and hands it out (`emit`), or lets a node's handler go on from
/// there (`react`).
class expansion {
public:
    using state = state_space::state;

    /// Memory of one expansion, reused by the next.
    struct scratch {
        state before;
        state after;
        ending nothing_asked = {};   // of events that run no handler
    };

    /// Gets each successor.
    using sink = callback<void(const action&, const ending&, const state&, std::uint64_t hash)>;

    expansion(state_space& all, const std::uint32_t* row, std::uint64_t row_hash, bool may_learn,
              sink to, scratch& memory)
        : space(all), s(row), learn(may_learn), hash_(row_hash), out_(to), room_(memory) {}

    state_space& space;
    const std::uint32_t* s;   // the state that is expanded
    bool learn;               // may handlers be run and tables grow? Only in one thread

    state& copy() {
        room_.before.assign(s, s + space.width());
        return room_.before;
    }
    state& with(const fate& f) {
        copy().back() = space.fates().index_of(f);
        return room_.before;
    }

    /// The handler's endings, each on a copy of what `copy` or `with` has prepared. False: they are
    /// not known yet, and `learn` is not allowed.
    bool react(const action& a, stimulus in) {
        const auto* endings = space.handlers().endings(
            room_.before[a.node], space.topology().degree(node{a.node}), in, learn);
        if (endings == nullptr) return false;
        const ending* const first = endings->data();
        const std::size_t count = endings->size();
        for (std::size_t i = 0; i < count; ++i) {
            const ending& e = first[i];
            room_.after = room_.before;
            if (!space.apply(e, e.effects.size(), a.node, room_.after, learn)) return false;
            emit(a, e, room_.after);
            if (space.crashes_midway()) crash_midway(a, e);
        }
        return true;
    }

    /// Hands out what `copy` or `with` has prepared, as it is: no handler is run.
    void emit(const action& a) { emit(a, room_.nothing_asked, room_.before); }

    /// A dead node has no state and no timers, so that fewer states differ; only its state is kept
    /// on request. Messages to it go, too, unless nodes can return: then they may reach the next
    /// life.
    void kill(std::uint32_t v, state& dying) {
        fate f = space.fates()[dying.back()];
        f.alive &= ~(std::uint64_t{1} << v);
        f.pending &= f.alive;
        dying.back() = space.fates().index_of(f);
        if (!space.how().remember_dead) dying[v] = f.made[v];
        for (std::size_t arc = 0; arc < space.arcs(); ++arc)
            if (space.end_of(arc).node.index == v && !space.can_return())
                dying[space.nodes() + arc] = 0;
        if (space.has_timers()) dying[space.nodes() + space.arcs() + v] = 0;
    }

    std::uint32_t receiver(std::size_t arc) const {
        return static_cast<std::uint32_t>(space.end_of(arc).node.index);
    }

private:
    /// The node crashes after any part of what its handler asked for, when it asks for the next.
    void crash_midway(action a, const ending& e) {
        if (!learn || space.fate_of(s).budget.left(misfortune::crash) == 0) return;
        a.cut_short = true;
        for (std::size_t done = 0; done < e.effects.size(); ++done) {
            room_.after = room_.before;
            space.apply(e, done, a.node, room_.after, true);
            if (space.how().remember_dead) room_.after[a.node] = e.effects[done].asker - 1;
            const fate before = space.fates()[room_.after.back()];
            room_.after.back() = space.fates().index_of(before.spending(misfortune::crash));
            kill(a.node, room_.after);
            ending part = e;
            part.effects.resize(done);
            part.sends = 0;
            for (const effect& each : part.effects) part.sends += each.what == effect::kind::send;
            emit(a, part, room_.after);
        }
    }

    void emit(const action& a, const ending& e, const state& after) {
        std::uint64_t h = hash_;
        for (std::size_t at = 0; at < after.size(); ++at)
            if (after[at] != s[at]) h += space.slot(at, after[at]) - space.slot(at, s[at]);
        // A detector may repeat itself for ever: a repetition that changes nothing is no event.
        if (a.what == action::kind::suspect && h == hash_) return;
        out_(a, e, after, h);
    }

    std::uint64_t hash_;
    sink out_;
    scratch& room_;
};

}  // namespace caucus::exploration
