// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/simulation/arcs.hpp>
#include <caucus/run/faults.hpp>
#include <caucus/run/simulation/lots.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace caucus::simulation {

/// What is wrong with the links of a simulation at the moment, and what chance adds. Draws from a
/// stream of its own: faults change nothing of the delays.
class disturbances {
public:
    disturbances(std::shared_ptr<const arc_table> arcs, std::size_t nodes, std::uint64_t seed)
        : arcs_(std::move(arcs)), lots_(mix(seed, 0x6661756c74u)), cut_(arcs_->size(), 0),
          clogged_(arcs_->size(), 0), side_(nodes, 0) {}

    /// Chance on every link, or on one instead; without a value, none.
    void chance(std::optional<link_faults> faults) { everywhere_ = std::move(faults); }
    void chance(std::size_t from, std::size_t to, const std::optional<link_faults>& faults) {
        each_arc(from, to, [&](std::size_t arc) {
            if (own_.empty()) own_.resize(arcs_->size());
            own_[arc] = faults;
        });
    }
    void crashes(const random_crashes& by_chance) { crashes_ = by_chance; }

    void cut(std::size_t from, std::size_t to, bool on) {
        each_arc(from, to, [&](std::size_t arc) { cut_[arc] = on; });
    }
    void clog(std::size_t from, std::size_t to, bool on) {
        each_arc(from, to, [&](std::size_t arc) { clogged_[arc] = on; });
    }
    void partition(const std::vector<std::size_t>& side) {
        unite();
        for (const std::size_t v : side) {
            check_node(v);
            side_[v] = 1;
        }
    }
    void unite() { side_.assign(side_.size(), 0); }
    void heal() {
        cut_.assign(cut_.size(), 0);
        clogged_.assign(clogged_.size(), 0);
        unite();
        everywhere_.reset();
        own_.clear();
        crashes_ = {};
    }

    bool severed(std::size_t arc) const {
        const arc_table::ends& e = (*arcs_)[arc];
        return cut_[arc] != 0 || side_[e.from] != side_[e.to];
    }
    bool clogged(std::size_t arc) const { return clogged_[arc] != 0; }

    /// Is chance at work on that arc?
    const link_faults* faults_of(std::size_t arc) const {
        if (!own_.empty() && own_[arc]) return &*own_[arc];
        return everywhere_ ? &*everywhere_ : nullptr;
    }
    const random_crashes& crashes() const { return crashes_; }
    random_source draw(node v) { return lots_.draw(v, side_.size()); }

private:
    void check_node(std::size_t v) const {
        if (v >= side_.size())
            refuse("faults: there is no node ", v, " among ", side_.size());
    }
    void each_arc(std::size_t from, std::size_t to, auto f) const {
        check_node(from);
        check_node(to);
        if (!arcs_->between(from, to, f))
            refuse("faults: there is no link from node ", from, " to node ", to);
    }

    std::shared_ptr<const arc_table> arcs_;   // shared by copies of the simulation
    lots lots_;
    std::vector<char> cut_;         // per arc
    std::vector<char> clogged_;     // per arc
    std::vector<char> side_;        // per node
    std::optional<link_faults> everywhere_;
    std::vector<std::optional<link_faults>> own_;   // per arc, only if any differs
    random_crashes crashes_;
};

}  // namespace caucus::simulation
