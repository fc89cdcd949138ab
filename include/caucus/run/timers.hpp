// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/random.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/core/time.hpp>
#include <caucus/run/agenda.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace caucus {

/// The armed timers of every node of a simulation. A timer is named by its value: arming it again
/// replaces it. Disarming leaves a stale wake-up behind that finds nothing to do; the last timer to
/// go takes them all along, so that a silent network is known to be silent.
template <class Timer>
class timer_book {
public:
    constexpr ticks next() const { return wakes_.next(); }

    constexpr void arm(std::size_t v, const Timer& t, ticks at, std::size_t nodes) {
        if (armed_.empty()) armed_.resize(nodes);
        disarm(v, t);
        armed_[v].push_back({t, at});
        ++armed_count_;
        wakes_.add(at, static_cast<std::uint32_t>(v));
    }

    constexpr void disarm(std::size_t v, const Timer& t) {
        if (armed_.empty()) return;
        std::vector<entry>& mine = armed_[v];
        for (std::size_t i = 0; i < mine.size(); ++i) {
            if (!same(mine[i].timer, t)) continue;
            std::swap(mine[i], mine.back());
            mine.pop_back();
            return count_out(1);
        }
    }

    /// A crash: the node's timers die with it.
    constexpr void forget(std::size_t v) {
        if (armed_.empty()) return;
        count_out(armed_[v].size());
        armed_[v].clear();
    }

    /// Calls fire(v, timer) for every timer due at `now`, each node's in order of value.
    /// A shuffle seed other than 0 changes which node goes first.
    constexpr void expire(ticks now, std::uint64_t shuffle_seed, auto fire) {
        wakes_.take(now, due_);
        if (shuffle_seed != 0) random_source{mix(shuffle_seed, now)}.shuffle(due_);
        for (const std::uint32_t v : due_) {
            ready_.clear();
            for (const entry& e : armed_[v])
                if (e.at == now) ready_.push_back(e);
            stable_sort(ready_, [](const entry& a, const entry& b) {
                return compare(a.timer, b.timer) < 0;
            });
            for (const entry& e : ready_) {
                // An earlier one of the same tick may have disarmed or re-armed this one.
                if (!still_due(v, e)) continue;
                disarm(v, e.timer);
                fire(v, e.timer);
            }
        }
    }

private:
    struct entry {
        Timer timer;
        ticks at = 0;
    };

    constexpr void count_out(std::size_t gone) {
        armed_count_ -= gone;
        if (armed_count_ == 0) wakes_.clear();
    }

    constexpr bool still_due(std::size_t v, const entry& due) const {
        for (const entry& e : armed_[v])
            if (e.at == due.at && same(e.timer, due.timer)) return true;
        return false;
    }

    std::vector<std::vector<entry>> armed_;   // per node, from the first timer on
    std::size_t armed_count_ = 0;
    std::vector<std::uint32_t> due_;
    std::vector<entry> ready_;
    agenda<std::uint32_t> wakes_;
};

}  // namespace caucus
