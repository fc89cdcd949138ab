// SPDX-License-Identifier: MIT
// The rows of tests/fault_matrix.md for waves, and for the tree of those present.
#include <caucus/core/policy.hpp>
#include <caucus/detector/heartbeat.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/wave/echo.hpp>
#include <caucus/wave/spanning_tree.hpp>
#include <caucus/wave/traversal.hpp>
#include <support/hanging.hpp>
#include <support/stacks.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;
using support::cell;
using support::fault;
using support::finding;

namespace {

/// What a run came to, and whether somebody said that it blocks.
struct end_of_run {
    finding found;
    bool said;
};
cell measure(fault what, const support::regime& how, auto run) {
    cell result;
    for (std::uint64_t seed = 1; seed <= how.runs_here(); ++seed) {
        const end_of_run end = run(what, seed, how);
        ++result.runs[static_cast<std::size_t>(end.found)];
        result.unsaid += end.found == finding::blocks && !end.said;
    }
    return result;
}
constexpr limits enough{.max_rounds = 200'000, .max_messages = 60'000};
limits enough_for(const support::regime& how, ticks over) {
    limits end = enough;
    if (how.settling != 0) end.max_rounds = over + how.settling;
    return end;
}

/// A wave that counts the nodes, from one initiator. `wave(id, peers)` makes a node.
auto counting(auto wave) {
    return [wave](fault what, std::uint64_t seed, const support::regime& how) {
        const std::size_t n = support::nodes_of_run(seed);
        const graph t = support::graphs(n, seed);
        const std::vector<int> ids = support::shuffled(n, seed);
        const auto make = [&](node v) { return wave(ids[v], peer_ids(t, v, ids)); };
        support::rehearsal known;
        known.winner = static_cast<std::size_t>(mix(seed)) % n;
        {
            events net{t, make, {.seed = seed, .fifo = how.fifo, .outside_model = true}};
            net.start(known.winner);
            net.run(enough);
            known.over = net.now();
        }
        const support::misfortune drawn = support::draw(what, seed, t, known, how);
        events net{t, make, drawn.options};
        net.start(known.winner);
        if (drawn.back != never && drawn.victim == known.winner) {
            net.run_for(drawn.back);
            net.start(drawn.victim);
        }
        net.run(enough_for(how, drawn.over));
        finding found = finding::blocks;
        for (const auto& each : net.outcomes())
            visit_kind(each.outcome, [&](const auto& kind) {
                if constexpr (requires { kind.value; })
                    if (found != finding::wrong)
                        found = kind.value == static_cast<int>(n) ? finding::tolerated
                                                                  : finding::wrong;
            });
        return end_of_run{found, support::says_stalled(net)};
    };
}

/// A simulation of layers around trees, as one of trees.
template <class Simulation>
struct innermost {
    const Simulation& net;
    std::size_t nodes() const { return net.nodes(); }
    bool alive(std::size_t v) const { return net.alive(v); }
    const auto& operator[](std::size_t v) const { return bare(net[v]); }

private:
    static const auto& bare(const auto& process) {
        if constexpr (requires { process.process(); }) return bare(process.process());
        else return process;
    }
};
template <class Simulation>
innermost(const Simulation&) -> innermost<Simulation>;

/// All join at once, by the registry at node 0. `join(registry)` makes a node, `join()` that.
auto hanging(auto join) {
    return [join](fault what, std::uint64_t seed, const support::regime& how) {
        const complete t{1 + support::nodes_of_run(seed)};
        const auto make = [&](node v) {
            return v == 0 ? join() : join(support::way(v, 0, t.nodes()));
        };
        const auto start_members = [&](auto& net) {
            for (std::size_t v = 1; v < t.nodes(); ++v) net.start(v);
        };
        support::rehearsal known;
        {
            events net{t, make, {.seed = seed, .fifo = how.fifo, .outside_model = true}};
            start_members(net);
            const innermost trees{net};
            net.run_until([&] { return support::all_hang(trees); }, enough);
            known.over = net.now();
            for (std::size_t v = 1; v < t.nodes(); ++v)
                if (trees[v].is_root()) known.winner = v;
        }
        const support::misfortune drawn = support::draw(what, seed, t, known, how);
        events net{t, make, drawn.options};
        start_members(net);
        const innermost trees{net};
        const auto unsafe = [&] {
            return !support::no_circle(trees) || !support::at_most_one_root(trees);
        };
        if (what == fault::amnesia) {   // it has to join again
            net.run_until(unsafe, {.max_rounds = drawn.over});
            net.start(drawn.victim);
        }
        net.run_until(unsafe, enough_for(how, drawn.over));
        const bool was_safe = !unsafe();
        if (how.settling != 0) {   // what was unsafe is so for a while only
            net.run(enough_for(how, drawn.over));
            CHECK(support::all_hang(trees));
            CHECK(!unsafe());
        }
        const finding calm = support::all_hang(trees) ? finding::tolerated : finding::blocks;
        return end_of_run{was_safe ? calm : finding::several, support::says_stalled(net)};
    };
}

void check_wave(const std::string& name, auto wave) {
    using process = decltype(wave(0, std::vector<int>{}));
    const support::regime how{};
    support::compare_row<process>(name, [&](fault what) {
        return measure(what, how, counting(wave));
    });
}

}  // namespace

TEST_CASE("fault matrix: waves") {
    check_wave("echo", [](int, const auto&) { return echo{1, sum{}}; });
    check_wave("traversal", [](int, const auto&) { return traversal{1, sum{}}; });
    check_wave("traversal, by_path", [](int id, const auto& peers) {
        return traversal{1, sum{}, by_path{id, peers}};
    });
    check_wave("reliable<echo>", [](int, const auto&) { return reliable{echo{1, sum{}}}; });
}

TEST_CASE("fault matrix: the tree of those present") {
    const auto bare = [](auto... registry) { return spanning_tree<>{registry...}; };
    const support::regime how{.fifo = true, .spared = 1};
    support::compare_row<spanning_tree<>>("spanning_tree", [&](fault what) {
        return measure(what, how, hanging(bare));
    });
    const auto watched = [](auto... registry) {
        return heartbeat{reliable{spanning_tree<>{registry...}}, {}, fixed_timeout{350}};
    };
    const support::regime watchful{.runs = 100, .trouble = 3000, .settling = 10'000,
                                   .detector = false, .spared = 1};
    using watched_tree = decltype(watched());
    support::compare_row<watched_tree>("heartbeat<reliable<spanning_tree>>", [&](fault what) {
        return measure(what, watchful, hanging(watched));
    });
}
