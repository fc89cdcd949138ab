// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/random.hpp>
#include <caucus/core/time.hpp>
#include <caucus/core/timer_table.hpp>
#include <caucus/run/simulation/agenda.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace caucus::simulation {

/// The armed timers of every node of a simulation. A timer is named by its value: arming it again
/// replaces it. A node is woken at its earliest deadline and then says when to wake it next, so a
/// watchdog that is put off at every tick leaves one wake-up behind, not one a tick.
template <class Timer>
class timer_book {
public:
    /// A timer that is armed. `late`: see drifting_clock.
    struct entry {
        Timer timer;
        ticks at = 0;
        std::uint32_t late = 0;
    };
    using entries = std::vector<entry>;

    constexpr ticks next() const { return wakes_.next(); }
    /// Is none armed, not even for a tick that never comes?
    constexpr bool empty() const { return armed_count_ == 0; }

    constexpr void arm(std::size_t v, const Timer& t, ticks at, std::size_t nodes,
                       std::uint32_t late = 0) {
        if (rows_.empty()) rows_.resize(nodes);
        table& mine = rows_[v].armed;
        armed_count_ -= mine.count();
        mine.arm(t, at, late);
        armed_count_ += mine.count();
        wake(v, at);
    }

    constexpr void disarm(std::size_t v, const Timer& t) {
        if (!rows_.empty() && rows_[v].armed.disarm(t)) count_out(1);
    }
    constexpr bool is_armed(std::size_t v, const Timer& t) const {
        return !rows_.empty() && rows_[v].armed.find(t) != nullptr;
    }

    /// The timers of node v that are armed, in the order in which they are due.
    constexpr std::vector<Timer> armed(std::size_t v) const {
        std::vector<Timer> mine;
        for (const entry& e : deadlines(v)) mine.push_back(e.timer);
        return mine;
    }

    /// The same with their deadlines, for whoever must stop a clock and set it going again.
    constexpr entries deadlines(std::size_t v) const {
        entries mine;
        if (!rows_.empty())
            for (const auto& e : rows_[v].armed.in_order())
                mine.push_back({e.timer, e.at, e.extra});
        return mine;
    }

    /// A crash: the node's timers die with it.
    constexpr void forget(std::size_t v) {
        if (rows_.empty()) return;
        const std::size_t gone = rows_[v].armed.count();
        rows_[v].armed.clear();
        count_out(gone);
    }

    /// Calls fire(v, timer) for every timer due at `now`, each node's in order of value.
    /// A shuffle seed other than 0 changes which node goes first.
    constexpr void expire(ticks now, std::uint64_t shuffle_seed, auto fire) {
        wakes_.take(now, due_);
        if (shuffle_seed != 0) random_source{mix(shuffle_seed, now)}.shuffle(due_);
        for (const std::uint32_t v : due_) {
            if (rows_[v].wake != now) continue;   // seen to already: every look would plan another
            rows_[v].wake = never;
            table& mine = rows_[v].armed;
            // What a timer arms is due at a later tick: this ends.
            while (!mine.empty() && mine.first().at <= now) {
                const Timer t = mine.take_first();
                count_out(1);
                fire(v, t);
            }
            if (!mine.empty()) wake(v, mine.first().at);
        }
    }

private:
    using table = timer_table<Timer, heap_storage, std::uint32_t>;
    struct row {
        table armed;
        ticks wake = never;             // the earliest wake-up that is on its way
        std::uint64_t generation = 0;   // of that wake-up: those of older generations were cleared
    };

    constexpr void wake(std::size_t v, ticks at) {
        row& mine = rows_[v];
        if (mine.generation == generation_ && mine.wake <= at) return;
        mine.wake = at;
        mine.generation = generation_;
        wakes_.add(at, static_cast<std::uint32_t>(v));
    }

    /// When the last timer goes, wake-ups that find nothing to do must not keep a run alive.
    constexpr void count_out(std::size_t gone) {
        armed_count_ -= gone;
        if (armed_count_ != 0) return;
        wakes_.clear();
        ++generation_;
    }

    std::vector<row> rows_;   // per node, from the first timer on
    std::size_t armed_count_ = 0;
    std::uint64_t generation_ = 0;
    std::vector<std::uint32_t> due_;
    agenda<std::uint32_t> wakes_;
};

/// For processes without timers: nothing to write down, and nothing to compile.
template <class Timer>
class no_timers {
public:
    struct entries {};

    static constexpr ticks next() { return never; }
    static constexpr bool empty() { return true; }
    static constexpr void arm(std::size_t, const Timer&, ticks, std::size_t, std::uint32_t = 0) {}
    static constexpr void disarm(std::size_t, const Timer&) {}
    static constexpr bool is_armed(std::size_t, const Timer&) { return false; }
    static constexpr std::vector<Timer> armed(std::size_t) { return {}; }
};

template <class Timer>
using timers_of =
    std::conditional_t<kinds_of<Timer> == 0, no_timers<Timer>, timer_book<Timer>>;

}  // namespace caucus::simulation
