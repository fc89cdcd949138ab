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

#include <string>
#include <vector>

using namespace caucus;

namespace {

const std::vector<int> ids{5, 4, 3};

bully<int> bully_of(node v) { return bully{ids[v], peer_ids(complete{3}, v, ids)}; }

std::size_t leaders(const auto& net) {
    std::size_t count = 0;
    for (std::size_t v = 0; v < net.nodes(); ++v) count += net.alive(v) && net[v].is_leader();
    return count;
}

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

}  // namespace

TEST_CASE("replay: a story of timers that ran out too early ends with two leaders here too") {
    const verdict v = explore(complete{3}, bully_of,
                              {.initiators = any_subset, .properties = {always(at_most_one_leader)},
                               .timers = timers::any_time});
    REQUIRE_FALSE(v.holds);
    CHECK(leaders(replay(v.counterexample, complete{3}, bully_of)) == 2);
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
