// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>
#include <caucus/run/exploration/table.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace caucus::exploration {

/// An armed timer, by its index, and the ticks left to it: 0 with timers::any_time.
struct alarm {
    std::uint32_t timer = 0;
    ticks left = 0;
};

/// The ticks left to a decision: it may come at once, and no time brings it nearer.
inline constexpr ticks whenever = never - 1;

/// All sets of alarms that some node has had, each with an index; 0 is the empty set. Changes are
/// computed once and looked up afterwards. Every function returns the index of the changed set, or
/// nothing if it was never computed and `learn` is false.
class alarms {
public:
    explicit alarms(bool timed) : timed_(timed) { sets_.index_of({}); }

    const std::vector<alarm>& operator[](std::uint32_t set) const { return sets_[set]; }
    std::size_t size() const { return sets_.size(); }
    std::uint64_t hash_of(std::uint32_t set) const { return sets_.hash_of(set); }
    std::size_t bytes() const { return sets_.bytes() + changed_.bytes() + aged_.bytes(); }

    /// With that timer armed anew; a delay of 0 disarms it.
    std::optional<std::uint32_t> changed(std::uint32_t set, std::uint32_t timer, ticks delay,
                                         bool learn) {
        if (set == 0 && delay == 0) return set;
        const std::uint64_t key = std::uint64_t{set} << 32 | timer;
        if (const auto* known = changed_.find(key, delay)) return *known;
        if (!learn) return std::nullopt;
        std::vector<alarm> now = sets_[set];   // in the order of their timers
        std::size_t at = 0;
        while (at < now.size() && now[at].timer != timer) ++at;
        if (at == now.size()) now.emplace_back();
        for (; at + 1 < now.size(); ++at) now[at] = now[at + 1];
        if (delay == 0) {
            now.pop_back();
        } else {
            for (; at > 0 && now[at - 1].timer > timer; --at) now[at] = now[at - 1];
            now[at] = {timer, timed_ ? delay : 0};
        }
        return changed_.insert(key, delay, sets_.index_of(now));
    }

    /// The set after that many ticks have passed.
    std::optional<std::uint32_t> aged(std::uint32_t set, ticks duration, bool learn) {
        if (set == 0) return set;
        if (const auto* known = aged_.find(set, duration)) return *known;
        if (!learn) return std::nullopt;
        std::vector<alarm> now = sets_[set];
        for (alarm& a : now)
            if (a.left != whenever) a.left -= duration;
        return aged_.insert(set, duration, sets_.index_of(now));
    }

private:
    bool timed_;
    table<std::vector<alarm>> sets_;
    memo<std::uint32_t> changed_;
    memo<std::uint32_t> aged_;
};

}  // namespace caucus::exploration
