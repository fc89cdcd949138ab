// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/random.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/core/time.hpp>
#include <caucus/run/simulation/agenda.hpp>
#include <caucus/run/simulation/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
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

    constexpr ticks next() const { return wakes_.next(); }
    /// Is none armed, not even for a tick that never comes?
    constexpr bool empty() const { return armed_count_ == 0; }

    constexpr void arm(std::size_t v, const Timer& t, ticks at, std::size_t nodes,
                       std::uint32_t late = 0) {
        if (rows_.empty()) rows_.resize(nodes);
        row& mine = rows_[v];
        if (entry* known = find(mine, t)) {
            known->at = at;
            known->late = late;
        } else {
            mine.armed.push_back({t, at, late});
            ++armed_count_;
        }
        wake(v, at);
    }

    constexpr void disarm(std::size_t v, const Timer& t) {
        if (rows_.empty()) return;
        row& mine = rows_[v];
        if (entry* known = find(mine, t)) {
            std::swap(*known, mine.armed.back());
            mine.armed.pop_back();
            count_out(1);
        }
    }

    /// The timers of node v that are armed, in no particular order.
    constexpr std::vector<Timer> armed(std::size_t v) const {
        std::vector<Timer> mine;
        if (!rows_.empty())
            for (const entry& e : rows_[v].armed) mine.push_back(e.timer);
        return mine;
    }

    /// The same with their deadlines, for whoever must stop a clock and set it going again.
    constexpr std::vector<entry> deadlines(std::size_t v) const {
        return rows_.empty() ? std::vector<entry>{} : rows_[v].armed;
    }

    /// A crash: the node's timers die with it.
    constexpr void forget(std::size_t v) {
        if (rows_.empty()) return;
        const std::size_t gone = rows_[v].armed.size();
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
            ready_.clear();
            for (const entry& e : rows_[v].armed)
                if (e.at == now) ready_.push_back(e);
            stable_sort(ready_, [](const entry& a, const entry& b) {
                return caucus::compare(a.timer, b.timer) < 0;
            });
            for (const entry& e : ready_) {
                // An earlier one of the same tick may have disarmed or re-armed this one.
                const entry* known = find(rows_[v], e.timer);
                if (known == nullptr || known->at != now) continue;
                disarm(v, e.timer);
                fire(v, e.timer);
            }
            for (const entry& e : rows_[v].armed) wake(v, e.at);
        }
    }

private:
    struct row {
        std::vector<entry> armed;
        ticks wake = never;           // the earliest wake-up that is on its way
        std::uint64_t lull = 0;       // and of which lull: all wake-ups of earlier ones are gone
    };

    constexpr void wake(std::size_t v, ticks at) {
        row& mine = rows_[v];
        if (mine.lull == lulls_ && mine.wake <= at) return;
        mine.wake = at;
        mine.lull = lulls_;
        wakes_.add(at, static_cast<std::uint32_t>(v));
    }

    /// When the last timer goes, wake-ups that find nothing to do must not keep a run alive.
    constexpr void count_out(std::size_t gone) {
        armed_count_ -= gone;
        if (armed_count_ != 0) return;
        wakes_.clear();
        ++lulls_;
    }

    static constexpr entry* find(row& mine, const Timer& t) {
        for (entry& e : mine.armed)
            if (caucus::same(e.timer, t)) return &e;
        return nullptr;
    }

    std::vector<row> rows_;   // per node, from the first timer on
    std::size_t armed_count_ = 0;
    std::uint64_t lulls_ = 0;
    std::vector<std::uint32_t> due_;
    std::vector<entry> ready_;
    agenda<std::uint32_t> wakes_;
};

}  // namespace caucus::simulation
