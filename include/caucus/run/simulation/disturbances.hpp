// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/compiled.hpp>
#include <caucus/run/faults.hpp>
#include <caucus/run/simulation/arcs.hpp>
#include <caucus/run/simulation/lots.hpp>
#include <caucus/run/simulation/per_arc.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::simulation {

/// What is wrong with the links of a simulation at the moment, and what chance adds. Draws from a
/// stream of its own: faults change nothing of the delays.
class disturbances {
public:
    /// A place in the plan, which says what chance does.
    using planned_chance = std::size_t;
    static constexpr planned_chance no_chance = ~std::size_t{0};

    disturbances(const arc_view& arcs, std::uint64_t seed)
        : lots_(mix(seed, 0x6661756c74u)), of_arcs_(arcs.size(), arcs.nodes()),
          side_(arcs.nodes(), 0) {}

    /// Chance on every link, or on one instead.
    void chance(planned_chance which) { everywhere_ = which; }
    void chance(const arc_view& arcs, std::size_t from, std::size_t to, planned_chance which);
    void crashes(const random_crashes& by_chance) { crashes_ = by_chance; }

    void cut(const arc_view& arcs, std::size_t from, std::size_t to, bool on);
    void clog(const arc_view& arcs, std::size_t from, std::size_t to, bool on);
    void partition(const std::vector<std::size_t>& side);
    void unite() { side_.assign(side_.size(), 0); }
    void heal();

    bool severed(std::size_t arc, std::size_t from, std::size_t to) const {
        const disturbance* d = of_arcs_.find(arc);
        return (d != nullptr && d->cut) || side_[from] != side_[to];
    }
    bool clogged(std::size_t arc) const {
        const disturbance* d = of_arcs_.find(arc);
        return d != nullptr && d->clogged;
    }

    /// Is chance at work on that arc?
    planned_chance chance_on(std::size_t arc) const {
        const disturbance* d = of_arcs_.find(arc);
        return d != nullptr && d->own != no_chance ? d->own : everywhere_;
    }
    const random_crashes& crashes() const { return crashes_; }
    random_source draw(node v) { return lots_.draw(v, side_.size()); }

private:
    struct disturbance {
        bool cut = false;
        bool clogged = false;
        planned_chance own = no_chance;   // instead of what chance does everywhere

        bool is_idle(ticks) const { return !cut && !clogged && own == no_chance; }
    };

    void check_node(std::size_t v) const;
    std::vector<std::size_t> between(const arc_view& arcs, std::size_t from, std::size_t to) const;

    lots lots_;
    per_arc<disturbance> of_arcs_;
    std::vector<char> side_;        // per node
    planned_chance everywhere_ = no_chance;
    random_crashes crashes_;
};

#ifdef CAUCUS_INLINE
CAUCUS_INLINE void disturbances::chance(const arc_view& arcs, std::size_t from, std::size_t to,
                                        planned_chance which) {
    for (const std::size_t arc : between(arcs, from, to)) of_arcs_.at(arc, 0).own = which;
}
CAUCUS_INLINE void disturbances::cut(const arc_view& arcs, std::size_t from, std::size_t to,
                                     bool on) {
    for (const std::size_t arc : between(arcs, from, to)) of_arcs_.at(arc, 0).cut = on;
}
CAUCUS_INLINE void disturbances::clog(const arc_view& arcs, std::size_t from, std::size_t to,
                                      bool on) {
    for (const std::size_t arc : between(arcs, from, to)) of_arcs_.at(arc, 0).clogged = on;
}
CAUCUS_INLINE void disturbances::partition(const std::vector<std::size_t>& side) {
    unite();
    for (const std::size_t v : side) {
        check_node(v);
        side_[v] = 1;
    }
}
CAUCUS_INLINE void disturbances::heal() {
    of_arcs_.clear();
    unite();
    everywhere_ = no_chance;
    crashes_ = {};
}
CAUCUS_INLINE void disturbances::check_node(std::size_t v) const {
    if (v >= side_.size()) refuse("faults: there is no node ", v, " among ", side_.size());
}
CAUCUS_INLINE std::vector<std::size_t> disturbances::between(
    const arc_view& arcs, std::size_t from, std::size_t to) const {
    check_node(from);
    check_node(to);
    std::vector<std::size_t> all = arcs.between(from, to);
    if (all.empty()) refuse("faults: there is no link from node ", from, " to node ", to);
    return all;
}
#endif

}  // namespace caucus::simulation
