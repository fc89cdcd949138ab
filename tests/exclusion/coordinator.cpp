// SPDX-License-Identifier: MIT
#include <caucus/exclusion/coordinator.hpp>

#include <caucus/election/appointed.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/star.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>
#include <support/coordinators.hpp>
#include <support/exclusion_suite.hpp>
#include <support/told.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using support::told_by;
using support::under_node_0;

namespace {

using served = coordinator<appointed<int>>;
using fence_of = served::fence_type;

constexpr auto of_three(node v) {
    constexpr std::array ids{7, 8, 9};
    const std::array peers{ids[(v + 1) % 3], ids[(v + 2) % 3]};
    return coordinator{appointed{ids[v], peers, 7}, inplace_storage<2>{}};
}
constexpr bool entered_at_compile_time() {
    rounds sim{complete{3}, of_three};
    bool right = sim.call(1, request::enter{}) == answer::accepted;
    right = right && sim.call(2, request::enter{}) == answer::accepted;
    sim.run();
    right = right && sim[1].holds() && sim[2].waits() && !sim[2].holds();
    right = right && sim.call(1, request::leave{}) == answer::accepted;
    sim.run();
    return right && sim[2].holds() && sim[1].fence() < sim[2].fence();
}

/// Storms in which anybody may die: with two inside, fences that fall, or one that is not served.
std::size_t unserved_after_crashes(std::uint64_t runs) {
    const star t{4};
    const auto make = [serve = under_node_0(t)](node v) {
        return client{reliable{serve(v), {.resend_after = 100}},
                      sections{.entries = 3, .thinking = 900, .staying = 20, .again = true}};
    };
    std::size_t bad = 0, entries = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        events_options how = swarm{}.draw(seed, t);
        how.detector = perfect{20};
        events net{t, make, how, support::watch<served>()};
        net.start_all();
        net.run_for(swarm{}.heals_at + 100'000);
        bad += !net.watcher().holds() || (net.alive(0) && !support::all_served{}(net));
        entries += net.watcher().template get<0>().entries();
    }
    CHECK(entries > 10 * runs);
    return bad;
}

using supervised_one = coordinator<supervised<bully<int>>>;
template <class T>
constexpr bool takes_all = takes<T, request::enter, archetype::environment<T>> &&
                           takes<T, request::leave, archetype::environment<T>> &&
                           takes<T, request::cancel, archetype::environment<T>> &&
                           takes<T, request::start, archetype::environment<T>>;

}  // namespace

// Shape

static_assert(process<served> && process<supervised_one>);
static_assert(takes_all<served> && takes_all<supervised_one>);
static_assert(entered_at_compile_time());
static_assert(std::is_same_v<fence_of, fence<epoch<int>>>);
static_assert(std::is_same_v<decltype(coordinator{appointed{1, std::vector{2}, 2}, tells_place{}}),
                             coordinator<appointed<int>, tells_place>>);
static_assert(kind_of<queued, coordinator<appointed<int>, tells_place>::outcome>);
static_assert(!kind_of<queued, served::outcome> && !kind_of<overflow, served::outcome>);
static_assert(kind_of<overflow, decltype(of_three(node{0}))::outcome>);
static_assert(kind_of<deposed<int>, supervised_one::outcome>);   // what the election says, too
static_assert(supervised_one::perpetual && !perpetual<served>);
static_assert(covers(served::assumes.links, guarantee::reliable) &&
              !covers(served::assumes.links, guarantee::fifo));
static_assert(covers(supervised_one::assumes.links, guarantee::reliable));
static_assert(sizeof(coordinator<appointed<std::uint16_t, inplace_storage<4>>,
                                 inplace_storage<4>>) <= 432);

TEST_CASE("coordinator: works with the least id") {
    const archetype::id a = archetype::id::ranked(1), b = archetype::id::ranked(2);
    coordinator served_by_b{appointed{a, std::vector{b}, b}};
    archetype::environment<decltype(served_by_b)> env;
    env.ports = 1;
    CHECK(served_by_b.request(env) == answer::accepted);
    CHECK(env.outbox.size() == 1);
}

TEST_CASE("coordinator: with more ports than there is room for, it says so once and stays out") {
    auto wide = of_three(node{1});
    archetype::environment<decltype(wide)> env;
    env.ports = 3;
    CHECK(wide.request(env) == answer::no_room);
    CHECK(wide.request(env) == answer::no_room);
    dispatch(wide, suspect{port{0}}, env);
    dispatch(wide, suspect{port{1}}, env);
    CHECK(env.heard.size() == 1);            // said once
    CHECK(env.outbox.empty());
}

TEST_CASE("coordinator: a server with more ports than there is room for lets nobody in") {
    coordinator wide{appointed{10, std::vector{20, 30, 40}, 10}, inplace_storage<2>{}};
    using server = decltype(wide);
    archetype::environment<server> env;
    env.ports = 3;
    for (const std::uint32_t p : {0u, 1u, 2u}) {
        wide.on(server::wish{{0, 10, {}}, {{}, 1}}, port{p}, env);
        wide.on(server::stay{{0, 10, {}}, {{}, 1}, {}}, port{p}, env);
        wide.on(server::done{{0, 10, {}}, {{}, 1}}, port{p}, env);
    }
    CHECK(wide.request(env) == answer::no_room);
    CHECK(env.outbox.empty());
    REQUIRE(env.heard.size() == 1);
    CHECK(std::holds_alternative<overflow>(env.heard[0]));
}

// Paper

TEST_CASE("coordinator: wish, grant, done; who comes second waits for the first") {
    events net{star{3}, under_node_0(star{3}), {.delay = unit{}}};
    CHECK(net.call(1, request::enter{}) == answer::accepted);
    CHECK(net.call(2, request::enter{}) == answer::accepted);
    CHECK((net[1].awaits(port{0}) && net[1].waits() && !net[0].awaits(port{0})));
    net.run();
    CHECK((net[1].holds() && !net[1].awaits(port{0}) && net[2].waits()));
    CHECK(net.call(1, request::leave{}) == answer::accepted);
    const ticks at = net.now();
    net.run();
    CHECK((net[2].holds() && net.now() - at == 2));   // two delays from one to the next
    CHECK(net.call(2, request::leave{}) == answer::accepted);
    const report r = net.run();
    CHECK(r.by_kind("wish") == 2);
    CHECK(r.by_kind("grant") == 2);
    CHECK(r.by_kind("done") == 2);
    CHECK(r.messages == 6);
    CHECK(net[1].fence() == fence_of{{0, 10, {}}, 1});
    CHECK(net[2].fence() == fence_of{{0, 10, {}}, 2});
}

TEST_CASE("coordinator: requests out of turn are refused, at the server and elsewhere") {
    for (const std::size_t v : {0u, 1u}) {
        events sim{star{3}, under_node_0(star{3}), {.delay = unit{}}};
        CHECK(support::answers_out_of_turn(sim, v, support::until_quiet));
    }
    events alone{star{1}, under_node_0(star{1}), {.delay = unit{}}};
    CHECK(support::answers_out_of_turn(alone, 0, support::until_quiet));
}

// Safety: see coordinator_explored.cpp

TEST_CASE("coordinator: many runs, repeated and reordered messages: one at a time, fences rise") {
    support::check_runs(star{5}, under_node_0(star{5}), 3, 200, false, true);
}

TEST_CASE("nightly: coordinator: 100,000 runs, and as many storms over reliable" *
          doctest::skip()) {
    support::check_runs(star{5}, under_node_0(star{5}), 3, 100'000, false, true);
    CHECK(support::unserved_in_storms(star{4}, under_node_0(star{4}), 100'000) == 0);
}

TEST_CASE("coordinator: storms without crashes, over reliable") {
    CHECK(support::unserved_in_storms(star{4}, under_node_0(star{4}), 2000) == 0);
}

// Cost

TEST_CASE("coordinator: three messages an entry, none for the server itself, idle or saturated") {
    for (const std::size_t n : {1u, 2u, 3u, 5u, 10u}) {
        const star t{n};
        events sim{t, under_node_0(t), {.delay = unit{}}};
        CHECK(support::cost_alone(sim, 0) == 0);
        if (n > 1) CHECK(support::cost_alone(sim, n - 1) == 3);
        const auto busy = support::saturated(t, under_node_0(t), 4);
        CHECK(busy.entries == 4 * n);
        CHECK(busy.messages == 3 * 4 * (n - 1));
        CHECK(served::messages({.nodes = n, .initiators = 4 * n}).contains(busy.messages));
    }
    static_assert(served::per_entry(5).most == 3 && served::per_entry(1).most == 0);
    static_assert(served::per_entry(5).least == 0);   // its own
}

TEST_CASE("coordinator: cancelled in time, two messages; crossing its grant, three") {
    events net{star{2}, under_node_0(star{2}), {.delay = unit{}}};
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    CHECK(net.call(1, request::enter{}) == answer::accepted);
    net.run();
    CHECK(net.call(1, request::cancel{}) == answer::accepted);
    CHECK(net.run().messages == 2);
    CHECK(net.call(0, request::leave{}) == answer::accepted);
    CHECK(net.run().messages == 2);                       // nobody waits any more
    CHECK(net.call(1, request::enter{}) == answer::accepted);
    net.run_for(1);                                       // the grant is under way
    CHECK(net.call(1, request::cancel{}) == answer::accepted);
    CHECK(net.run().messages == 5);
    CHECK(told_by(net, 1).empty());                       // refused
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    CHECK(net[0].holds());                                // and returned
}

TEST_CASE("coordinator: ten thousand ask at once") {
    constexpr std::size_t n = 10'001;
    const auto busy = support::saturated(star{n}, under_node_0(star{n}), 1);
    CHECK(busy.entries == n);
    CHECK(busy.messages == 3 * (n - 1));
}

// Faults of a fixed server's clients

TEST_CASE("coordinator: who dies inside is succeeded; suspected wrongly, it hears revoked") {
    for (const bool dead : {true, false}) {
        CAPTURE(dead);
        events net{star{3}, under_node_0(star{3}), {.delay = unit{}}};
        for (const std::size_t v : {1u, 2u}) {
            CHECK(net.call(v, request::enter{}) == answer::accepted);
            net.run();
        }
        if (dead) net.crash(1);
        net.suspect(0, port{0});
        if (!dead) CHECK(net[1].holds());   // two inside, until the news arrives
        net.run();
        CHECK(net[2].holds());
        CHECK(net[1].fence() < net[2].fence());
        CHECK(told_by(net, 1) == (dead ? "entered" : "entered, revoked"));
        if (dead) continue;
        CHECK(net.call(1, request::leave{}) == answer::not_inside);
        CHECK(net.call(1, request::enter{}) == answer::accepted);
        net.run();
        CHECK(net.call(2, request::leave{}) == answer::accepted);
        net.run();
        CHECK(net[1].waits());              // nobody lets in whom it thinks dead
        net.trust(0, port{0});
        net.run();
        CHECK(net[1].holds());
    }
}

TEST_CASE("coordinator: who comes back is not inside any more, though nobody has missed it") {
    events net{star{3}, under_node_0(star{3}), {.delay = unit{}}};
    for (const std::size_t v : {1u, 2u}) {
        CHECK(net.call(v, request::enter{}) == answer::accepted);
        net.run();
    }
    net.crash(1);
    net.run();
    CHECK(net[2].waits());   // nothing tells the server
    net.restart(1);
    net.run();
    CHECK((net[2].holds() && !net[1].holds()));
}

TEST_CASE("coordinator: a late word on a former life does not take the grant of the present one") {
    served server{appointed{10, std::vector{20, 30}, 10}};
    archetype::environment<served> env;
    env.ports = 2;
    server.on(served::wish{{0, 10, {}}, {{1}, 1}}, port{0}, env);
    server.on(suspect{port{0}, incarnation{0}}, env);
    CHECK(env.outbox.size() == 1);
    CHECK(std::get<served::grant>(env.outbox[0].message).of == ticket{{1}, 1});
    server.on(suspect{port{0}, incarnation{1}}, env);
    REQUIRE(env.outbox.size() == 2);
    CHECK(std::get<served::revocation>(env.outbox[1].message).of == ticket{{1}, 1});
}

TEST_CASE("coordinator: a dead server is not a long queue: candid says stalled") {
    events net{star{3}, [make = under_node_0(star{3})](node v) { return candid{make(v)}; },
               {.delay = unit{}, .detector = perfect{5}}};
    CHECK(net.call(2, request::enter{}) == answer::accepted);
    net.run();
    CHECK(net.call(1, request::enter{}) == answer::accepted);
    net.run();
    net.crash(0);
    net.run();
    CHECK(told_by(net, 1) == "stalled");
    CHECK(told_by(net, 2) == "entered");   // who is inside waits for nobody
    // Back from the crash the server knows of no one, asks all, and waits for who is inside.
    net.restart(0);
    net.run();
    CHECK(net[1].waits());
    CHECK(net[2].holds());
    CHECK(net.call(2, request::leave{}) == answer::accepted);
    net.run();
    CHECK(net[1].holds());
    CHECK(net[2].fence() < net[1].fence());
    CHECK(net[1].fence() == fence_of{{0, 10, {1}}, 1});
}

TEST_CASE("coordinator: a server back from a crash: n-1 say so, and 3(n-1) for the census") {
    events net{star{5}, under_node_0(star{5})};
    net.start_all();
    CHECK(net.run().messages == 0);
    net.crash(0);
    net.restart(0);
    const report r = net.run();
    CHECK(r.by_kind("carried") == 4);
    CHECK(r.by_kind("call") == 4);
    CHECK(r.by_kind("done") == 8);
}

TEST_CASE("coordinator: storms with crashes, over reliable: all are served if the server lives") {
    CHECK(unserved_after_crashes(300) == 0);
}

// Outside the model

TEST_CASE("coordinator: a grant that was taken back on its way is void; its wish is made anew") {
    served waits_for_10{appointed{20, std::vector{30, 10}, 10}};
    archetype::environment<served> env;
    env.ports = 2;
    const port server{1}, other{0};
    const epoch<int> reign{0, 10, {}}, later{0, 10, {1}};
    CHECK(waits_for_10.request(env) == answer::accepted);
    REQUIRE(env.outbox.size() == 1);
    CHECK(env.outbox[0].out == server);
    const ticket first = std::get<served::wish>(env.outbox[0].message).of;
    const ticket second{{}, first.number + 1};
    waits_for_10.on(served::revocation{later, first}, server, env);   // of a reign it is not in
    waits_for_10.on(served::revocation{reign, second}, server, env);  // of a wish it has not made
    waits_for_10.on(served::revocation{reign, first}, other, env);    // by who does not lead
    CHECK(env.outbox.size() == 1);
    waits_for_10.on(served::revocation{reign, first}, server, env);
    REQUIRE(env.outbox.size() == 2);
    CHECK(std::get<served::wish>(env.outbox[1].message).of == second);
    waits_for_10.on(served::grant{first, {reign, 1}}, server, env);
    waits_for_10.on(served::grant{second, {later, 1}}, server, env);
    waits_for_10.on(served::grant{second, {reign, 2}}, other, env);
    CHECK(waits_for_10.waits());
    CHECK(env.heard.empty());
    waits_for_10.on(served::grant{second, {reign, 2}}, server, env);
    waits_for_10.on(served::grant{second, {reign, 2}}, server, env);
    CHECK(waits_for_10.holds());
    CHECK(env.heard.size() == 1);
    waits_for_10.on(served::call{later}, server, env);
    waits_for_10.on(served::call{reign}, other, env);
    CHECK(env.outbox.size() == 2);
    waits_for_10.on(served::call{reign}, server, env);
    CHECK(std::get<served::stay>(env.outbox[2].message).fence == fence_of{reign, 2});
    waits_for_10.on(served::revocation{reign, second}, server, env);
    waits_for_10.on(served::revocation{reign, second}, server, env);
    CHECK(env.heard.size() == 2);
    CHECK((!waits_for_10.holds() && !waits_for_10.waits()));
}

TEST_CASE("coordinator: only its leader tells a node its place, and only of the present wish") {
    using telling = coordinator<appointed<int>, tells_place>;
    telling waits_for_10{appointed{20, std::vector{30, 10}, 10}, tells_place{}};
    archetype::environment<telling> env;
    env.ports = 2;
    const port server{1}, other{0};
    const epoch<int> reign{0, 10, {}}, later{0, 10, {1}};
    waits_for_10.on(telling::place{reign, {{}, 0}, 3}, server, env);   // it has not asked
    CHECK(waits_for_10.request(env) == answer::accepted);
    waits_for_10.on(telling::place{reign, {{}, 1}, 3}, other, env);
    waits_for_10.on(telling::place{later, {{}, 1}, 3}, server, env);
    waits_for_10.on(telling::place{reign, {{}, 0}, 3}, server, env);   // of an earlier wish
    CHECK(env.heard.empty());
    waits_for_10.on(telling::place{reign, {{}, 1}, 3}, server, env);
    REQUIRE(env.heard.size() == 1);
    CHECK(std::get<queued>(env.heard[0]).ahead == 3);
    waits_for_10.on(telling::grant{{{}, 1}, {reign, 1}}, server, env);
    waits_for_10.on(telling::place{reign, {{}, 1}, 3}, server, env);   // overtaken by its grant
    CHECK(waits_for_10.holds());
    CHECK(env.heard.size() == 2);
}

TEST_CASE("coordinator: the server takes nothing from strangers, nor for another reign") {
    served server{appointed{10, std::vector{20, 30}, 10}};
    archetype::environment<served> env;
    env.ports = 2;
    const epoch<int> reign{0, 10, {}}, later{0, 10, {1}};
    server.on(served::wish{later, {{}, 1}}, port{0}, env);
    server.on(served::wish{reign, {{}, 1}}, port{2}, env);     // its own place in its books
    server.on(served::wish{reign, {{}, 1}}, port{99}, env);
    server.on(served::done{reign, {{}, 1}}, port{99}, env);
    server.on(served::stay{reign, {{}, 1}, {}}, port{99}, env);
    CHECK(env.outbox.empty());
    server.on(served::done{reign, {{}, 3}}, port{0}, env);
    server.on(served::wish{reign, {{}, 3}}, port{0}, env);     // overtaken by its end
    server.on(served::stay{reign, {{}, 3}, {reign, 9}}, port{0}, env);
    CHECK(env.outbox.empty());
    server.on(served::wish{reign, {{}, 4}}, port{0}, env);
    CHECK(env.outbox.size() == 1);
    CHECK(server.request(env) == answer::accepted);
    CHECK(server.waits());
}
