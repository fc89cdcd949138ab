// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/compiled.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/core/time.hpp>
#include <caucus/run/faults.hpp>

#include <cstddef>
#include <vector>

namespace caucus::simulation {

/// A fault that happens, by plan or by hand: what stands in a plan, cheap to copy.
struct happening {
    happening(const fault_plan::fault& f, std::size_t nth = 0)
        : at(f.at), node(f.node), what(f.what), other(f.other), bound(f.bound), place(nth) {}
    happening(ticks when, std::size_t v, fault_plan::kind k, std::size_t u = 0)
        : at(when), node(v), what(k), other(u) {}

    ticks at;
    std::size_t node;
    fault_plan::kind what;
    std::size_t other;
    ticks bound = never;
    std::size_t place = 0;   // in the plan, where it stands there: there is more to know of some
};

/// The intervals of a plan that go on at the moment, in the order in which they began. Only what
/// has begun can tell what ends: healing, crashes and whoever interferes by hand end some early.
class ongoing_faults {
public:
    using kind = fault_plan::kind;

    void begin(const happening& f);
    /// Does nothing of the same go on now? An interval that was ended early ends nothing.
    bool end(const happening& f);
    /// The one of those that began last, if any goes on.
    const happening* latest(kind what, std::size_t node = 0, std::size_t other = 0) const;
    void end_all(kind what, std::size_t node = 0, std::size_t other = 0);
    void heal() { all_.clear(); }

private:
    static bool same_place(const happening& f, kind what, std::size_t node, std::size_t other) {
        return f.what == what && f.node == node && f.other == other;
    }
    static kind beginning_of(kind end);

    std::vector<happening> all_;
};

#ifdef CAUCUS_INLINE
CAUCUS_INLINE void ongoing_faults::begin(const happening& f) {
    if (f.what == kind::partition) end_all(kind::partition);
    if (f.bound == never)   // by hand, or for good: twice is once
        erase_where(all_, [&](const happening& g) {
            return same_place(f, g.what, g.node, g.other) && g.bound == never;
        });
    all_.push_back(happening{f});
}
CAUCUS_INLINE bool ongoing_faults::end(const happening& f) {
    const kind begun_as = beginning_of(f.what);
    for (std::size_t i = 0; i < all_.size(); ++i) {
        const bool is_it = same_place(all_[i], begun_as, f.node, f.other) &&
                           all_[i].at == f.bound && all_[i].bound == f.at;
        if (!is_it) continue;
        all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(i));
        return latest(begun_as, f.node, f.other) == nullptr;
    }
    return false;
}
CAUCUS_INLINE const happening* ongoing_faults::latest(kind what, std::size_t node,
                                                      std::size_t other) const {
    for (std::size_t i = all_.size(); i-- != 0;)
        if (same_place(all_[i], what, node, other)) return &all_[i];
    return nullptr;
}
CAUCUS_INLINE void ongoing_faults::end_all(kind what, std::size_t node, std::size_t other) {
    erase_where(all_, [&](const happening& f) { return same_place(f, what, node, other); });
}
CAUCUS_INLINE ongoing_faults::kind ongoing_faults::beginning_of(kind end) {
    switch (end) {
        case kind::resume: return kind::pause;
        case kind::mend: return kind::cut;
        case kind::unclog: return kind::clog;
        case kind::unite: return kind::partition;
        case kind::links_end: return kind::links;
        case kind::link_end: return kind::link;
        case kind::crashes_end: return kind::crashes;
        default: return end;
    }
}
#endif

}  // namespace caucus::simulation
