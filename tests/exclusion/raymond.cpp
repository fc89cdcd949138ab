// SPDX-License-Identifier: MIT
#include <caucus/exclusion/raymond.hpp>

#include <caucus/layer/candid.hpp>
#include <caucus/layer/grouped.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/tree.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>
#include <support/raymonds.hpp>
#include <support/trace.hpp>
#include <support/trees.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using privilege = raymond<>::privilege;
using wish = raymond<>::wish;

constexpr std::uint64_t entered_at_compile_time() {
    rounds sim{path{4}, raymonds(path{4}, 0)};
    if (!answers_out_of_turn(sim, 3, until_quiet)) return 0;
    return sim[3].fence().count + cost_alone(sim, 1);
}

/// One process, and all that it asks of its surroundings.
struct node_alone : archetype::environment<raymond<>> {
    raymond<> process;

    explicit node_alone(std::optional<port> token, std::size_t degree = 3) : process(token) {
        ports = degree;
    }
    /// What it has sent since: to whom, with which count, and whether it was the token.
    std::vector<std::string> sent() {
        std::vector<std::string> all;
        for (const auto& each : outbox) {
            const bool token = std::holds_alternative<privilege>(each.message);
            const std::uint64_t count = visit_kind(each.message, [](auto m) { return m.count; });
            all.push_back((token ? "privilege " : "wish ") + std::to_string(count) + " to " +
                          std::to_string(each.out.index()));
        }
        outbox.clear();
        return all;
    }
};
using words = std::vector<std::string>;

}  // namespace

// Shape

static_assert(raymond<>::per_entry(0).most == 0 && raymond<>::per_entry(1).most == 0);
static_assert(process<raymond<>>);
static_assert(entered_at_compile_time() == 4 + 4);
static_assert(std::is_same_v<decltype(raymond{port{1}}), raymond<>>);
static_assert(std::is_same_v<decltype(raymond{std::nullopt, inplace_storage<2>{}}),
                             raymond<inplace_storage<2>>>);
static_assert(sizeof(raymond<inplace_storage<4>>) <= 152);
static_assert(sizeof(raymond<>::message) <= 16);
static_assert(raymond<>::per_entry(5).most == 8);
static_assert(raymond<>::messages({.nodes = 5, .initiators = 3}).most == 24);
static_assert(raymond<>::messages({.nodes = 5, .initiators = 3, .diameter = 2}).most == 12);

// Paper

TEST_CASE("raymond: the token passes P2 on its way to P3, and P2 calls it back") {
    // The example of many a lecture: a path, P0 has the token; P3 asks, then P2, which has asked
    // already and does not do so again before the token has gone on.
    rounds sim{path{4}, raymonds(path{4}, 0)};
    REQUIRE(sim.call(3, request::enter{}) == answer::accepted);
    sim.run({.max_rounds = 1});
    CHECK(sim[2].awaits(prev));
    REQUIRE(sim.call(2, request::enter{}) == answer::accepted);
    const report r = sim.run();
    CHECK(r.by_kind("wish") == 3 + 1);
    CHECK(r.by_kind("privilege") == 3);
    CHECK(sim[3].holds());
    CHECK(sim[3].fence().count == 4);   // three steps and an entry
    CHECK(sim[2].way_to_token() == next);
    REQUIRE(sim.call(3, request::leave{}) == answer::accepted);
    CHECK(sim.run().messages == 8);
    CHECK(sim[2].holds());
    CHECK(sim[2].fence().count == 6);
    CHECK(sim[3].way_to_token() == port{0});
    CHECK(sim[1].way_to_token() == next);
}

TEST_CASE("raymond: as printed: one wish for all in the queue, the first of it gets the token") {
    node_alone inner{port{0}};
    inner.process.on(wish{0}, port{2}, inner);
    CHECK(inner.sent() == words{"wish 0 to 0"});
    CHECK(inner.process.request(inner) == answer::accepted);
    inner.process.on(wish{0}, port{1}, inner);
    CHECK(inner.sent().empty());
    inner.process.on(privilege{5}, port{0}, inner);
    CHECK(inner.sent() == words{"privilege 6 to 2", "wish 6 to 2"});
    inner.process.on(privilege{9}, port{2}, inner);
    CHECK(inner.sent().empty());
    CHECK(inner.process.holds());
    CHECK(inner.process.fence().count == 10);
    CHECK(inner.process.release(inner) == answer::accepted);
    CHECK(inner.sent() == words{"privilege 11 to 1"});
    CHECK(inner.process.way_to_token() == port{1});
}

// Requests out of turn

TEST_CASE("raymond: requests out of turn are refused, wherever the token is") {
    for (std::size_t holder = 0; holder < 4; ++holder)
        for (std::size_t v = 0; v < 4; ++v) {
            rounds sim{path{4}, raymonds(path{4}, holder)};
            CHECK(answers_out_of_turn(sim, v, until_quiet));
            events net{star{4}, raymonds(star{4}, holder)};
            CHECK(answers_out_of_turn(net, v, until_quiet));
        }
}

TEST_CASE("raymond: a cancelled wish brings the token all the same, and it is not lost") {
    node_alone n{port{0}};
    CHECK(n.process.request(n) == answer::accepted);
    CHECK(n.process.cancel(n) == answer::accepted);
    CHECK_FALSE(n.process.awaits(port{0}));
    CHECK(n.process.request(n) == answer::accepted);   // it is asked for still
    CHECK(n.process.cancel(n) == answer::accepted);
    CHECK(n.sent() == words{"wish 0 to 0"});
    n.process.on(privilege{1}, port{0}, n);
    CHECK(n.process.has_token());
    CHECK(n.heard.empty());
    n.process.on(wish{1}, port{0}, n);
    CHECK(n.sent() == words{"privilege 2 to 0"});
    CHECK(n.process.request(n) == answer::accepted);   // and it can be asked for anew
    CHECK(n.sent() == words{"wish 2 to 0"});

    // Of several who wait only the one that gives up is passed over.
    node_alone crowded{port{0}};
    crowded.process.on(wish{0}, port{1}, crowded);
    CHECK(crowded.process.request(crowded) == answer::accepted);
    crowded.process.on(wish{0}, port{2}, crowded);
    CHECK(crowded.process.cancel(crowded) == answer::accepted);
    crowded.sent();
    crowded.process.on(privilege{1}, port{0}, crowded);
    CHECK(crowded.sent() == words{"privilege 2 to 1", "wish 2 to 1"});
    crowded.process.on(privilege{4}, port{1}, crowded);
    CHECK(crowded.sent() == words{"privilege 5 to 2"});
}

TEST_CASE("raymond: a way to the token by a port that it has not is refused, and so is a cycle") {
    CHECK_THROWS_WITH(rounds(path{2}, [](node) { return raymond{port{1}}; }),
                      "simulation: node 0 cannot run there: the token is to be behind a port "
                      "that it has not");
    const graph ring{3, {{0, 1}, {1, 2}, {2, 0}}};
    CHECK_THROWS(rounds(ring, raymonds(ring, 0)));
}

// Cost

TEST_CASE("raymond: alone an entry costs twice the distance to the token, every tree, n <= 7") {
    for (std::size_t n = 1; n <= 7; ++n)
        each_tree(n, [&](const tree& t) {
            for (std::size_t holder = 0; holder < n; ++holder) {
                const std::vector<std::size_t> hops = distances(t, holder);
                for (std::size_t v = 0; v < n; ++v) {
                    rounds sim{t, raymonds(t, holder)};
                    CHECK(cost_alone(sim, v) == 2 * hops[v]);
                    CHECK(cost_alone(sim, v) == 0);   // it has the token now
                    CHECK(raymond<>::per_entry(n).contains(2 * hops[v]));
                }
            }
        });
}

TEST_CASE("raymond: the bounds are met: two ends in turn, or the same one again and again") {
    for (std::size_t n = 2; n <= 6; ++n) {
        rounds sim{path{n}, raymonds(path{n}, 0)};
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < 5; ++i) sum += cost_alone(sim, i % 2 == 0 ? n - 1 : 0);
        CHECK(sum == raymond<>::messages({.nodes = n, .initiators = 5}).most);
        CHECK(sum == 5 * raymond<>::per_entry(n).most);
    }
}

// Outside the model

TEST_CASE("raymond: late, repeated and foreign messages meet a guard") {
    node_alone n{port{0}, 2};
    n.process.on(privilege{7}, port{1}, n);   // the token is not there
    n.process.on(wish{0}, port{2}, n);        // nobody is there
    n.process.on(privilege{7}, port{9}, n);
    CHECK(n.process.way_to_token() == port{0});
    CHECK(n.sent().empty());
    n.process.on(wish{0}, port{1}, n);
    n.process.on(wish{0}, port{1}, n);        // repeated
    n.process.on(privilege{1}, port{0}, n);
    CHECK(n.sent() == words{"wish 0 to 0", "privilege 2 to 1"});
    n.process.on(privilege{1}, port{0}, n);   // repeated
    n.process.on(wish{0}, port{1}, n);        // that has been answered
    CHECK(n.sent().empty());
    CHECK(n.process.way_to_token() == port{1});
    n.process.on(wish{0}, port{0}, n);        // from before the token came from there
    n.process.on(privilege{3}, port{1}, n);
    CHECK(n.sent().empty());
    CHECK(n.process.has_token());
    n.process.on(wish{1}, port{0}, n);
    CHECK(n.sent() == words{"privilege 4 to 0"});
    n.process.on(privilege{1}, port{0}, n);   // would be a second token
    n.process.on(privilege{3}, port{1}, n);
    CHECK_FALSE(n.process.has_token());
}

TEST_CASE("raymond: whoever comes back with nothing claims no token, and stays out") {
    node_alone n{std::nullopt};
    n.process.on(recovered<>{{1}, {}}, n);
    CHECK(n.process.request(n) == answer::not_a_member);
    n.process.on(wish{0}, port{0}, n);
    CHECK(n.sent().empty());
    CHECK_FALSE(n.process.waits());
    CHECK_FALSE(n.process.holds());
    node_alone follower{port{0}};
    follower.process.on(recovered<>{{1}, {}}, follower);
    follower.process.on(privilege{3}, port{0}, follower);
    CHECK_FALSE(follower.process.has_token());
}

TEST_CASE("raymond: with more neighbours than its storage holds it says so and stays out") {
    using small = raymond<inplace_storage<2>>;
    archetype::environment<small> env;
    env.ports = 3;
    small hub{std::nullopt, {}};
    CHECK(hub.request(env) == answer::no_room);
    hub.on(small::wish{0}, port{0}, env);
    CHECK(env.outbox.empty());
    REQUIRE(env.heard.size() == 2);
    CHECK(std::get<overflow>(env.heard[1]).needed == 3);

    // What fits, fits in any order: both neighbours, the node itself, one of them too early.
    archetype::environment<small> right;
    right.ports = 2;
    small full{port{0}, {}};
    full.on(small::wish{0}, port{1}, right);
    CHECK(full.request(right) == answer::accepted);
    full.on(small::wish{1}, port{0}, right);
    CHECK(right.outbox.size() == 1);
    full.on(small::privilege{1}, port{0}, right);
    CHECK(right.outbox.size() == 3);
}

TEST_CASE("raymond: candid says whom it waits for, the one next to the dead and nobody else") {
    const star t{4};
    events net{t, [make = raymonds(t, 1)](node v) { return candid{make(v)}; },
               {.faults = fault_plan{}.crash(1, 0), .detector = perfect{5}}};
    net.run_for(1);
    CHECK(net.call(2, request::enter{}) == answer::accepted);
    net.run();
    CHECK(net[0].is_stalled());
    CHECK_FALSE(net[2].is_stalled());
    CHECK(net.outcomes().size() == 1);
}

TEST_CASE("raymond: two in one group know nothing of each other") {
    const path t{2};
    rounds sim{t, [make = raymonds(t, 0)](node v) { return grouped{make(v), make(v)}; }};
    const auto first = request::of_one<request::enter>{0, {}};
    const auto second = request::of_one<request::enter>{1, {}};
    CHECK(sim.call(0, first) == answer::accepted);
    CHECK(sim.call(1, second) == answer::accepted);
    sim.run();
    CHECK(sim[0][0].holds());
    CHECK(sim[1][1].holds());
}
