// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>

#include <doctest/doctest.h>

#include "../laws/topology.hpp"
#include "subjects.hpp"

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <caucus/wave/echo.hpp>

#include <cstddef>
#include <vector>

using namespace caucus;
using laws::refusal;
using subjects::diary;

namespace {

constexpr int ids[] = {17, 4, 42, 8};

template <class Make>
constexpr auto finished(auto topology, Make make, std::size_t initiator) {
    rounds sim{topology, make};
    sim.start(initiator);
    sim.run();
    return sim;
}

/// Does every node know the best id, and does that cost so many messages?
constexpr bool all_know_42(auto topology, auto make, std::uint64_t messages) {
    rounds sim{topology, make};
    sim.start_all();
    const report r = sim.run();
    for (std::size_t v = 0; v < 4; ++v)
        if (sim[v].leader() != 42 || sim[v].is_leader() != (v == 2)) return false;
    return r.messages == messages && r.stopped == stop::quiescent && r.outcomes >= 4;
}

/// A diary for every node: scripts[v] is what node v does when it starts.
auto diaries(std::vector<std::vector<diary::act>> scripts) {
    return [scripts](node v) { return diary{v < scripts.size() ? scripts[v] : scripts[0]}; };
}

using lines = std::vector<diary::line>;

}  // namespace

// Elections in constant evaluation.
static_assert(all_know_42(ring{4}, [](node v) { return chang_roberts{ids[v]}; }, 12));
static_assert(all_know_42(graph{4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}},
                          [](node v) { return extinction{ids[v]}; }, 15 + 3 + 3));
static_assert([] {
    rounds sim{complete{4}, [](node v) { return bully{ids[v], peer_ids(complete{4}, v, ids)}; }};
    sim.start(0);   // asks 42, which takes over
    const report r = sim.run();
    for (std::size_t v = 0; v < 4; ++v)
        if (sim[v].leader() != 42) return false;
    return r.messages == 1 + 1 + 3 && sim.now() == 2;
}());
static_assert([] {
    rounds sim{complete{4}, [](node v) { return bully{ids[v], peer_ids(complete{4}, v, ids)}; }};
    sim.start_all();
    sim.run();
    return sim[0].leader() == 42 && sim[1].leader() == 42 && sim[2].is_leader();
}());
static_assert(finished(star{5}, [](node) { return echo{1, sum{}}; }, 3)[3].value() == 5);

TEST_CASE("rounds: what is sent in round r is received in round r+1; starts are round 0") {
    rounds sim{ring{3}, diaries({{{0, 1}}})};
    sim.start(0);
    CHECK(sim.now() == 0);
    CHECK(sim[1].lines.empty());
    const report r = sim.run();
    CHECK(sim[1].lines == lines{{1, 1, 1}});
    CHECK(r.rounds == 1);
    CHECK(r.time() == 1);
    CHECK(r.messages == 1);
}

TEST_CASE("rounds: in one round, messages by port, then as sent, then timers by value") {
    // Node 2 hears node 1 by its port 1 and node 3 by its port 0.
    rounds sim{two_way_ring{4}, diaries({{},
                                         {{0, 12}, {0, 11}},
                                         {{-1, 5, 1}, {-1, 4, 1}, {-1, 6, 0}, {-1, 7, 2}},
                                         {{1, 31}, {1, 30}}})};
    for (const std::size_t v : {1u, 2u, 3u}) sim.start(v);
    sim.run();
    CHECK(sim[2].lines == lines{{0, 31, 1}, {0, 30, 1}, {1, 12, 1}, {1, 11, 1},
                                {-1, 4, 1}, {-1, 5, 1}, {-1, 6, 1}, {-1, 7, 2}});
}

TEST_CASE("rounds: a timer of delay 0 or 1 fires in the next round, idle rounds are skipped") {
    rounds sim{ring{2}, diaries({{{-1, 1, 1'000'000'000'000}, {-1, 2, 5}, {0, 9}}})};
    sim.start(0);
    int looked = 0;
    const report r = sim.run_until([&] { ++looked; return false; });
    CHECK(looked == 4);   // before the run, and after rounds 1, 5 and 10^12
    CHECK(sim[0].lines == lines{{-1, 2, 5}, {-1, 1, 1'000'000'000'000}});
    CHECK(r.rounds == 1'000'000'000'000);
    CHECK(sim.now() == r.rounds);
}

TEST_CASE("rounds: a run stops where it is told to, says why, and goes on from there") {
    const auto make = [](node v) { return chang_roberts{ids[v]}; };
    rounds sim{ring{4}, make};
    CHECK(sim.run().stopped == stop::quiescent);
    sim.start_all();
    CHECK(sim.run_for(0).stopped == stop::limit);
    CHECK(sim.run({.max_rounds = 2}).stopped == stop::limit);
    CHECK(sim.now() == 2);
    CHECK(sim.run({.max_rounds = 1}).rounds == 2);
    CHECK(sim.run({.max_ticks = 2}).stopped == stop::limit);
    // The less of the two counts.
    CHECK(sim.run({.max_rounds = 9, .max_ticks = 3}).stopped == stop::limit);
    CHECK(sim.now() == 3);
    CHECK(sim.run({.max_rounds = 3, .max_ticks = 9}).stopped == stop::limit);
    CHECK(sim.now() == 3);
    CHECK(sim.run_until([&] { return sim[2].is_leader(); }).stopped == stop::predicate);
    CHECK(sim.now() == 4);
    CHECK(sim.run_until([] { return true; }).rounds == 4);
    CHECK(sim.run_until([] { return false; }, {.max_rounds = 5}).stopped == stop::limit);
    const report r = sim.run_for(100);
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.rounds == 8);
    CHECK(sim.now() == 105);

    rounds whole{ring{4}, make};
    whole.start_all();
    CHECK(subjects::same_counts(r, whole.run()));
}

TEST_CASE("rounds: a limit on messages ends a run that would send more") {
    rounds sim{ring{4}, [](node v) { return chang_roberts{ids[v]}; }};
    sim.start_all();
    const report r = sim.run({.max_messages = 5});
    CHECK(r.stopped == stop::limit);
    CHECK(r.messages >= 5);
    CHECK(r.messages < 12);
    CHECK(sim.run().messages == 12);
}

TEST_CASE("rounds: after a run for some ticks, timers count from where the clock stands") {
    rounds sim{ring{2}, diaries({{{-1, 1, 3}}})};
    sim.run_for(2000);
    sim.start(1);
    sim.run_for(2);
    CHECK(sim.now() == 2002);
    CHECK(sim[1].lines.empty());
    sim.run();
    CHECK(sim[1].lines == lines{{-1, 1, 2003}});
}

TEST_CASE("rounds: once the last timer is disarmed, a bounded run is quiescent") {
    rounds sim{complete{4}, [](node v) { return bully{ids[v], peer_ids(complete{4}, v, ids)}; }};
    sim.start(2);   // the best one asks nobody
    CHECK(sim.run({.max_rounds = 1}).stopped == stop::quiescent);
    sim.start(0);   // asks the best one, is answered and disarms in time
    CHECK(sim.run({.max_rounds = 3}).stopped == stop::quiescent);
}

TEST_CASE("rounds: started twice, a node is one initiator; too late, it is none") {
    rounds sim{ring{4}, [](node v) { return chang_roberts{ids[v]}; }};
    sim.start(0);
    sim.start(0);
    CHECK(sim.run().size.initiators == 1);
    sim.start(1);
    CHECK(sim.run().size.initiators == 1);
    CHECK(sim.run().size.nodes == 4);
    CHECK(sim.run().size.links == 4);
}

TEST_CASE("rounds: one node alone") {
    rounds loop{ring{1}, [](node) { return chang_roberts{7}; }};
    loop.start(0);
    CHECK(loop.run().messages == 2);
    CHECK(loop[0].is_leader());
    rounds alone{complete{1}, [](node) { return bully{7, std::vector<int>{}}; }};
    alone.start(0);
    CHECK(alone.run().messages == 0);
    CHECK(alone[0].is_leader());
}
