// SPDX-License-Identifier: MIT
#include <caucus/run/replay.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/bullies.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace caucus;

namespace {

const std::vector<int> ids{5, 4, 3};

bully<int> bully_of(node v) { return bully{ids[v], peer_ids(complete{3}, v, ids)}; }

/// Decides by a coin, twice, and says what fell.
struct gambler {
    struct gossip { std::size_t coin; };
    using message = gossip;
    using timer = nothing;
    using outcome = nothing;
    std::size_t own = 9;
    std::size_t heard = 9;

    void start(auto& env) {
        own = env.choose(3);
        env.send(next, gossip{own});
    }
    void on(gossip g, port, auto& env) { heard = g.coin + 3 * env.choose(2); }
};

/// Keeps how often it has told its neighbour something, and listens to its detector.
struct diarist {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    using kept = int;
    int written = 0;
    int heard = 0;
    bool warned = false;
    bool relieved = false;

    void start(auto& env) { write(env); }
    void on(int m, port, auto& env) {
        heard = 10 * heard + m;
        if (m == 1) env.send(next, 2);
    }
    void on(const recovered<int>& r, auto& env) {
        written = r.last.value_or(0);
        write(env);
    }
    void on(suspect, auto&) { warned = true; }
    void on(trust, auto&) { relieved = true; }
    void write(auto& env) {
        env.keep(++written);
        env.send(next, 1);
    }
};

/// A node's part of a global state: nothing if it is dead.
using snapshot = std::vector<std::optional<std::uint64_t>>;
snapshot snapshot_of(const auto& g) {
    snapshot s;
    for (std::size_t v = 0; v < g.nodes(); ++v)
        s.push_back(g.alive(v) ? std::optional{hash(g[v])} : std::nullopt);
    return s;
}
bool cannot_be_replayed(const story& told) {
    for (const auto& steps : {told.opening, told.steps})
        for (const story_step& s : steps)
            if (s.what.cut_short || s.what.what == action::kind::duplicate)
                return true;
    return false;
}

struct tally_of_replays {
    std::size_t same = 0;
    std::size_t refused = 0;

    bool operator==(const tally_of_replays&) const = default;
};
/// Has explore tell a story of every state that it can reach, and replays each of them.
template <class P>
tally_of_replays replay_all(auto topology, auto make, explore_options<P> options) {
    const auto reached = std::make_shared<std::set<snapshot>>();
    options.properties = {always([=](const auto& g) {
        reached->insert(snapshot_of(g));
        return true;
    })};
    REQUIRE(explore(topology, make, options).complete);
    tally_of_replays count;
    for (const snapshot& wanted : *reached) {
        options.properties = {always([&](const auto& g) { return snapshot_of(g) != wanted; })};
        const verdict v = explore(topology, make, options);
        REQUIRE_FALSE(v.holds);
        CAPTURE(v.counterexample.text());
        if (cannot_be_replayed(v.counterexample)) {
            CHECK_THROWS_AS(replay(v.counterexample, topology, make), error);
            ++count.refused;
        } else {
            const bool lives_through_it =
                snapshot_of(replay(v.counterexample, topology, make)) == wanted;
            CHECK(lives_through_it);
            ++count.same;
        }
    }
    return count;
}

}  // namespace

TEST_CASE("replay: a story of timers that ran out too early ends with two leaders here too") {
    const verdict v = explore(complete{3}, bully_of,
                              {.initiators = any_subset, .properties = {always(at_most_one_leader)},
                               .timers = timers::any_time});
    REQUIRE_FALSE(v.holds);
    CHECK(support::leaders_alive(replay(v.counterexample, complete{3}, bully_of)) == 2);
}

TEST_CASE("replay: every step of a long story happens at its own tick, in any order of links") {
    const auto make = [](node v) { return chang_roberts{static_cast<int>(4 - v.index)}; };
    const auto nobody_knows = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (!g[v].leader()) return true;
        return false;
    };
    for (const bool fifo : {true, false}) {
        const verdict v = explore(ring{4}, make,
                                  {.properties = {always(nobody_knows)},
                                   .reduce = reduction::none, .fifo = fifo});
        REQUIRE_FALSE(v.holds);
        const auto net = replay(v.counterexample, ring{4}, make);
        CHECK(net.now() == v.counterexample.size());
        for (std::size_t u = 0; u < 4; ++u) CHECK(net[u].leader() == 4);
    }
}

TEST_CASE("replay: crashes, restarts and suspicions are part of the story") {
    const auto nothing_new = [](const auto& g) { return !(g.alive(2) && g[2].is_leader()); };
    const verdict v = explore(complete{3}, bully_of,
                              {.initiators = {2}, .properties = {always(nothing_new)},
                               .faults = {.crashes = 2}});
    REQUIRE_FALSE(v.holds);
    const auto net = replay(v.counterexample, complete{3}, bully_of);
    CHECK(net[2].is_leader());
    CHECK_FALSE(net.alive(0));
    CHECK_FALSE(net.alive(1));
}

TEST_CASE("replay: coins fall as they fell, those of the first starts too") {
    for (std::size_t wanted = 0; wanted < 6; ++wanted) {
        const auto other = [=](const auto& g) { return g[1].heard != wanted || g[1].own != 2; };
        const verdict v = explore(ring{2}, [](node) { return gambler{}; },
                                  {.properties = {always(other)}});
        REQUIRE_FALSE(v.holds);
        const auto net = replay(v.counterexample, ring{2}, [](node) { return gambler{}; });
        CHECK(net[1].heard == wanted);
        CHECK(net[1].own == 2);
    }
}

TEST_CASE("replay: a permutation of the ids is laid out as in the story") {
    const auto make = [](node v) { return chang_roberts{static_cast<int>(v.index)}; };
    const auto second_loses = [](const auto& g) { return !g[2].is_leader(); };
    const verdict v = explore(ring{3}, make,
                              {.properties = {always(second_loses)}, .orders = all_permutations});
    REQUIRE_FALSE(v.holds);
    CHECK(replay(v.counterexample, ring{3}, make)[2].is_leader());
}

TEST_CASE("replay: a first start that a crash cut short is refused, not run to its end") {
    // Node 0 has kept what it learnt and crashes before it has told node 1.
    const auto make = [](node) { return diarist{}; };
    const auto unheard_of = [](const auto& g) {
        return !(g.alive(0) && g[0].written == 2 && g.in_flight() == 1 && g[1].heard == 0);
    };
    const verdict v = explore(ring{2}, make,
                              {.initiators = {0}, .properties = {always(unheard_of)},
                               .faults = {.crashes = 1, .restarts = 1}});
    REQUIRE_FALSE(v.holds);
    REQUIRE(v.counterexample.opening.at(0).what.cut_short);
    CHECK_THROWS_WITH(
        replay(v.counterexample, ring{2}, make),
        "replay: node 0 crashes in the middle of a handler, which a simulation cannot do");
}

TEST_CASE("replay: every story of a faulty world is lived through, or refused by name") {
    const auto all_of = [&](fault_budget faults, bool perfect, starting when) {
        return replay_all<diarist>(ring{2}, [](node) { return diarist{}; },
                                   {.faults = faults, .perfect_detector = perfect,
                                    .starting = when});
    };
    using tally = tally_of_replays;
    const fault_budget back{.crashes = 1, .restarts = 1};
    const fault_budget blank{.crashes = 1, .amnesias = 1};
    CHECK(all_of(back, false, starting::at_once) == tally{31, 28});
    CHECK(all_of(back, true, starting::at_once) == tally{77, 108});
    CHECK(all_of(back, false, starting::any_time) == tally{72, 52});
    CHECK(all_of(blank, true, starting::at_once) == tally{77, 60});
    CHECK(all_of(blank, false, starting::any_time) == tally{72, 20});
    CHECK(all_of({.losses = 1, .cuts = 1}, false, starting::any_time) == tally{20, 0});
    CHECK(all_of({.wrong_suspicions = 1}, false, starting::any_time) == tally{100, 0});
    CHECK(all_of({.duplicates = 1}, false, starting::at_once) == tally{7, 24});
    CHECK(replay_all<bully<int>>(complete{3}, bully_of,
                                 {.initiators = {1, 2}, .faults = back}) == tally{137, 0});
}

TEST_CASE("replay: what is no story of these processes is refused") {
    const auto make = [](node v) { return chang_roberts{static_cast<int>(v.index)}; };
    CHECK_THROWS_WITH(replay(explore(ring{3}, make).counterexample, ring{3}, make),
                      "replay: there is no story, for the verdict tells of no schedule");
    const auto nobody = [](const auto& g) { return !g[2].is_leader(); };
    story told = explore(ring{3}, make, {.properties = {always(nobody)}}).counterexample;
    CHECK_THROWS_WITH(replay(told, ring{4}, make),
                      "replay: the story is one of 3 nodes, and here are 4");
    told.steps.push_back(told.steps.back());
    CHECK_THROWS_WITH(replay(told, ring{3}, make),
                      "replay: nobody has sent the message of step 6");

    const auto follows = [](const auto& g) { return g[2].leader() != 3; };
    const story waited = explore(complete{3}, bully_of,
                                 {.initiators = {2}, .properties = {always(follows)},
                                  .timers = timers::any_time}).counterexample;
    const std::vector<int> reversed{3, 4, 5};
    const auto best_last = [&](node v) {
        return bully{reversed[v], peer_ids(complete{3}, v, reversed)};
    };
    CHECK_THROWS_WITH(replay(waited, complete{3}, best_last),
                      "replay: node 2 has not armed the timer of step 1: "
                      "these are not the processes of the story");
}
