// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/run/simulation/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::simulation {

/// Of each node of a simulation: whether it lives, in which life, whether it stands still, and how
/// fast its clock runs. Costs nothing until something of that is unusual.
class life_records {
public:
    /// absent: it has not been there yet. left: it has gone, and will not return.
    enum class stage : std::uint8_t { absent, alive, crashed, left };
    struct life {
        stage now = stage::alive;
        bool paused = false;
        bool start_waits = false;   // until it is no longer absent or paused
        caucus::incarnation incarnation{};
    };

    explicit life_records(std::size_t how_many) : nodes_(how_many) {}

    /// Has everybody been there from the beginning, and never crashed or paused?
    bool all_usual() const { return lives_.empty(); }
    std::size_t size() const { return lives_.size(); }
    life& operator[](std::size_t v) {
        if (lives_.empty()) lives_.resize(nodes_);
        return lives_[v];
    }
    stage stage_of(std::size_t v) const { return lives_.empty() ? stage::alive : lives_[v].now; }
    bool alive(std::size_t v) const { return stage_of(v) == stage::alive; }
    /// It was there, and is no more. Who is absent has not died.
    bool gone(std::size_t v) const {
        return stage_of(v) == stage::crashed || stage_of(v) == stage::left;
    }
    std::size_t alive_now() const {
        std::size_t count = nodes_ - lives_.size();
        for (std::size_t v = 0; v < lives_.size(); ++v) count += alive(v);
        return count;
    }
    bool paused(std::size_t v) const { return !lives_.empty() && lives_[v].paused; }
    caucus::incarnation incarnation(std::size_t v) const {
        return lives_.empty() ? caucus::incarnation{} : lives_[v].incarnation;
    }

    bool all_clocks_right() const { return clocks_.empty(); }
    const drifting_clock& clock(std::size_t v) const { return clocks_[v]; }

protected:
    drifting_clock& own_clock(std::size_t v) {
        if (clocks_.empty()) clocks_.resize(nodes_);
        return clocks_[v];
    }
    std::size_t nodes() const { return nodes_; }

private:
    std::size_t nodes_;
    std::vector<life> lives_;
    std::vector<drifting_clock> clocks_;
};

}  // namespace caucus::simulation
