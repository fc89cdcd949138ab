// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/time.hpp>
#include <caucus/run/simulation/clock.hpp>
#include <caucus/run/simulation/life_records.hpp>
#include <caucus/run/simulation/timer_book.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace caucus::simulation {

/// The lives of a simulation's nodes, with what depends on the process: what each has kept, and
/// the timers of those that stand still.
template <class Timer, class Kept>
class lives : public life_records {
    static constexpr bool has_timers = kinds_of<Timer> != 0;
    static constexpr bool keeps = kinds_of<Kept> != 0;
    using book = timers_of<Timer>;

public:
    using life_records::life_records;

    /// The node stands still: its timers leave the book.
    void pause(std::size_t v, [[maybe_unused]] book& timers) {
        if (paused(v)) return;
        (*this)[v].paused = true;
        if constexpr (has_timers) {
            if (stopped_.empty()) stopped_.resize(nodes());
            stopped_[v] = timers.deadlines(v);
            timers.forget(v);
        }
    }
    /// And come back, those that ran out meanwhile as due now.
    void resume(std::size_t v, [[maybe_unused]] ticks now, [[maybe_unused]] book& timers) {
        if (!paused(v)) return;
        (*this)[v].paused = false;
        if constexpr (has_timers) {
            for (const auto& [t, at, late] : stopped_[v])
                timers.arm(v, t, at < now ? now : at, nodes(), late);
            stopped_[v].clear();
        }
    }
    /// It dies, with its timers, and its next life is not paused.
    void crash(std::size_t v, [[maybe_unused]] book& timers) {
        life& l = (*this)[v];
        l = {.now = life_records::stage::crashed, .incarnation = l.incarnation};
        if constexpr (has_timers) {
            if (!stopped_.empty()) stopped_[v].clear();
            timers.forget(v);
        }
    }

    void keep([[maybe_unused]] std::size_t v, [[maybe_unused]] const Kept& value) {
        if constexpr (keeps) {
            if (kept_.empty()) kept_.resize(nodes());
            kept_[v] = value;
        }
    }
    void forget(std::size_t v) {
        if (!kept_.empty()) kept_[v].reset();
    }
    std::optional<Kept> kept(std::size_t v) const {
        return kept_.empty() ? std::nullopt : kept_[v];
    }

    /// From now on the node's clock runs at another pace, and so do its timers: those that wait
    /// until it is resumed here, the others in the book.
    void drift(std::size_t v, ticks now, std::int32_t parts_per_million,
               [[maybe_unused]] book& timers) {
        drifting_clock& clock = own_clock(v);
        [[maybe_unused]] const drifting_clock before = clock;
        clock.drift(now, parts_per_million);
        if constexpr (has_timers) {
            const auto moved = [&](const auto& armed) {
                return before.moved_to(clock, now, {armed.at, armed.late});
            };
            for (const auto& e : timers.deadlines(v)) {
                const drifting_clock::deadline due = moved(e);
                timers.arm(v, e.timer, due.at, nodes(), due.late);
            }
            if (!paused(v)) return;
            for (auto& e : stopped_[v]) {
                const drifting_clock::deadline due = moved(e);
                e.at = due.at;
                e.late = due.late;
            }
        }
    }

private:
    using armed_timers = typename book::entries;

    std::vector<armed_timers> stopped_;        // per node, as soon as any stood still
    std::vector<std::optional<Kept>> kept_;    // per node, as soon as any has kept something
};

}  // namespace caucus::simulation
