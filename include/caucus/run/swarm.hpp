// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/events.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace caucus {

/// Draws a whole run's misfortunes from its seed: `events net{t, make, swarm{}.draw(seed, t)}`.
/// Each kind of fault is part of about every other run, so that none hides another for ever
/// (Groce et al., ISSTA 2012). From `heals_at` on nothing goes wrong any more, no message sent then
/// takes longer than `delay_max` or than what it queues behind (fifo, at most ten times as long),
/// and at least `survivors_min` nodes are alive: time for liveness.
struct swarm {
    ticks heals_at = 10'000;
    ticks delay_max = 20;               // once healed; before that up to ten times as much
    std::size_t survivors_min = 1;
    std::size_t crashes_max = 3;
    std::size_t partitions_max = 3;
    std::int32_t drift_max = 10'000;    // parts per million, for good: no clock is ever right
    bool amnesia = true;                // may the crashed forget what they kept?

    template <topology T>
    events_options draw(std::uint64_t seed, const T& t) const {
        if (heals_at < 2 || delay_max < 2) refuse("swarm: heals_at and delay_max must exceed 1");
        random_source bits{mix(seed, 0x737761726du)};
        events_options drawn;
        drawn.seed = seed;
        drawn.fifo = bits.below(2) == 0;
        drawn.delay = draw_delay(bits);
        drawn.outside_model = true;     // that is the point
        drawn.faults.links(draw_chance(bits));
        draw_crashes(drawn.faults, bits, t.nodes());
        draw_bad_links(drawn.faults, bits, t);
        draw_partitions(drawn.faults, bits, t.nodes());
        draw_clocks(drawn.faults, bits, t.nodes());
        drawn.faults.heal(heals_at);
        return drawn;
    }

private:
    struct interval {
        ticks from;
        ticks until;
    };
    /// Every other misfortune lasts to the end, or the quiet before healing would do the healing.
    interval draw_interval(random_source& bits) const {
        const ticks from = bits.below(heals_at - 1);
        const ticks until = from + 1 + bits.below(heals_at - from);
        return {from, bits.below(2) == 0 ? heals_at : until};
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
    void draw_crashes(fault_plan& plan, random_source& bits, std::size_t nodes) const {
        if (bits.below(2) == 0) return;
        std::size_t alive = nodes;
        std::vector<char> struck(nodes, 0);
        for (std::uint64_t left = bits.below(crashes_max + 1); left != 0; --left) {
            const auto v = static_cast<std::size_t>(bits.below(nodes));
            const interval down = draw_interval(bits);
            const std::uint64_t how = bits.below(3);
            if (struck[v] != 0 || (how == 0 && alive == survivors_min)) continue;
            struck[v] = 1;
            plan.crash(v, down.from);
            if (how == 0) --alive;   // for good
            else if (how == 1 && amnesia) plan.amnesia(v, down.until);
            else plan.restart(v, down.until);
        }
    }
    template <topology T>
    void draw_bad_links(fault_plan& plan, random_source& bits, const T& t) const {
        const auto some_arc = [&](auto act) {
            const node v{static_cast<std::size_t>(bits.below(t.nodes()))};
            if (t.degree(v) == 0) return;
            const port p{bits.below(t.degree(v))};
            const interval when = draw_interval(bits);
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
    void draw_partitions(fault_plan& plan, random_source& bits, std::size_t nodes) const {
        if (bits.below(2) == 0) return;
        for (std::uint64_t left = bits.below(partitions_max + 1); left != 0; --left) {
            const interval when = draw_interval(bits);
            std::vector<std::size_t> side;
            for (std::size_t v = 0; v < nodes; ++v)
                if (bits.below(2) == 0) side.push_back(v);
            plan.partition(std::move(side), when.from, when.until);
        }
    }
    void draw_clocks(fault_plan& plan, random_source& bits, std::size_t nodes) const {
        if (bits.below(2) == 0)
            for (std::uint64_t left = bits.below(3); left != 0; --left) {
                const auto v = static_cast<std::size_t>(bits.below(nodes));
                const interval when = draw_interval(bits);
                plan.pause(v, when.from, when.until);
            }
        if (drift_max == 0 || bits.below(2) == 0) return;
        for (std::size_t v = 0; v < nodes; ++v) {
            const auto fast = static_cast<std::int64_t>(
                bits.below(2 * static_cast<std::uint64_t>(drift_max) + 1));
            plan.drift(v, static_cast<std::int32_t>(fast - drift_max));
        }
    }
};

}  // namespace caucus
