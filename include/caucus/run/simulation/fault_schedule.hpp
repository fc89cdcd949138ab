// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/compiled.hpp>
#include <caucus/core/error.hpp>
#include <caucus/run/faults.hpp>
#include <caucus/run/simulation/agenda.hpp>
#include <caucus/run/simulation/arcs.hpp>
#include <caucus/run/simulation/disturbances.hpp>
#include <caucus/run/simulation/ongoing_faults.hpp>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace caucus::simulation {

/// What is to go wrong in a simulation, and what goes on. Links it can disturb by itself; what
/// happens to nodes it leaves to the simulation.
class fault_schedule {
public:
    using kind = fault_plan::kind;

    /// Refuses what makes no sense there. Now, not when it happens: a plan that makes no sense
    /// must not depend on how far a run gets.
    void plan(fault_plan plan, const arc_view& arcs);
    ticks next() const { return to_come_.next(); }
    void take(ticks now, std::vector<happening>& due) { to_come_.take(now, due); }

    /// A pause or a fault of links, planned or not, begins, or ends as planned. May what was held
    /// up by it go on?
    bool pass(const happening& f, disturbances& links, const arc_view& arcs);
    void begin(const happening& f) { ongoing_.begin(f); }
    bool end(const happening& f) { return ongoing_.end(f); }
    /// What ends by hand has ended, whatever was planned.
    void end_all(kind what, std::size_t node = 0, std::size_t other = 0) {
        ongoing_.end_all(what, node, other);
    }
    void heal() { ongoing_.heal(); }

    /// What chance does on that arc, if anything.
    const link_faults* chance_on(std::size_t arc, const disturbances& links) const {
        const std::size_t place = links.chance_on(arc);
        return place == disturbances::no_chance ? nullptr : &plan_.faults()[place].chance;
    }
    /// After how many sends a planned crash comes, if it is one in the middle of a handler.
    std::optional<std::size_t> sends_before(const happening& crash) const {
        return plan_.faults()[crash.place].after_sends;
    }
    /// Does chance crash the node now? Then it also says when it is to return.
    bool strikes(node v, ticks now, disturbances& links);

private:
    static void check(const fault_plan::fault& f, const arc_view& arcs);
    /// Nothing happens to a node before it is there, or after it has left. What stands at place i
    /// is `absent` or `leave`.
    void check_presence(std::size_t i) const;
    void set_chance(const happening& changed, disturbances& links, const arc_view& arcs) const;

    fault_plan plan_;
    planned<happening> to_come_;
    ongoing_faults ongoing_;
};

#ifdef CAUCUS_INLINE
CAUCUS_INLINE void fault_schedule::plan(fault_plan plan, const arc_view& arcs) {
    plan_ = std::move(plan);
    for (std::size_t i = 0; i < plan_.faults().size(); ++i) {
        const fault_plan::fault& f = plan_.faults()[i];
        check(f, arcs);
        if (f.what == kind::absent || f.what == kind::leave) check_presence(i);
        to_come_.add(f.at, {f, i});
    }
}
CAUCUS_INLINE void fault_schedule::check_presence(std::size_t i) const {
    const auto verb = [](kind what) {
        switch (what) {
            case kind::crash: return "crash";
            case kind::restart: case kind::amnesia: return "restart";
            case kind::absent: return "be absent twice";
            case kind::leave: return "leave";
            default: return "";
        }
    };
    const fault_plan::fault& f = plan_.faults()[i];
    for (std::size_t j = 0; j < plan_.faults().size(); ++j) {
        const fault_plan::fault& g = plan_.faults()[j];
        if (j == i || g.node != f.node || *verb(g.what) == 0) continue;
        // Of one tick, in the order written; it arrives in the place behind that of its absence.
        if (f.what == kind::leave && (g.at > f.at || (g.at == f.at && j > i)))
            refuse("faults: node ", g.node, " has left at ", g.at, ", and cannot ", verb(g.what));
        if (f.what == kind::absent && (g.at < f.bound || (g.at == f.bound && j < i)))
            refuse("faults: node ", g.node, " is still absent at ", g.at, ", and cannot ",
                   verb(g.what));
    }
}
CAUCUS_INLINE void fault_schedule::check(const fault_plan::fault& f, const arc_view& arcs) {
    const auto check_node = [&](std::size_t v) {
        if (v >= arcs.nodes())
            refuse("simulation: there is no node ", v, " among ", arcs.nodes());
    };
    check_node(f.node);
    for (const std::size_t v : f.side) check_node(v);
    f.strikes.check();
    f.chance.check();
    if (f.chance.delay) f.chance.delay->check(arcs.size());
    if (f.what == kind::cut || f.what == kind::clog || f.what == kind::link) {
        check_node(f.other);
        if (arcs.between(f.node, f.other).empty())
            refuse("faults: there is no link from node ", f.node, " to node ", f.other);
    }
}
CAUCUS_INLINE bool fault_schedule::pass(const happening& f, disturbances& links,
                                        const arc_view& arcs) {
    switch (f.what) {
        case kind::cut: links.cut(arcs, f.node, f.other, true); break;
        case kind::clog: links.clog(arcs, f.node, f.other, true); break;
        case kind::partition: links.partition(plan_.faults()[f.place].side); break;
        case kind::links: case kind::link: case kind::crashes:
            ongoing_.begin(f);
            set_chance(f, links, arcs);
            return false;
        case kind::links_end: case kind::link_end: case kind::crashes_end:
            static_cast<void>(ongoing_.end(f));
            set_chance(f, links, arcs);
            return false;
        default:
            if (!ongoing_.end(f)) return false;
            if (f.what == kind::mend) links.cut(arcs, f.node, f.other, false);
            if (f.what == kind::unite) links.unite();
            if (f.what == kind::unclog) links.clog(arcs, f.node, f.other, false);
            return f.what == kind::unclog;
    }
    ongoing_.begin(f);
    return false;
}
/// What goes on now decides, where something has begun or ended.
CAUCUS_INLINE void fault_schedule::set_chance(const happening& changed, disturbances& links,
                                              const arc_view& arcs) const {
    const auto in_force = [&](kind what) {
        const happening* f = ongoing_.latest(what, changed.node, changed.other);
        return f == nullptr ? disturbances::no_chance : f->place;
    };
    if (changed.what == kind::links || changed.what == kind::links_end) {
        links.chance(in_force(kind::links));
    } else if (changed.what == kind::link || changed.what == kind::link_end) {
        links.chance(arcs, changed.node, changed.other, in_force(kind::link));
    } else {
        const happening* f = ongoing_.latest(kind::crashes);
        links.crashes(f == nullptr ? random_crashes{} : plan_.faults()[f->place].strikes);
    }
}
CAUCUS_INLINE bool fault_schedule::strikes(node v, ticks now, disturbances& links) {
    const random_crashes by_chance = links.crashes();
    if (by_chance.probability <= 0) return false;
    random_source bits = links.draw(v);
    if (!bits.happens(by_chance.probability)) return false;
    if (by_chance.downtime_max != 0) {
        const ticks back = after(now, 1 + bits.below(by_chance.downtime_max));
        to_come_.add(back, {back, v, by_chance.amnesia ? kind::amnesia : kind::restart});
    }
    return true;
}
#endif

}  // namespace caucus::simulation
