// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/compiled.hpp>
#include <caucus/run/delay.hpp>
#include <caucus/run/simulation/disturbances.hpp>
#include <caucus/run/simulation/fault_schedule.hpp>
#include <caucus/run/simulation/lots.hpp>
#include <caucus/run/simulation/per_arc.hpp>

#include <cstddef>
#include <utility>

namespace caucus::simulation {

/// When messages arrive. Whatever their delays, on a fifo link none overtakes another.
class transit {
public:
    /// Lost (no copies), or under way once or twice.
    struct fate {
        std::size_t copies = 0;
        ticks at[2] = {};
    };

    transit(delay_model delay, bool fifo, std::size_t arcs, std::size_t nodes)
        : delay_(std::move(delay)), fifo_(fifo), nodes_(nodes), last_(arcs, nodes) {
        delay_.check(arcs);
    }

    bool is_unit() const { return delay_.is_unit(); }
    ticks arrival(const hop& h, lots& chance) {
        return in_order(h, drawn(h, delay_, chance), delay_.keeps_order());
    }
    /// Over links that may be out of order. Chance, where the plan calls for it, decides over
    /// loss, then doubling, then order.
    fate over(disturbances& links, const fault_schedule& plan, const hop& h, lots& chance);

private:
    struct last_arrival {
        ticks at = 0;
        bool is_idle(ticks now) const { return at <= now; }
    };

    ticks drawn(const hop& h, const delay_model& delay, lots& chance) const {
        return after(h.sent, delay.draw(h, chance.draw(h.from, nodes_)));
    }
    ticks in_order(const hop& h, ticks at, bool is_so_already) {
        if (!fifo_ || is_so_already) return at;
        // No overtaking: at the same tick, sending order decides.
        ticks& last = last_.at(h.arc, h.sent).at;
        if (last < at) last = at;
        return last;
    }

    delay_model delay_;
    bool fifo_;
    std::size_t nodes_;
    per_arc<last_arrival> last_;   // only where order is at risk
};

#ifdef CAUCUS_INLINE
CAUCUS_INLINE transit::fate transit::over(disturbances& links, const fault_schedule& plan,
                                          const hop& h, lots& chance) {
    fate f;
    if (links.severed(h.arc, h.from, h.to)) return f;
    const link_faults* faults = plan.chance_on(h.arc, links);
    const delay_model& delay = faults != nullptr && faults->delay ? *faults->delay : delay_;
    std::size_t copies = 1;
    ticks late = 0;
    if (faults != nullptr) {
        random_source bits = links.draw(h.from);
        if (bits.happens(faults->loss)) return f;
        if (bits.happens(faults->duplication)) ++copies;
        if (bits.happens(faults->reordering)) late = 1 + bits.below(faults->late_max);
    }
    for (; f.copies != copies; ++f.copies) {
        const ticks at = drawn(h, delay, chance);
        f.at[f.copies] = late == 0 ? in_order(h, at, false) : after(at, late);
    }
    return f;
}
#endif

}  // namespace caucus::simulation
