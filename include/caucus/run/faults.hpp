// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/time.hpp>
#include <caucus/run/delay.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace caucus {

/// How a direction of a link misbehaves, each message by itself: probabilities from 0 to 1.
struct link_faults {
    double loss = 0;
    double duplication = 0;               // a second copy, with a delay of its own
    double reordering = 0;                // leaves the queue: others overtake it, fifo or not
    ticks late_max = 50;                  // by how much at most
    std::optional<delay_model> delay{};   // instead of the run's own

    void check() const {
        for (const double p : {loss, duplication, reordering})
            if (!(p >= 0 && p <= 1)) refuse("link_faults: a probability is not from 0 to 1");
        if (reordering > 0 && late_max == 0)
            refuse("link_faults: reordering needs a late_max of at least 1");
    }
};

/// Nodes that crash by chance, whenever a message reaches them.
struct random_crashes {
    double probability = 0;
    ticks downtime_max = 0;   // they restart after 1 … downtime_max ticks; 0: never
    bool amnesia = false;     // and have forgotten what they kept
};

/// What goes wrong, and when, written down before the run:
///     fault_plan{}.crash(2, 100).restart(2, 500).links({.loss = 0.05}).partition({0, 1}, 200, 400)
/// Intervals are [from, until). All that can be planned can also be done by hand, on `events`.
class fault_plan {
public:
    enum class kind : std::uint8_t {
        crash, restart, amnesia, pause, resume, cut, mend, clog, unclog, partition, unite, heal
    };
    struct fault {
        ticks at;
        std::size_t node;
        kind what;
        std::size_t other = 0;              // the far end, for a link
        std::vector<std::size_t> side{};    // of a partition
        ticks bound = never;                // when the interval ends that it begins, or began
    };
    struct bad_link {
        std::size_t from;
        std::size_t to;
        link_faults faults;
    };
    struct drifting {
        std::size_t node;
        std::int32_t parts_per_million;
    };

    fault_plan& crash(std::size_t node, ticks at) { return add({at, node, kind::crash}); }
    /// With what it kept; with amnesia: with nothing but a new incarnation. The living stay.
    fault_plan& restart(std::size_t node, ticks at) { return add({at, node, kind::restart}); }
    fault_plan& amnesia(std::size_t node, ticks at) { return add({at, node, kind::amnesia}); }
    /// Everything waits: messages, timers, the detector's words. Nothing is lost.
    fault_plan& pause(std::size_t node, ticks from, ticks until = never) {
        return during(from, until, {from, node, kind::pause}, kind::resume);
    }
    /// Its clock runs fast (or slow, below 0) by that much; the rest of the world keeps true time.
    fault_plan& drift(std::size_t node, std::int32_t parts_per_million) {
        drifting_.push_back({node, parts_per_million});
        return *this;
    }

    /// One way: nothing passes, neither what is sent meanwhile nor what would arrive.
    fault_plan& cut(std::size_t from, std::size_t to, ticks at, ticks until = never) {
        return during(at, until, {at, from, kind::cut, to}, kind::mend);
    }
    /// One way: whatever would arrive waits at the far end, in order.
    fault_plan& clog(std::size_t from, std::size_t to, ticks at, ticks until = never) {
        return during(at, until, {at, from, kind::clog, to}, kind::unclog);
    }
    /// Those nodes on one side, all others on the other: nothing passes between. Replaces an
    /// earlier partition.
    fault_plan& partition(std::vector<std::size_t> side, ticks at, ticks until = never) {
        return during(at, until, {at, 0, kind::partition, 0, std::move(side)}, kind::unite);
    }
    /// The end of cuts, clogs, pauses, partitions and chance. The dead stay dead.
    fault_plan& heal(ticks at) { return add({at, 0, kind::heal}); }

    /// By chance, on every link, or on that one instead.
    fault_plan& links(link_faults faults) {
        everywhere_ = std::move(faults);
        return *this;
    }
    fault_plan& link(std::size_t from, std::size_t to, link_faults faults) {
        bad_links_.push_back({from, to, std::move(faults)});
        return *this;
    }
    fault_plan& crashes(random_crashes by_chance) {
        crashes_ = by_chance;
        return *this;
    }

    /// In the order in which they were written.
    const std::vector<fault>& faults() const { return faults_; }
    /// Does another interval of the same go on when that one of `faults()` ends? Then nothing ends;
    /// but of partitions only one that has replaced it counts.
    bool goes_on(const fault& end) const {
        const kind begun_as = beginning_of(end.what);
        if (begun_as == end.what) return false;   // no interval ends
        for (const fault& f : faults_) {
            const bool covers = f.at <= end.at && end.at < f.bound;
            if (!covers || f.what != begun_as) continue;
            if (f.node != end.node || f.other != end.other) continue;
            const bool replaces = f.at > end.bound || (f.at == end.bound && &f > &end);
            if (f.what != kind::partition || replaces) return true;
        }
        return false;
    }
    const std::optional<link_faults>& everywhere() const { return everywhere_; }
    const std::vector<bad_link>& bad_links() const { return bad_links_; }
    const random_crashes& crashes() const { return crashes_; }
    const std::vector<drifting>& clocks() const { return drifting_; }

private:
    static constexpr kind beginning_of(kind end) {
        switch (end) {
            case kind::resume: return kind::pause;
            case kind::mend: return kind::cut;
            case kind::unclog: return kind::clog;
            case kind::unite: return kind::partition;
            default: return end;
        }
    }
    fault_plan& during(ticks from, ticks until, fault begin, kind end) {
        begin.bound = until;
        const fault over{until, begin.node, end, begin.other, {}, from};
        return add(std::move(begin)).add(over);
    }
    fault_plan& add(fault f) {
        if (f.at != never) faults_.push_back(std::move(f));
        return *this;
    }

    std::vector<fault> faults_;
    std::optional<link_faults> everywhere_;
    std::vector<bad_link> bad_links_;
    random_crashes crashes_;
    std::vector<drifting> drifting_;
};

}  // namespace caucus
