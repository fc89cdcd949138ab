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

/// Says three things at once, in between changes, and writes down whatever it is told.
struct historian {
    struct patience {};
    using message = int;
    using timer = patience;
    using outcome = int;
    int said = 0;
    int heard = 0;
    unsigned lives = 0;

    void start(auto& env) {
        env.send(next, ++said);
        env.arm(patience{}, 5);
        env.report(++said);
        env.send(next, ++said);
    }
    void on(int m, port, auto& env) {
        heard = 10 * heard + m;
        if (m == 3) env.send(next, 4);
    }
    void on(patience, auto&) { heard = 10 * heard + 7; }
    void on(const recovered<>&, auto& env) { env.send(next, ++said); }
    void on(suspect s, auto&) { lives |= 1u << s.life.value().number; }
    void on(trust t, auto&) { lives |= 256u << t.life.value().number; }
};

/// A node's part of a global state: nothing if it is dead, unless the dead are looked at, too.
using snapshot = std::vector<std::optional<std::uint64_t>>;
snapshot snapshot_of(const auto& g, bool of_the_dead) {
    snapshot s;
    for (std::size_t v = 0; v < g.nodes(); ++v) {
        s.push_back(g.alive(v) || of_the_dead ? std::optional{hash(g[v])} : std::nullopt);
        if (of_the_dead) s.push_back(g.alive(v));
    }
    return s;
}

/// Has explore tell a story of every state that it can reach, and replays each of them. Returns how
/// many there were.
template <class P>
std::size_t replay_all(auto topology, auto make, explore_options<P> options) {
    const auto reached = std::make_shared<std::set<snapshot>>();
    const auto seen = [&](const auto& g) { return snapshot_of(g, options.remember_dead); };
    options.properties = {always([=](const auto& g) {
        reached->insert(seen(g));
        return true;
    })};
    REQUIRE(explore(topology, make, options).complete);
    for (const snapshot& wanted : *reached) {
        options.properties = {always([&](const auto& g) { return seen(g) != wanted; })};
        const verdict v = explore(topology, make, options);
        REQUIRE_FALSE(v.holds);
        CAPTURE(v.counterexample.text());
        const bool lives_through_it = seen(replay(v.counterexample, topology, make)) == wanted;
        CHECK(lives_through_it);
    }
    return reached->size();
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

TEST_CASE("replay: a first start that a crash cut short is cut short here, too") {
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
    auto net = replay(v.counterexample, ring{2}, make);
    CHECK(net[0].written == 2);
    CHECK(net.run_for(1).messages == 1);   // of its second life

    story other = v.counterexample;
    other.opening.at(0).effects = 2;   // all that a start asks for
    CHECK_THROWS_WITH(replay(other, ring{2}, make),
                      "replay: the handler in which node 0 crashes asks for too little: "
                      "these are not the processes of the story");
}

TEST_CASE("replay: every story of a faulty world is lived through") {
    const auto all_of = [&](fault_budget faults, bool perfect, starting when) {
        return replay_all<diarist>(ring{2}, [](node) { return diarist{}; },
                                   {.faults = faults, .perfect_detector = perfect,
                                    .starting = when});
    };
    const fault_budget back{.crashes = 1, .restarts = 1};
    const fault_budget blank{.crashes = 1, .amnesias = 1};
    CHECK(all_of(back, false, starting::at_once) == 59);
    CHECK(all_of(back, true, starting::at_once) == 185);
    CHECK(all_of(back, false, starting::any_time) == 124);
    CHECK(all_of(blank, true, starting::at_once) == 137);
    CHECK(all_of(blank, false, starting::any_time) == 92);
    CHECK(all_of({.losses = 1, .cuts = 1}, false, starting::any_time) == 20);
    CHECK(all_of({.wrong_suspicions = 1}, false, starting::any_time) == 100);
    CHECK(all_of({.duplicates = 1}, false, starting::at_once) == 31);
    CHECK(replay_all<bully<int>>(complete{3}, bully_of,
                                 {.initiators = {1, 2}, .faults = back}) == 137);
}

TEST_CASE("replay: what crashes leave behind, in mid-handler too, and what is said of past lives") {
    const auto make = [](node) { return historian{}; };
    const auto all_of = [&](fault_budget faults) {
        return replay_all<historian>(ring{2}, make,
                                     {.initiators = {0}, .faults = faults,
                                      .detector = eventual{.wrong = 0}, .remember_dead = true});
    };
    CHECK(all_of({.crashes = 1, .midway = true}) == 39);
    CHECK(all_of({.crashes = 1, .fragile = true}) == 31);
    CHECK(all_of({.crashes = 1, .restarts = 1, .late_suspicions = true}) == 165);
    CHECK(all_of({.crashes = 1, .duplicates = 1, .midway = true}) == 114);
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
