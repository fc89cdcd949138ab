// SPDX-License-Identifier: MIT
// The registry's tree as lectures have it, and what becomes of it: each flaw by its shortest story.
#include <caucus/wave/spanning_tree.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>
#include <support/hanging.hpp>
#include <support/instances.hpp>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

enum class flaw : std::uint8_t {
    none,
    root_without_level, accepts_unset, moves_on_ties,   // of the code for joining
    takes_anyone, takes_lower, takes_lower_or_equal,    // of the code for a lost parent
    ignores_the_parents_level                           // and takes anyone
};

/// The registry's answer is known beforehand: `list`. No node asks those below it to let go.
struct lecture {
    struct connect {};
    struct accept { int level; };
    struct level { int hops; };
    using message = std::variant<connect, accept, level>;
    using timer = nothing;
    using outcome = nothing;
    static constexpr int unset = -1;

    flaw has = flaw::none;
    std::vector<port> list = {};
    int is_at = unset;
    int above = unset;                       // the parent's port
    std::vector<int> levels = {};            // of the neighbours
    port_set<> neighbours = {}, dead = {};
    int idle_moves = 0;                      // from one parent to another no nearer

    std::optional<port> parent() const {
        return above == unset ? std::nullopt : std::optional{port{above}};
    }
    std::optional<int> hops() const {
        return is_at == unset ? std::nullopt : std::optional{is_at};
    }
    bool is_root() const { return is_at == 0 && above == unset; }

    void start(auto& env) {
        levels.resize(env.degree(), unset);
        if (list.empty() && has != flaw::root_without_level) is_at = 0;
        for (const port p : list) {
            neighbours.insert(p);
            env.send(p, connect{});
        }
    }
    void on(connect, port from, auto& env) {
        levels.resize(env.degree(), unset);
        neighbours.insert(from);
        env.send(from, accept{is_at});
    }
    void on(accept m, port from, auto& env) { hear(m.level, from, env); }
    void on(level m, port from, auto& env) { hear(m.hops, from, env); }
    void on(suspect s, auto& env) {
        if (!dead.insert(s.whom) || above != static_cast<int>(s.whom.index())) return;
        reselect(env);
    }

    static auto fields(auto& t) {
        return std::tie(t.has, t.is_at, t.above, t.levels, t.neighbours, t.dead, t.idle_moves);
    }

private:
    void hear(int l, port from, auto& env) {
        levels[from] = l;
        const bool from_parent = above == static_cast<int>(from.index());
        if (from_parent && has == flaw::ignores_the_parents_level) return;
        if (from_parent && l == unset) return reselect(env);
        if (from_parent && l + 1 != is_at) return hang_from(from, env);
        if (l == unset && has != flaw::accepts_unset) return;
        const bool ties = has == flaw::moves_on_ties;
        if (!is_root() && !from_parent && (is_at == unset || l + 1 < is_at + (ties ? 1 : 0))) {
            idle_moves += above != unset && l + 1 == is_at;
            hang_from(from, env);
        }
    }
    void hang_from(port p, auto& env) {
        above = static_cast<int>(p.index());
        tell(levels[p] + 1, env);
    }
    void reselect(auto& env) {
        std::optional<port> best;
        for (const port p : ports(levels.size())) {
            if (!neighbours.contains(p) || dead.contains(p) || levels[p] == unset) continue;
            if (has == flaw::takes_lower && levels[p] >= is_at) continue;
            if (has == flaw::takes_lower_or_equal && levels[p] > is_at) continue;
            if (has == flaw::none) continue;   // nobody: stays without a parent
            if (!best || levels[p] < levels[*best]) best = p;
        }
        if (best) return hang_from(*best, env);
        above = unset;
        tell(unset, env);
    }
    void tell(int l, auto& env) {
        is_at = l;
        for (const port p : ports(levels.size()))
            if (neighbours.contains(p) && !dead.contains(p)) env.send(p, level{l});
    }
};

/// Node v connects to those that edges lead to from it; they start one after the other.
using connections = std::vector<std::pair<std::size_t, std::size_t>>;
auto lectures(flaw f, std::size_t n, const connections& edges) {
    return [f, n, &edges](node v) {
        lecture t{f};
        for (const auto& [from, to] : edges)
            if (from == v) t.list.push_back(way(from, to, n));
        return t;
    };
}
auto built(flaw f, std::size_t n, const connections& edges) {
    rounds sim{complete{n}, lectures(f, n, edges)};
    for (std::size_t v = 0; v < n; ++v) {
        sim.start(v);
        sim.run();
    }
    return sim;
}
verdict losing(flaw f, std::size_t n, const connections& edges, fault_budget faults) {
    const auto sim = built(f, n, edges);
    return explore(complete{n}, [&](node v) { return sim[v]; },
                   {.initiators = sizes{}, .properties = {always(no_circle)}, .faults = faults,
                    .perfect_detector = true});
}

}  // namespace

TEST_CASE("spanning_tree: the lecture's first node never gets level 0, and so nobody gets any") {
    const connections pair{{1, 0}};
    CHECK(built(flaw::none, 2, pair)[0].hops() == 0);
    CHECK(built(flaw::none, 2, pair)[1].hops() == 1);
    CHECK_FALSE(built(flaw::root_without_level, 2, pair)[0].hops().has_value());
    CHECK_FALSE(built(flaw::root_without_level, 2, pair)[1].hops().has_value());
}

TEST_CASE("spanning_tree: a neighbour without a level taken for parent: a circle that counts on") {
    const connections pair{{1, 0}};
    for (const flaw f : {flaw::none, flaw::accepts_unset}) {
        rounds sim{complete{2}, lectures(f, 2, pair)};
        sim.start(1);   // before node 0 has joined
        const report r = sim.run({.max_rounds = 20});
        CHECK((r.stopped == stop::quiescent) == (f == flaw::none));
        CHECK(sim[1].parent().has_value() == (f == flaw::accepts_unset));
        CHECK(sim[0].parent().has_value() == (f == flaw::accepts_unset));
    }
}

TEST_CASE("spanning_tree: who moves on ties tells everybody of a change that is none") {
    const connections diamond{{1, 0}, {2, 0}, {3, 1}, {3, 2}};
    CHECK(built(flaw::none, 4, diamond)[3].idle_moves == 0);
    CHECK(built(flaw::moves_on_ties, 4, diamond)[3].idle_moves == 1);
}

TEST_CASE("spanning_tree: any neighbour for a lost parent: one's own child, a circle at once") {
    const verdict v = losing(flaw::takes_anyone, 3, {{1, 0}, {2, 1}}, {.wrong_suspicions = 1});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 1);
}

TEST_CASE("spanning_tree: no further from the root than oneself: two siblings take each other") {
    const verdict v = losing(flaw::takes_lower_or_equal, 3, {{1, 0}, {2, 0}, {2, 1}},
                             {.crashes = 1});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 3);   // the root dies, both find out
}

TEST_CASE("spanning_tree: nearer to the root, as last heard: levels that are no more, a circle") {
    const connections diamond{{1, 0}, {2, 0}, {3, 1}, {3, 2}};
    const verdict v = losing(flaw::takes_lower, 4, diamond, {.crashes = 1});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 5);
}

TEST_CASE("spanning_tree: where levels can rise, who does not follow its parent is wrong") {
    // 2 loses the root and takes 1, so it moves from level 1 to 2; 3 hangs from 2.
    const connections edges{{1, 0}, {2, 0}, {2, 1}, {3, 2}};
    const auto sim = built(flaw::ignores_the_parents_level, 4, edges);
    const auto one_further = [](const global_state<lecture>& g) {
        return g[3].parent() != way(3, 2, 4) || *g[3].hops() == *g[2].hops() + 1;
    };
    const verdict v = explore(complete{4}, [&](node at) { return sim[at]; },
                              {.initiators = sizes{}, .properties = {finally(one_further)},
                               .faults = {.wrong_suspicions = 1}});
    CHECK_FALSE(v.holds);
}
