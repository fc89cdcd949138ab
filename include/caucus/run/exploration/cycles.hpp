// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>
#include <caucus/run/exploration/callback.hpp>
#include <caucus/run/exploration/state_graph.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// The strongly connected components of a graph, each numbered after all those that it leads to
/// (Tarjan 1972, with a stack of its own).
struct components {
    std::vector<std::uint32_t> of;         // of each state
    std::vector<std::uint32_t> members;    // all states, component after component
    std::vector<std::uint32_t> first{0};   // of each component in `members`; and one more

    std::uint32_t count() const { return static_cast<std::uint32_t>(first.size() - 1); }
    std::uint32_t size(std::uint32_t k) const { return first[k + 1] - first[k]; }

    /// `usable` says of each edge whether it counts; if it is empty, all do.
    explicit components(const state_graph& g, const std::vector<std::uint8_t>& usable = {})
        : of(g.states(), 0) {
        std::vector<std::uint32_t> found(g.states(), 0);   // the clock when found; 0: not yet
        std::vector<std::uint32_t> low(g.states(), 0);
        std::vector<std::uint8_t> closed(g.states(), 0);
        std::vector<std::uint32_t> open;
        std::vector<std::uint32_t> calls;
        std::vector<std::uint64_t> at;   // of each call: the edge that is next
        std::uint32_t clock = 0;
        const auto enter = [&](std::uint32_t s) {
            found[s] = low[s] = ++clock;
            open.push_back(s);
            calls.push_back(s);
            at.push_back(g.offsets[s]);
        };
        members.reserve(g.states());
        for (std::uint32_t root = 0; root < g.states(); ++root) {
            std::uint32_t next = root;
            if (found[root] != 0) continue;
            do {
                if (found[next] == 0) enter(next);
                const std::uint32_t s = calls.back();
                if (at.back() != g.offsets[s + 1]) {
                    const std::uint64_t e = at.back()++;
                    if (!usable.empty() && !usable[e]) continue;
                    next = g.edges[e].to;
                    if (found[next] != 0 && !closed[next]) low[s] = std::min(low[s], found[next]);
                    continue;
                }
                calls.pop_back();
                at.pop_back();
                if (!calls.empty()) low[calls.back()] = std::min(low[calls.back()], low[s]);
                if (low[s] == found[s]) close(s, open, closed);
            } while (!calls.empty());
        }
    }

private:
    /// What was found since s, and is open, is a component.
    void close(std::uint32_t s, std::vector<std::uint32_t>& open,
               std::vector<std::uint8_t>& closed) {
        for (std::uint32_t t = ~s; t != s;) {
            t = open.back();
            open.pop_back();
            closed[t] = 1;
            of[t] = count();
            members.push_back(t);
        }
        first.push_back(static_cast<std::uint32_t>(members.size()));
    }
};

struct bounds {
    std::uint64_t least = never;
    std::uint64_t most = 0;   // never: without bound
};

/// The fewest and the most messages from any of the roots to a state in which nothing more happens.
/// A reachable cycle that sends makes the most infinite, even if no end is reachable from it.
bounds count_messages(const state_graph& g, const auto& roots, auto ended) {
    const components c{g};
    std::vector<std::uint64_t> least(g.states(), never);
    std::vector<std::uint64_t> most(c.count(), 0);
    // A component leads only to components with lower numbers, which are done before it.
    for (std::uint32_t k = 0; k < c.count(); ++k) {
        for (std::uint32_t i = c.first[k]; i < c.first[k + 1]; ++i) {
            const std::uint32_t s = c.members[i];
            for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e) {
                const edge& next = g.edges[e];
                const bool round = c.of[next.to] == k;
                if (round && next.sent == 0) continue;
                const std::uint64_t on = round ? never : most[c.of[next.to]];
                most[k] = std::max(most[k], after(on, next.sent));
            }
        }
        // The least: repeat until nothing changes, but once for a component of a single state.
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t i = c.first[k]; i < c.first[k + 1]; ++i) {
                const std::uint32_t s = c.members[i];
                std::uint64_t best = ended(s) ? 0 : never;
                for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e)
                    best = std::min(best, after(least[g.edges[e].to], g.edges[e].sent));
                changed = changed || best < least[s];
                least[s] = std::min(least[s], best);
            }
            if (c.size(k) == 1) break;
        }
    }
    bounds total;
    for (const auto& root : roots) {
        total.least = std::min(total.least, after(least[root.index], root.messages));
        total.most = std::max(total.most, after(most[c.of[root.index]], root.messages));
    }
    return total;
}

using of_state = callback<bool(std::uint32_t)>;
using of_action = callback<bool(const action&)>;

/// Of each edge: is `holds` false at both its ends?
inline std::vector<std::uint8_t> edges_without(const state_graph& g, of_state holds) {
    std::vector<std::uint8_t> held(g.states(), 0);
    for (std::uint32_t s = 0; s < g.states(); ++s) held[s] = holds(s);
    std::vector<std::uint8_t> usable(g.edges.size(), 0);
    for (std::uint32_t s = 0; s < g.states(); ++s)
        for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e)
            usable[e] = !held[s] && !held[g.edges[e].to];
    return usable;
}

/// Is there a cycle on which `holds` is false everywhere? Fairness is not considered: a quick test
/// of whether the slow search for a fair cycle is needed.
inline bool any_cycle_without(const state_graph& g, of_state holds) {
    const std::vector<std::uint8_t> usable = edges_without(g, holds);
    const components c{g, usable};
    for (std::uint32_t s = 0; s < g.states(); ++s)
        for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e)
            if (usable[e] && c.of[g.edges[e].to] == c.of[s]) return true;
    return false;
}

/// Where a schedule can go round for ever: states, and the edges that it may take.
struct livelock {
    std::vector<std::uint32_t> states;
    std::vector<std::uint8_t> stays;   // of each edge of the graph
};

/// Whether what is said so far to be a livelock is one, by its states and edges.
using of_livelock = callback<bool(const std::vector<std::uint32_t>& states,
                                  const std::vector<std::uint8_t>& stays)>;

/// A part of the graph in which a fair schedule can stay for ever, over usable edges alone.
/// Fair: an action that is possible in every state of the cycle is taken on it, and a coin that is
/// tossed again and again shows every side again and again; and `is_fair`, which is asked last,
/// says so, too.
inline std::optional<livelock> fair_cycle_over(std::vector<std::uint8_t> usable,
                                               const state_graph& g,
                                               const std::vector<action>& actions,
                                               of_action obliged, of_livelock is_fair) {
    for (;;) {
        const components c{g, usable};
        for (std::uint32_t s = 0; s < g.states(); ++s)
            for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e)
                if (c.of[g.edges[e].to] != c.of[s]) usable[e] = 0;
        // A coin one of whose sides leads out will show it some day: no side of it stays inside.
        bool tightened = false;
        for (std::uint32_t s = 0; s < g.states(); ++s) {
            for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e) {
                if (!usable[e]) continue;
                for (std::uint64_t side = g.offsets[s]; side < g.offsets[s + 1]; ++side) {
                    if (g.edges[side].act != g.edges[e].act || usable[side]) continue;
                    usable[e] = 0;
                    tightened = true;
                    break;
                }
            }
        }
        if (tightened) continue;

        std::vector<std::uint32_t> taken(actions.size(), 0);    // the component + 1 that took it
        std::vector<std::uint32_t> noted(actions.size(), 0);    // the last state + 1 to allow it
        std::vector<std::uint32_t> states(actions.size(), 0);   // how many of a component do
        for (std::uint32_t k = 0; k < c.count(); ++k) {
            // What is possible in every state is possible in this one.
            const std::uint32_t one = c.members[c.first[k]];
            for (std::uint64_t e = g.offsets[one]; e < g.offsets[one + 1]; ++e)
                states[g.edges[e].act] = 0;
            bool goes_round = false;
            for (std::uint32_t i = c.first[k]; i < c.first[k + 1]; ++i) {
                const std::uint32_t s = c.members[i];
                for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e) {
                    const std::uint32_t act = g.edges[e].act;
                    if (usable[e]) taken[act] = k + 1;
                    goes_round = goes_round || usable[e];
                    if (noted[act] != s + 1) ++states[act];
                    noted[act] = s + 1;
                }
            }
            bool fair = goes_round;
            for (std::uint64_t e = g.offsets[one]; e < g.offsets[one + 1]; ++e) {
                const std::uint32_t act = g.edges[e].act;
                const bool everywhere = states[act] == c.size(k);
                if (everywhere && taken[act] != k + 1 && obliged(actions[act])) fair = false;
            }
            if (!fair) continue;
            std::vector<std::uint32_t> members;
            for (std::uint32_t i = c.first[k]; i < c.first[k + 1]; ++i)
                members.push_back(c.members[i]);
            if (is_fair(members, usable)) return livelock{std::move(members), std::move(usable)};
        }
        return std::nullopt;
    }
}

/// The same, where `holds` is false all along, and nothing else is asked for.
inline std::optional<livelock> fair_cycle_without(const state_graph& g,
                                                  const std::vector<action>& actions,
                                                  of_state holds, of_action obliged) {
    return fair_cycle_over(edges_without(g, holds), g, actions, obliged,
                           [](const auto&, const auto&) { return true; });
}

/// A fair way from `at` through the livelock and back to `at`, as edges: every action that is
/// possible all along the way is taken on it, and so are the edges in `also`.
inline std::vector<std::uint64_t> way_round(const state_graph& g, const livelock& l,
                                            std::uint32_t at, const std::vector<action>& actions,
                                            of_action obliged,
                                            const std::vector<std::uint64_t>& also = {}) {
    const auto possible = [&](std::uint32_t s, std::uint32_t act) {
        for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e)
            if (g.edges[e].act == act) return true;
        return false;
    };
    std::vector<std::uint64_t> round;
    std::uint32_t here = at;
    std::vector<std::uint32_t> starved;   // possible at `at` and ever since, and not done
    for (std::uint64_t e = g.offsets[at]; e < g.offsets[at + 1]; ++e)
        if (obliged(actions[g.edges[e].act])) starved.push_back(g.edges[e].act);
    // The shortest way on, over at least one edge, that ends with a good one.
    const auto walk_to = [&](callback<bool(std::uint64_t)> good) {
        std::vector<std::uint64_t> back(g.states(), never);   // the edge by which it was reached
        std::vector<std::uint32_t> from(g.states(), here);    // and where that comes from
        std::vector<std::uint32_t> queue{here};
        std::vector<std::uint64_t> way;
        for (std::size_t i = 0; i < queue.size() && way.empty(); ++i) {
            const std::uint32_t s = queue[i];
            for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1] && way.empty(); ++e) {
                const std::uint32_t to = g.edges[e].to;
                if (!l.stays[e]) continue;
                if (good(e)) {
                    way.push_back(e);
                    for (std::uint32_t t = s; t != here; t = from[t]) way.push_back(back[t]);
                } else if (to != here && back[to] == never) {
                    back[to] = e;
                    from[to] = s;
                    queue.push_back(to);
                }
            }
        }
        for (; !way.empty(); way.pop_back()) {
            round.push_back(way.back());
            here = g.edges[way.back()].to;
            std::erase_if(starved, [&](std::uint32_t act) {
                return act == g.edges[way.back()].act || !possible(here, act);
            });
        }
    };
    while (!starved.empty()) {
        const std::uint32_t act = *std::min_element(starved.begin(), starved.end());
        walk_to([&](std::uint64_t e) {
            return g.edges[e].act == act || !possible(g.edges[e].to, act);
        });
    }
    for (const std::uint64_t wanted : also)
        if (std::find(round.begin(), round.end(), wanted) == round.end())
            walk_to([&](std::uint64_t e) { return e == wanted; });
    if (here != at || round.empty()) walk_to([&](std::uint64_t e) { return g.edges[e].to == at; });
    return round;
}

}  // namespace caucus::exploration
