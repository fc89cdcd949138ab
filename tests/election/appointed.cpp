// SPDX-License-Identifier: MIT
#include <caucus/election/appointed.hpp>

#include <caucus/core/error.hpp>
#include <caucus/election/properties.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/star.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

using namespace caucus;

namespace {

const std::vector<int> ids{40, 10, 20, 30};

/// The centre of a star leads.
auto under_the_centre(std::size_t n) {
    return [n](node v) { return appointed{ids[v], peer_ids(star{n}, v, ids), ids[0]}; };
}
constexpr epoch<int> reign(std::uint32_t life) { return {0, 40, {life}}; }

}  // namespace

// Shape

static_assert(process<appointed<int>>);
static_assert(std::is_same_v<decltype(appointed{1, std::array{2, 3}, 3}),
                             appointed<int, inplace_storage<2>>>);
static_assert(sizeof(appointed<std::uint16_t, inplace_storage<4>>) <= 28);
static_assert(appointed{1, std::array{2, 3}, 1}.is_leader());
static_assert(appointed{1, std::array{2, 3}, 3}.leader() == 3);
static_assert(appointed{1, std::array{2, 3}, 3}.epoch() == epoch<int>{0, 3, {}});
static_assert(appointed{1, std::array{2, 3}, 3}.succeeds_nobody());
static_assert(appointed<int>::messages({.nodes = 9}).most == 0);

TEST_CASE("appointed: works with the least id") {
    const archetype::id a = archetype::id::ranked(1), b = archetype::id::ranked(2);
    const appointed follows{a, std::vector{b}, b};
    CHECK((!follows.is_leader() && follows.leader() == b));
}

TEST_CASE("appointed: a leader that is nobody's neighbour, or an own id among peers, is refused") {
    const auto objection = [](int self, std::vector<int> peers, int leader) {
        const char* words = appointed{self, peers, leader}.objection(peers.size());
        return std::string(words == nullptr ? "" : words);
    };
    CHECK(objection(1, {2, 3}, 3).empty());
    CHECK(objection(1, {}, 1).empty());
    CHECK(objection(1, {2, 3}, 4) == "appointed: its leader is not among its peers");
    CHECK(objection(1, {1, 3}, 3) == "its own id is among its peers");
    const auto by_a_leaf = [](node v) {
        return appointed{ids[v], peer_ids(star{3}, v, ids), ids[1]};
    };
    CHECK_THROWS_WITH_AS(events(star{3}, by_a_leaf), "simulation: node 2 cannot run there: "
                         "appointed: its leader is not among its peers", error);
}

// Liveness

TEST_CASE("appointed: all know from the beginning, and nothing is said") {
    events net{star{4}, under_the_centre(4)};
    for (std::size_t v = 0; v < 4; ++v) {
        CHECK(net[v].epoch() == reign(0));
        CHECK(net[v].is_leader() == (v == 0));
    }
    net.start_all();
    CHECK(net.run().messages == 0);
}

TEST_CASE("appointed: back from a crash the leader leads in a new epoch: n-1 messages") {
    events net{star{4}, under_the_centre(4)};
    net.start_all();
    net.crash(0);
    net.restart(0);
    CHECK(net.run().messages == 3);
    for (std::size_t v = 0; v < 4; ++v) CHECK(net[v].epoch() == reign(1));
    CHECK_FALSE(net[2].succeeds_nobody());
}

TEST_CASE("appointed: whoever else comes back asks in which epoch: two messages") {
    events net{star{4}, under_the_centre(4)};
    net.start_all();
    net.crash(0);
    net.restart(0);
    const std::uint64_t before = net.run().messages;
    net.crash(2);
    net.restart(2);
    CHECK_FALSE(net[2].epoch());
    CHECK_FALSE(net[2].leader());
    CHECK((net[2].awaits(port{0}) && !net[1].awaits(port{0})));
    CHECK(net.run().messages == before + 2);
    CHECK(net[2].epoch() == reign(1));
    CHECK_FALSE(net[2].awaits(port{0}));
}

TEST_CASE("appointed: who comes back while the leader is dead waits for it, and candid says so") {
    events net{star{3}, [](node v) { return candid{under_the_centre(3)(v)}; },
               {.detector = perfect{5}}};
    net.start_all();
    net.crash(0);
    net.run();
    CHECK(net.outcomes().empty());
    net.crash(2);
    net.restart(2);
    net.run();
    net.suspect(2, port{0});
    REQUIRE(net.outcomes().size() == 1);
    net.restart(0);
    net.run();
    CHECK(net[2].epoch() == reign(1));
    CHECK_FALSE(net[2].awaits(port{0}));
}

// Safety

TEST_CASE("appointed: any crashes and returns, links in any order: one epoch at last") {
    using process = appointed<int>;
    const auto all_know = [](const global_state<process>& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(0) && g.alive(v) && !(g[v].epoch() == g[0].epoch())) return false;
        return true;
    };
    const auto none_is_ahead = [](const global_state<process>& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g.alive(0) && g[v].epoch() && *g[0].epoch() < *g[v].epoch())
                return false;
        return true;
    };
    const auto anew = [](const global_state<process>& g) { return g[1].epoch() == reign(2); };
    const verdict v = explore(star{3}, under_the_centre(3),
                              {.properties = {always("nobody knows of an epoch before the leader",
                                                     none_is_ahead),
                                              finally("all know", all_know),
                                              sometimes("the second return", anew)},
                               .faults = {.crashes = 3, .restarts = 3, .duplicates = 1},
                               .fifo = false});
    CAPTURE(v.counterexample.text());
    CHECK(v.verified());
}

// Outside the model

TEST_CASE("appointed: strangers are not believed") {
    archetype::environment<appointed<int>> env;
    env.ports = 2;
    appointed follower{20, std::vector{40, 30}, 40};
    follower.on(appointed<int>::serving{{7}}, port{1}, env);    // not the leader's port
    follower.on(appointed<int>::serving{{7}}, port{99}, env);
    CHECK(follower.epoch() == reign(0));
    follower.on(appointed<int>::inquiry{}, port{0}, env);       // it does not lead
    appointed leader{40, std::vector{20, 30}, 40};
    leader.on(appointed<int>::inquiry{}, port{99}, env);
    leader.on(appointed<int>::serving{{7}}, port{0}, env);
    CHECK(leader.epoch() == reign(0));
    CHECK(env.outbox.empty());
    leader.on(appointed<int>::inquiry{}, port{1}, env);
    CHECK(env.outbox.size() == 1);
}
