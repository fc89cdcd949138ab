// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>
#include <caucus/run/exploration/state_graph.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// The strongly connected components of the part of a graph whose edges are `usable(from, number)`,
/// each numbered after all those that it leads to (Tarjan 1972, with a stack of its own).
struct components {
    std::vector<std::uint32_t> of;
    std::uint32_t count = 0;

    components(const state_graph& g, auto usable) : of(g.states(), 0) {
        struct visit {
            std::uint32_t state;
            std::uint64_t at;
        };
        std::vector<std::uint32_t> found(g.states(), 0);   // the clock when found; 0: not yet
        std::vector<std::uint32_t> low(g.states(), 0);
        std::vector<std::uint8_t> closed(g.states(), 0);
        std::vector<std::uint32_t> open;
        std::vector<visit> calls;
        std::uint32_t clock = 0;
        const auto enter = [&](std::uint32_t s) {
            found[s] = low[s] = ++clock;
            open.push_back(s);
            calls.push_back({s, g.offsets[s]});
        };
        for (std::uint32_t root = 0; root < g.states(); ++root) {
            if (found[root] != 0) continue;
            enter(root);
            while (!calls.empty()) {
                const std::uint32_t s = calls.back().state;
                if (calls.back().at != g.offsets[s + 1]) {
                    const std::uint64_t e = calls.back().at++;
                    if (!usable(s, e)) continue;
                    const std::uint32_t t = g.edges[e].to;
                    if (found[t] == 0) enter(t);
                    else if (!closed[t]) low[s] = std::min(low[s], found[t]);
                    continue;
                }
                calls.pop_back();
                if (!calls.empty())
                    low[calls.back().state] = std::min(low[calls.back().state], low[s]);
                if (low[s] != found[s]) continue;
                for (std::uint32_t t = ~s; t != s;) {
                    t = open.back();
                    open.pop_back();
                    closed[t] = 1;
                    of[t] = count;
                }
                ++count;
            }
        }
    }
};

struct bounds {
    std::uint64_t least = never;
    std::uint64_t most = 0;   // never: without bound
};

/// The fewest and the most messages from any of the roots to a state in which nothing more happens.
/// A reachable cycle that sends makes the most infinite, even if no end is reachable from it.
bounds count_messages(const state_graph& g, const auto& roots, auto ended) {
    const components c{g, [](std::uint32_t, std::uint64_t) { return true; }};
    std::vector<std::uint64_t> least(g.states(), never);
    std::vector<std::uint64_t> most(c.count, 0);
    std::vector<std::vector<std::uint32_t>> members(c.count);
    for (std::uint32_t s = 0; s < g.states(); ++s) members[c.of[s]].push_back(s);
    // A component leads only to components with lower numbers, which are done before it.
    for (std::uint32_t k = 0; k < c.count; ++k) {
        for (const std::uint32_t s : members[k]) {
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
            for (const std::uint32_t s : members[k]) {
                std::uint64_t best = ended(s) ? 0 : never;
                for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e)
                    best = std::min(best, after(least[g.edges[e].to], g.edges[e].sent));
                changed = changed || best < least[s];
                least[s] = std::min(least[s], best);
            }
            if (members[k].size() == 1) break;
        }
    }
    bounds total;
    for (const auto& root : roots) {
        total.least = std::min(total.least, after(least[root.index], root.messages));
        total.most = std::max(total.most, after(most[c.of[root.index]], root.messages));
    }
    return total;
}

/// Is there a cycle on which `holds` is false everywhere? Fairness is not considered: a quick test
/// of whether the slow search for a fair cycle is needed.
bool any_cycle_without(const state_graph& g, auto holds) {
    const auto usable = [&](std::uint32_t s, std::uint64_t e) {
        return !holds(s) && !holds(g.edges[e].to);
    };
    const components c{g, usable};
    for (std::uint32_t s = 0; s < g.states(); ++s)
        for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e)
            if (usable(s, e) && c.of[g.edges[e].to] == c.of[s]) return true;
    return false;
}

/// Where a schedule can go round for ever: states, and of each the edges that it may take.
struct livelock {
    std::vector<std::uint32_t> states;
    std::vector<std::vector<std::uint64_t>> edges;
};

/// A part of the graph in which a fair schedule can stay for ever while `holds` is false.
/// Fair: an action that is possible in every state of the cycle is taken on it, and a coin that is
/// tossed again and again shows every side again and again.
inline std::optional<livelock> fair_cycle_without(const state_graph& g,
                                                  const std::vector<action>& actions, auto holds,
                                                  auto obliged) {
    std::vector<std::uint8_t> barred(g.edges.size(), 0);
    for (;;) {
        const auto usable = [&](std::uint32_t s, std::uint64_t e) {
            return !barred[e] && !holds(s) && !holds(g.edges[e].to);
        };
        const components c{g, usable};
        const auto inner = [&](std::uint32_t s, std::uint64_t e) {
            return usable(s, e) && c.of[g.edges[e].to] == c.of[s];
        };
        // A coin one of whose sides leads out will show it some day: no side of it stays inside.
        bool tightened = false;
        for (std::uint32_t s = 0; s < g.states(); ++s) {
            for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e) {
                if (!inner(s, e)) continue;
                for (std::uint64_t side = g.offsets[s]; side < g.offsets[s + 1]; ++side) {
                    if (g.edges[side].act != g.edges[e].act || inner(s, side)) continue;
                    barred[e] = 1;
                    tightened = true;
                    break;
                }
            }
        }
        if (tightened) continue;

        std::vector<std::vector<std::uint32_t>> members(c.count);
        for (std::uint32_t s = 0; s < g.states(); ++s)
            if (!holds(s)) members[c.of[s]].push_back(s);
        for (const auto& states : members) {
            std::set<std::uint32_t> taken;
            std::set<std::uint32_t> everywhere;
            livelock found{states, {}};
            for (std::size_t i = 0; i < states.size(); ++i) {
                std::set<std::uint32_t> here;
                found.edges.emplace_back();
                for (std::uint64_t e = g.offsets[states[i]]; e < g.offsets[states[i] + 1]; ++e) {
                    if (obliged(actions[g.edges[e].act])) here.insert(g.edges[e].act);
                    if (!inner(states[i], e)) continue;
                    taken.insert(g.edges[e].act);
                    found.edges.back().push_back(e);
                }
                if (i == 0) everywhere = here;
                std::erase_if(everywhere, [&](std::uint32_t a) { return !here.contains(a); });
            }
            const bool fair = std::all_of(everywhere.begin(), everywhere.end(),
                                          [&](std::uint32_t a) { return taken.contains(a); });
            if (!taken.empty() && fair) return found;
        }
        return std::nullopt;
    }
}

/// A fair way from `at` through the livelock and back to `at`, as edges: every action that is
/// possible all along the way is taken on it.
inline std::vector<std::uint64_t> way_round(const state_graph& g, const livelock& l,
                                            std::uint32_t at, const std::vector<action>& actions,
                                            auto obliged) {
    std::map<std::uint32_t, std::size_t> place;
    for (std::size_t i = 0; i < l.states.size(); ++i) place[l.states[i]] = i;
    const auto possible = [&](std::uint32_t s, std::uint32_t act) {
        for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e)
            if (g.edges[e].act == act) return true;
        return false;
    };
    std::vector<std::uint64_t> round;
    std::uint32_t here = at;
    std::set<std::uint32_t> starved;   // possible at `at` and ever since, and not done
    for (std::uint64_t e = g.offsets[at]; e < g.offsets[at + 1]; ++e)
        if (obliged(actions[g.edges[e].act])) starved.insert(g.edges[e].act);
    const auto take = [&](std::uint64_t e) {
        round.push_back(e);
        here = g.edges[e].to;
        starved.erase(g.edges[e].act);
        std::erase_if(starved, [&](std::uint32_t act) { return !possible(here, act); });
    };
    // The shortest way on, over at least one edge, that ends with a good one.
    const auto walk_to = [&](auto good) {
        std::vector<std::pair<std::uint32_t, std::uint64_t>> back(l.states.size(), {here, never});
        std::vector<std::uint32_t> queue{here};
        std::vector<std::uint64_t> way;
        for (std::size_t i = 0; i < queue.size() && way.empty(); ++i) {
            for (const std::uint64_t e : l.edges[place[queue[i]]]) {
                const std::uint32_t to = g.edges[e].to;
                if (good(e)) {
                    way.push_back(e);
                    for (std::uint32_t s = queue[i]; s != here; s = back[place[s]].first)
                        way.push_back(back[place[s]].second);
                    break;
                }
                if (to == here || back[place[to]].second != never) continue;
                back[place[to]] = {queue[i], e};
                queue.push_back(to);
            }
        }
        for (auto e = way.rbegin(); e != way.rend(); ++e) take(*e);
    };
    while (!starved.empty()) {
        const std::uint32_t act = *starved.begin();
        walk_to([&](std::uint64_t e) {
            return g.edges[e].act == act || !possible(g.edges[e].to, act);
        });
    }
    if (here != at || round.empty()) walk_to([&](std::uint64_t e) { return g.edges[e].to == at; });
    return round;
}

}  // namespace caucus::exploration
