// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>
#include <caucus/run/faults.hpp>

#include <cstddef>
#include <vector>

namespace caucus::simulation {

/// The intervals of a plan that go on at the moment, in the order in which they began. Only what
/// has begun can tell what ends: healing, crashes and whoever interferes by hand end some early.
class ongoing_faults {
public:
    using fault = fault_plan::fault;
    using kind = fault_plan::kind;

    void begin(const fault& f) {
        if (f.what == kind::partition) end_all(kind::partition);
        if (f.bound == never)   // by hand, or for good: twice is once
            std::erase_if(all_, [&](const fault& g) {
                return same_place(f, g.what, g.node, g.other) && g.bound == never;
            });
        all_.push_back(f);
    }
    /// Does nothing of the same go on now? An interval that was ended early ends nothing.
    bool end(const fault& f) {
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
    /// The one of those that began last, if any goes on.
    const fault* latest(kind what, std::size_t node = 0, std::size_t other = 0) const {
        for (std::size_t i = all_.size(); i-- != 0;)
            if (same_place(all_[i], what, node, other)) return &all_[i];
        return nullptr;
    }
    void end_all(kind what, std::size_t node = 0, std::size_t other = 0) {
        std::erase_if(all_, [&](const fault& f) { return same_place(f, what, node, other); });
    }
    void heal() { all_.clear(); }

private:
    static bool same_place(const fault& f, kind what, std::size_t node, std::size_t other) {
        return f.what == what && f.node == node && f.other == other;
    }
    static constexpr kind beginning_of(kind end) {
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

    std::vector<fault> all_;
};

}  // namespace caucus::simulation
