// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/events.hpp>
#include <caucus/run/referee.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace caucus {

/// What a referee found in many runs: with the seed, a run can be seen again.
struct swarm_findings {
    struct failure {
        std::uint64_t seed = 0;
        violation first{};
    };
    std::uint64_t runs = 0;
    std::uint64_t outcomes = 0;    // in all runs: where there is none, nothing was tested
    std::vector<failure> failures{};
    /// The seeds of runs that had not come to rest, if the referee's word counts only then (it is
    /// `at_rest`), and in which nothing was broken that stays so.
    std::vector<std::uint64_t> undecided{};

    /// Was the rule kept in every run? Of one that is undecided nobody knows.
    bool holds() const { return failures.empty() && undecided.empty(); }
};

/// Draws a whole run's misfortunes from its seed: `events net{t, make, swarm{}.draw(seed, t)}`.
/// Each kind of fault is part of about every other run, so that none hides another for ever
/// (Groce et al., ISSTA 2012). Two storms come, and between them, from `calm_begins()` until
/// `calm_ends()`, and for good from `heals_at` on, nothing goes wrong: no message sent then takes
/// longer than `delay_max` or than what it queues behind (fifo, at most ten times as long), and at
/// least `survivors_min` nodes are alive, none of which comes or goes: time for liveness. Nodes
/// that arrive and leave in the storms are drawn on request (`newcomers_max`, `leavers_max`).
struct swarm {
    ticks heals_at = 10'000;
    ticks delay_max = 20;               // once healed; before that up to ten times as much
    std::size_t survivors_min = 1;
    std::size_t crashes_max = 3;
    std::size_t partitions_max = 3;
    std::int32_t drift_max = 10'000;    // parts per million, for good: no clock is ever right
    bool amnesia = true;                // may the crashed forget what they kept?
    std::size_t storms = 2;             // or 1, without a calm
    ticks calm = never;                 // how long it lasts; never: a quarter of heals_at
    std::size_t newcomers_max = 0;      // so many are not there from the beginning, in some runs
    std::size_t leavers_max = 0;        // and so many leave for good

    ticks calm_begins() const { return storms == 1 ? heals_at : (heals_at - calm_length()) / 2; }
    ticks calm_ends() const { return storms == 1 ? heals_at : calm_begins() + calm_length(); }

    template <topology T>
    events_options draw(std::uint64_t seed, const T& t) const {
        check(t.nodes());
        random_source bits{mix(seed, 0x737761726du)};
        events_options drawn;
        drawn.seed = seed;
        drawn.fifo = bits.below(2) == 0;
        drawn.delay = draw_delay(bits);
        drawn.outside_model = true;     // that is the point
        std::vector<stay> stays(t.nodes());
        draw_stays(drawn.faults, random_source{mix(seed, 0x73746179u)}, stays);
        draw_storm({0, calm_begins()}, drawn.faults, bits, t, stays);
        draw_drift(drawn.faults, bits, t.nodes());
        if (storms == 2) draw_storm({calm_ends(), heals_at}, drawn.faults, bits, t, stays);
        return drawn;
    }

    /// So many runs with seeds from 1 on, each until so long after it has healed: all start, and
    /// the referee, a copy for each, watches. One that is `at_rest` is not believed before a run
    /// has come to rest.
    template <topology T, class Make, referee Referee>
    swarm_findings judge(std::uint64_t runs, const T& t, const Make& make, const Referee& watcher,
                         ticks after_healing = 0) const {
        swarm_findings found{.runs = runs};
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            events net{t, make, draw(seed, t), watcher};
            net.start_all();
            const report r = net.run_for(heals_at + after_healing);
            found.outcomes += r.outcomes;
            const bool early = detail::judges_at_rest<Referee> && r.stopped != stop::quiescent;
            const std::vector<violation> seen =
                early ? detail::lasting_violations(net.watcher()) : net.watcher().violations();
            if (!seen.empty()) found.failures.push_back({seed, seen[0]});
            else if (early) found.undecided.push_back(seed);
        }
        return found;
    }

private:
    struct interval {
        ticks from;
        ticks until;
    };
    /// How long a node is there. Who crashes for good is not, from the end of that storm on.
    struct stay {
        ticks from = 0;
        ticks until = never;

        bool covers(interval when) const { return from <= when.from && when.until < until; }
        bool includes(ticks at) const { return from <= at && at < until; }
    };

    ticks calm_length() const { return calm == never ? heals_at / 4 : calm; }
    void check(std::size_t nodes) const {
        if (heals_at < 2 || delay_max < 2) refuse("swarm: heals_at and delay_max must exceed 1");
        if (storms != 1 && storms != 2) refuse("swarm: ", storms, " storms; there are 1 or 2");
        if (storms == 2 && (calm_length() > heals_at || calm_begins() < 2))
            refuse("swarm: a calm of ", calm_length(), " leaves no time for two storms before ",
                   heals_at);
        if (delay_max >> 40 != 0)
            refuse("swarm: a delay_max of ", delay_max, "; need less than 2^40");
        if (survivors_min > nodes)
            refuse("swarm: ", survivors_min, " survivors among ", nodes, " nodes");
        if (drift_max < 0 || drift_max >= 1'000'000)
            refuse("swarm: drift_max must be from 0 to 999,999");
    }

    /// May the node be gone from then on? In the calms that follow enough others must be there.
    bool may_go(std::size_t v, ticks from, const std::vector<stay>& stays) const {
        for (const ticks calm_at : {calm_begins(), heals_at}) {
            std::size_t others = 0;
            for (std::size_t u = 0; u < stays.size(); ++u)
                others += u != v && stays[u].includes(calm_at);
            if (from <= calm_at && others < survivors_min) return false;
        }
        return true;
    }
    /// With lots of its own: whoever asks for neither has the runs that there were before.
    void draw_stays(fault_plan& plan, random_source bits, std::vector<stay>& stays) const {
        const auto some = [&](std::size_t most, auto act) {
            if (most == 0 || bits.below(2) == 0) return;
            for (std::uint64_t left = bits.below(most + 1); left != 0; --left) {
                const bool late = storms == 2 && bits.below(2) == 0;
                const interval storm =
                    late ? interval{calm_ends(), heals_at} : interval{0, calm_begins()};
                const auto v = static_cast<std::size_t>(bits.below(stays.size()));
                act(v, storm.from + 1 + bits.below(storm.until - storm.from));
            }
        };
        some(newcomers_max, [&](std::size_t v, ticks at) {
            if (stays[v].from != 0 || (at > calm_begins() && !may_go(v, 0, stays))) return;
            stays[v].from = at;
            plan.absent(v, at);
        });
        some(leavers_max, [&](std::size_t v, ticks at) {
            if (stays[v].until != never || at <= stays[v].from || !may_go(v, at, stays)) return;
            stays[v].until = at;
            plan.leave(v, at);
        });
    }

    template <topology T>
    void draw_storm(interval storm, fault_plan& plan, random_source& bits, const T& t,
                    std::vector<stay>& stays) const {
        plan.links(draw_chance(bits), storm.from);
        draw_crashes(storm, plan, bits, stays);
        draw_bad_links(storm, plan, bits, t);
        draw_partitions(storm, plan, bits, t.nodes());
        draw_pauses(storm, plan, bits, t.nodes());
        plan.heal(storm.until);
    }
    /// Every other misfortune lasts to the end, or the quiet before healing would do the healing.
    static interval draw_interval(interval storm, random_source& bits) {
        const ticks from = storm.from + bits.below(storm.until - storm.from - 1);
        const ticks until = from + 1 + bits.below(storm.until - from);
        return {from, bits.below(2) == 0 ? storm.until : until};
    }

    /// Heavy tails in every other run: uniform jitter finds next to nothing.
    delay_model draw_delay(random_source& bits) const {
        switch (bits.below(4)) {
            case 0: return unit{};
            case 1: return uniform{1, delay_max};
            default: return heavy_tailed{1, delay_max};
        }
    }
    link_faults draw_chance(random_source& bits) const {
        link_faults chance;
        const auto up_to = [&](double most) {
            if (bits.below(2) == 0) return 0.0;
            return most * static_cast<double>(1 + bits.below(100)) / 100;
        };
        chance.loss = up_to(0.3);
        chance.duplication = up_to(0.3);
        chance.reordering = up_to(0.3);
        chance.late_max = 1 + bits.below(10 * delay_max);
        if (bits.below(2) == 0) chance.delay = heavy_tailed{1, 10 * delay_max};
        return chance;
    }
    void draw_crashes(interval storm, fault_plan& plan, random_source& bits,
                      std::vector<stay>& stays) const {
        if (bits.below(2) == 0) return;
        std::vector<char> struck(stays.size(), 0);
        for (std::uint64_t left = bits.below(crashes_max + 1); left != 0; --left) {
            const auto v = static_cast<std::size_t>(bits.below(stays.size()));
            const interval down = draw_interval(storm, bits);
            const std::uint64_t how = bits.below(3);
            // Who comes or goes in a storm has no other fate in it.
            if (struck[v] != 0 || !stays[v].covers(storm)) continue;
            if (how == 0 && !may_go(v, storm.until, stays)) continue;
            struck[v] = 1;
            plan.crash(v, down.from);
            if (how == 0) stays[v].until = storm.until;
            else if (how == 1 && amnesia) plan.amnesia(v, down.until);
            else plan.restart(v, down.until);
        }
    }
    template <topology T>
    static void draw_bad_links(interval storm, fault_plan& plan, random_source& bits,
                               const T& t) {
        const auto some_arc = [&](auto act) {
            const node v{static_cast<std::size_t>(bits.below(t.nodes()))};
            if (t.degree(v) == 0) return;
            const port p{bits.below(t.degree(v))};
            const interval when = draw_interval(storm, bits);
            act(v, t.across(v, p).node, when);
        };
        if (bits.below(2) == 0)
            for (std::uint64_t left = bits.below(4); left != 0; --left)
                some_arc([&](node from, node to, interval when) {
                    plan.cut(from, to, when.from, when.until);
                });
        if (bits.below(2) == 0)
            for (std::uint64_t left = bits.below(4); left != 0; --left)
                some_arc([&](node from, node to, interval when) {
                    plan.clog(from, to, when.from, when.until);
                });
    }
    void draw_partitions(interval storm, fault_plan& plan, random_source& bits,
                         std::size_t nodes) const {
        if (bits.below(2) == 0) return;
        for (std::uint64_t left = bits.below(partitions_max + 1); left != 0; --left) {
            const interval when = draw_interval(storm, bits);
            std::vector<std::size_t> side;
            for (std::size_t v = 0; v < nodes; ++v)
                if (bits.below(2) == 0) side.push_back(v);
            plan.partition(std::move(side), when.from, when.until);
        }
    }
    static void draw_pauses(interval storm, fault_plan& plan, random_source& bits,
                            std::size_t nodes) {
        if (bits.below(2) == 0)
            for (std::uint64_t left = bits.below(3); left != 0; --left) {
                const auto v = static_cast<std::size_t>(bits.below(nodes));
                const interval when = draw_interval(storm, bits);
                plan.pause(v, when.from, when.until);
            }
    }
    void draw_drift(fault_plan& plan, random_source& bits, std::size_t nodes) const {
        if (drift_max == 0 || bits.below(2) == 0) return;
        for (std::size_t v = 0; v < nodes; ++v) {
            const auto fast = static_cast<std::int64_t>(
                bits.below(2 * static_cast<std::uint64_t>(drift_max) + 1));
            plan.drift(v, static_cast<std::int32_t>(fast - drift_max));
        }
    }
};

}  // namespace caucus
