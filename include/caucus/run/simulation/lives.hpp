// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/time.hpp>
#include <caucus/run/simulation/clock.hpp>
#include <caucus/run/simulation/timer_book.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace caucus::simulation {

/// Of each node of a simulation: whether it lives, in which life, whether it stands still, what it
/// has kept, and how fast its clock runs. Costs nothing until something of that is unusual.
template <class Timer, class Kept>
class lives {
public:
    using armed_timers = std::vector<typename timer_book<Timer>::entry>;
    struct life {
        bool alive = true;
        bool start_waits = false;   // until it is no longer paused
        caucus::incarnation incarnation;
        std::optional<armed_timers> stopped_clock{};
    };

    explicit lives(std::size_t how_many) : nodes_(how_many) {}

    /// Has nobody ever crashed or paused?
    bool all_usual() const { return lives_.empty(); }
    std::size_t size() const { return lives_.size(); }
    life& operator[](std::size_t v) {
        if (lives_.empty()) lives_.resize(nodes_);
        return lives_[v];
    }
    bool alive(std::size_t v) const { return lives_.empty() || lives_[v].alive; }
    bool paused(std::size_t v) const {
        return !lives_.empty() && lives_[v].stopped_clock.has_value();
    }
    caucus::incarnation incarnation(std::size_t v) const {
        return lives_.empty() ? caucus::incarnation{} : lives_[v].incarnation;
    }

    void keep(std::size_t v, const Kept& value) {
        if (kept_.empty()) kept_.resize(nodes_);
        kept_[v] = value;
    }
    void forget(std::size_t v) {
        if (!kept_.empty()) kept_[v].reset();
    }
    std::optional<Kept> kept(std::size_t v) const {
        return kept_.empty() ? std::nullopt : kept_[v];
    }

    bool all_clocks_right() const { return clocks_.empty(); }
    const drifting_clock& clock(std::size_t v) const { return clocks_[v]; }
    /// From now on the node's clock runs at another pace, and so do its timers: those that wait
    /// until it is resumed here, the others in the book.
    void drift(std::size_t v, ticks now, std::int32_t parts_per_million, timer_book<Timer>& book) {
        if (clocks_.empty()) clocks_.resize(nodes_);
        const drifting_clock before = clocks_[v];
        clocks_[v].drift(now, parts_per_million);
        const auto moved = [&](const auto& armed) {
            return before.moved_to(clocks_[v], now, {armed.at, armed.late});
        };
        for (const auto& e : book.deadlines(v)) {
            const drifting_clock::deadline due = moved(e);
            book.arm(v, e.timer, due.at, nodes_, due.late);
        }
        if (!paused(v)) return;
        for (auto& e : *lives_[v].stopped_clock) {
            const drifting_clock::deadline due = moved(e);
            e.at = due.at;
            e.late = due.late;
        }
    }

private:
    std::size_t nodes_;
    std::vector<life> lives_;
    std::vector<std::optional<Kept>> kept_;
    std::vector<drifting_clock> clocks_;
};

}  // namespace caucus::simulation
