// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/world.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

using candidate = chang_roberts<int>;
using ring_world = world<ring, candidate>;
using state = ring_world::state;

std::vector<candidate> candidates(std::size_t n) {
    std::vector<candidate> all_nodes;
    for (std::size_t v = 0; v < n; ++v) all_nodes.emplace_back(static_cast<int>(n - v));
    return all_nodes;
}

state root_of(auto& w, const auto& processes, std::uint64_t now, std::uint64_t later = 0) {
    state found;
    w.roots(processes, now, later,
            [&](const state& s, std::uint64_t h, std::uint64_t, const auto&) {
                CHECK(h == w.hash_of(s.data()));
                found = s;
            });
    return found;
}

/// How often each kind of thing can happen in s; checks the incremental hash on the way.
std::map<action::kind, int> possible(auto& w, const state& s) {
    std::map<action::kind, int> count;
    typename std::remove_reference_t<decltype(w)>::scratch room;
    const bool known =
        w.expand(s.data(), w.hash_of(s.data()), true, room,
                 [&](const action& a, const ending&, const state& next, std::uint64_t h) {
                     ++count[a.what];
                     CHECK(h == w.hash_of(next.data()));
                 });
    CHECK(known);
    return count;
}

}  // namespace

TEST_CASE("world: after all have started there is one delivery a link, and nothing else") {
    ring_world w{ring{3}, {}};
    const state s = root_of(w, candidates(3), 0b111);
    CHECK(possible(w, s) == std::map<action::kind, int>{{action::kind::deliver, 3}});
    CHECK_FALSE(w.quiet(s.data()));
    CHECK(w.content(s.data(), 0).size() == 1);
}

TEST_CASE("world: starts are events where they are to be, and hold messages back if they must") {
    ring_world waits{ring{3}, {.starts = starting::before_receiving}};
    state s = root_of(waits, candidates(3), 0, 0b111);
    CHECK(possible(waits, s) == std::map<action::kind, int>{{action::kind::start, 3}});
    ring_world free{ring{3}, {.starts = starting::any_time}};
    s = root_of(free, candidates(3), 0b001, 0b110);
    CHECK(possible(free, s) ==
          std::map<action::kind, int>{{action::kind::start, 2}, {action::kind::deliver, 1}});
}

TEST_CASE("world: faults are possible as long as their budgets last") {
    ring_world w{ring{3}, {.faults = {.crashes = 1, .losses = 1, .duplicates = 1}}};
    const state s = root_of(w, candidates(3), 0b111);
    auto count = possible(w, s);
    CHECK(count[action::kind::crash] == 3);
    CHECK(count[action::kind::lose] == 3);
    CHECK(count[action::kind::duplicate] == 3);
    ring_world::scratch room;
    std::vector<state> crashed;
    w.expand(s.data(), 0, true, room,
             [&](const action& a, const ending&, const state& next, std::uint64_t) {
                 if (a.what == action::kind::crash && a.node == 1) crashed.push_back(next);
             });
    REQUIRE(crashed.size() == 1);
    CHECK_FALSE(w.alive(crashed[0].data(), 1));
    CHECK(w.content(crashed[0].data(), 0).empty());   // what was on its way to the dead
    count = possible(w, crashed[0]);
    CHECK(count[action::kind::crash] == 0);
    CHECK(count[action::kind::lose] == 2);
}

TEST_CASE("world: timers run out after the messages, the nearest first, or at any time") {
    const std::vector<int> ids{3, 2, 1};
    std::vector<bully<int>> nodes;
    for (std::size_t v = 0; v < 3; ++v)
        nodes.push_back(bully{ids[v], peer_ids(complete{3}, node{v}, ids)});
    world<complete, bully<int>> later{complete{3}, {}};
    state s = root_of(later, nodes, 0b110);
    CHECK(possible(later, s)[action::kind::expire] == 0);
    CHECK(later.timers_armed(s.data()));
    world<complete, bully<int>> soon{complete{3}, {.when = timers::any_time}};
    s = root_of(soon, nodes, 0b110);
    CHECK(possible(soon, s)[action::kind::expire] == 2);
}

TEST_CASE("world: a ring is turned to its least row, and the turns of a row all give the same") {
    ring_world w{ring{4}, {}};
    std::vector<candidate> equal(4, candidate{1});
    state s = root_of(w, equal, 0);
    for (std::uint32_t v = 0; v < 4; ++v) s[v] = (v * 2 + 1) % 4;
    for (std::uint32_t a = 0; a < 4; ++a) s[4 + a] = a == 2 ? 1 : 0;
    state least = s;
    w.turn_to_least(least);
    for (std::size_t turn = 0; turn < 4; ++turn) {
        state turned = s;
        for (std::size_t v = 0; v < 4; ++v) {
            turned[v] = s[(v + turn) % 4];
            turned[4 + v] = s[4 + (v + turn) % 4];
        }
        const std::size_t back = w.turn_to_least(turned);
        CHECK(turned == least);
        CHECK(turned[0] == s[(back + turn) % 4]);
    }
}

TEST_CASE("world: more nodes than bits are refused") {
    CHECK_THROWS_WITH((ring_world{ring{65}, {}}),
                      "explore: more than 64 nodes, or faults on 64 arcs");
}
