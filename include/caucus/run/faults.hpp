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

    void check() const {
        if (!(probability >= 0 && probability <= 1))
            refuse("random_crashes: the probability is not from 0 to 1");
    }
};

/// What goes wrong, and when, written down before the run:
///     fault_plan{}.crash(2, 100).restart(2, 500).links({.loss = 0.05}).partition({0, 1}, 200, 400)
/// Intervals are [from, until). Where two of the same overlap, the end of one does not end the
/// other. Faults of one tick happen in the order in which they were written. All but chance can
/// also be done by hand, on `events`.
class fault_plan {
public:
    enum class kind : std::uint8_t {
        crash, restart, amnesia, pause, resume, cut, mend, clog, unclog, partition, unite, heal,
        links, links_end, link, link_end, crashes, crashes_end, absent, arrive, leave
    };
    struct fault {
        ticks at;
        std::size_t node;
        kind what;
        std::size_t other = 0;              // the far end, for a link
        std::vector<std::size_t> side{};    // of a partition
        ticks bound = never;                // when the interval ends that it begins, or began
        link_faults chance{};               // of links, or of one link
        random_crashes strikes{};           // of crashes by chance
        std::optional<std::size_t> after_sends{};   // of a crash in the middle of a handler
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
    /// Said of the crash before it, `crash(2, 100).after_sends(3)`: it comes in the middle of the
    /// handler in which node 2 sends for the fourth time from tick 100 on. The third message is
    /// sent; the fourth is not, and what else that handler asks for is lost.
    fault_plan& after_sends(std::size_t count) {
        if (!crash_comes_last_) refuse("fault_plan: after_sends is said of a crash");
        if (last_is_planned_) faults_.back().after_sends = count;
        return *this;
    }
    /// With what it kept; with amnesia: with nothing but a new incarnation. The living stay.
    fault_plan& restart(std::size_t node, ticks at) { return add({at, node, kind::restart}); }
    fault_plan& amnesia(std::size_t node, ticks at) { return add({at, node, kind::amnesia}); }
    /// It is not there from the beginning: it arrives at `until`, in its first life, or by hand
    /// (`events::arrive`). What would reach it before is lost. A start that was asked of it comes
    /// when it does. To detectors that know of crashes it has not crashed: they do not speak of it.
    /// Those that listen for beats hear nothing of it, and suspect it like any silent node.
    fault_plan& absent(std::size_t node, ticks until = never) {
        return during(0, until, {0, node, kind::absent}, kind::arrive);
    }
    /// It goes, between two inputs, and never returns: to all others a crash, also to detectors and
    /// observers. Whoever has something to say before (`request::depart`) says it before.
    fault_plan& leave(std::size_t node, ticks at) { return add({at, node, kind::leave}); }
    /// Everything waits: messages, timers, the detector's words. Nothing is lost. A crash ends the
    /// pause: the next life is not paused, unless another interval begins in it.
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
    /// earlier partition, for good.
    fault_plan& partition(std::vector<std::size_t> side, ticks at, ticks until = never) {
        return during(at, until, {at, 0, kind::partition, 0, std::move(side)}, kind::unite);
    }
    /// The end of all cuts, clogs, pauses, partitions and chance that began before; what begins
    /// later comes and goes as planned. The dead stay dead.
    fault_plan& heal(ticks at) { return add({at, 0, kind::heal}); }

    /// By chance, on every link, or on that one instead. Where intervals overlap, the one that
    /// began last holds; when it ends, the one before holds again.
    fault_plan& links(link_faults faults, ticks from = 0, ticks until = never) {
        return during(from, until, {from, 0, kind::links, 0, {}, never, std::move(faults)},
                      kind::links_end);
    }
    fault_plan& link(std::size_t from, std::size_t to, link_faults faults, ticks at = 0,
                     ticks until = never) {
        return during(at, until, {at, from, kind::link, to, {}, never, std::move(faults)},
                      kind::link_end);
    }
    fault_plan& crashes(random_crashes by_chance, ticks from = 0, ticks until = never) {
        return during(from, until, {from, 0, kind::crashes, 0, {}, never, {}, by_chance},
                      kind::crashes_end);
    }

    /// In the order in which they were written; an interval is a beginning and an end.
    const std::vector<fault>& faults() const { return faults_; }
    /// The chance that was written last for every link, and for crashes; and for single links all.
    std::optional<link_faults> everywhere() const {
        std::optional<link_faults> last;
        for (const fault& f : faults_)
            if (f.what == kind::links) last = f.chance;
        return last;
    }
    std::vector<bad_link> bad_links() const {
        std::vector<bad_link> bad;
        for (const fault& f : faults_)
            if (f.what == kind::link) bad.push_back({f.node, f.other, f.chance});
        return bad;
    }
    random_crashes crashes() const {
        random_crashes last;
        for (const fault& f : faults_)
            if (f.what == kind::crashes) last = f.strikes;
        return last;
    }
    const std::vector<drifting>& clocks() const { return drifting_; }
    /// Does any link lose messages by chance, at any time? Cuts and partitions do not count.
    bool loses_by_chance() const {
        for (const fault& f : faults_)
            if ((f.what == kind::links || f.what == kind::link) && f.chance.loss > 0) return true;
        return false;
    }

private:
    fault_plan& during(ticks from, ticks until, fault begin, kind end) {
        if (until < from)
            refuse("fault_plan: an interval from ", from, " until ", until,
                   " ends before it begins");
        if (until == from) return *this;
        begin.bound = until;
        const fault over{until, begin.node, end, begin.other, {}, from};
        return add(std::move(begin)).add(over);
    }
    fault_plan& add(fault f) {
        crash_comes_last_ = f.what == kind::crash;
        last_is_planned_ = f.at != never;
        if (last_is_planned_) faults_.push_back(std::move(f));
        return *this;
    }

    std::vector<fault> faults_;
    std::vector<drifting> drifting_;
    bool crash_comes_last_ = false;   // of all that was written
    bool last_is_planned_ = false;    // what comes at `never` is not
};

}  // namespace caucus
