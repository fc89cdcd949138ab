// SPDX-License-Identifier: MIT
// A device that nobody has started, plugged in by one end before the other has seen it.
#include <caucus/layer/bus.hpp>

#include <caucus/detector/heartbeat.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/tree/firewire.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/path.hpp>
#include <support/buses.hpp>
#include <support/least.hpp>
#include <support/unstarted.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

const auto by_coin = [](node) { return bus{firewire{}}; };
const auto by_id = [](node v) { return bus{firewire{static_cast<int>(v.index)}}; };

bool somebody_is_missed(const auto& g) {
    for (std::size_t v = 0; v < g.nodes(); ++v)
        for (const port p : ports(g.topology().degree(node{v})))
            if (g.alive(v) && g[v].suspects(p)) return true;
    return false;
}

/// May be asked for more than to start.
struct turnstile : greeter {
    static constexpr answer request(auto&) { return answer::already_inside; }
};
/// One timer at a time, and each has another name; and one more, until the first has gone off.
struct ticker {
    struct fuse { int number; };
    using message = nothing;
    using timer = fuse;
    using outcome = nothing;
    static constexpr std::size_t timers(std::size_t) { return 2; }

    static void start(auto& env) {
        env.arm(fuse{0}, 1);
        env.arm(fuse{-1}, 9);
    }
    static void on(fuse f, auto& env) {
        env.disarm(fuse{-1});
        env.arm(fuse{f.number + 1}, 1);
    }
};

}  // namespace

// Shape: who knows its neighbours by port would take one for another; who counts epochs would begin
// again at each reset; and what is reset is not supervised.

static_assert(!needs_a_process_that_can_do_without_a_port__not_for_rings<chang_roberts<int>>);
static_assert(!needs_a_process_that_can_do_without_a_port__not_for_rings<franklin<int>>);
static_assert(needs_a_process_that_can_do_without_a_port__not_for_rings<firewire<int>>);
static_assert(needs_a_process_that_knows_no_peers_by_port<firewire<int>>);
static_assert(!needs_a_process_that_knows_no_peers_by_port<bully<int>>);
static_assert(!needs_a_process_that_knows_no_peers_by_port<ghs<int>>);
static_assert(!needs_a_process_that_knows_no_peers_by_port<reliable<bully<int>>>);
using by_path_election = decltype(traversal_election{1, by_path{1, std::vector{2}}});
static_assert(!needs_a_process_that_knows_no_peers_by_port<by_path_election>);
static_assert(needs_a_process_that_knows_no_peers_by_port<traversal_election<int>>);
static_assert(!needs_a_process_without_epochs__not_for_supervised_ones<
              reliable<supervised<firewire<int>>>>);
static_assert(!needs_an_election_that_is_not_reset__supervise_what_is_in_the_bus<
              heartbeat<reliable<bus<firewire<int>>>>>);

static_assert(bus<firewire<>>::withholds == (withheld::suspicions | withheld::lives));
static_assert(goes_on_after_a_crash<bus<firewire<>>>);
static_assert(bus<firewire<>>::timers(5) == 2 && bus<firewire<int>>::timers(5) == 1);
// One kind of message inside, or none.
static_assert(kinds_of<bus<greeter>::message> == 2 && kinds_of<bus<bystander>::message> == 1);

TEST_CASE("bus: a device that nobody has started wakes up when it sees the plug, though the other "
          "end has seen it before, and its reset has gone by") {
    whole_environment<bus<firewire<>>> env;
    env.ports = 2;
    bus asleep{firewire{}};
    const auto comes = [&](std::uint64_t number, port from) {
        asleep.on(bus<firewire<>>::bus_reset{{number, {}, {}}}, from, env);
    };
    dispatch(asleep, suspect{port{0}}, env);
    dispatch(asleep, suspect{port{1}}, env);
    dispatch(asleep, trust{port{1}}, env);
    CHECK(effects(env) == 0);          // nobody is awake there
    dispatch(asleep, suspect{port{1}}, env);
    comes(4, port{0});
    CHECK(asleep.resets() == 0);       // for all it knows, there is nobody
    CHECK(effects(env) == 0);
    dispatch(asleep, trust{port{0}}, env);
    CHECK(asleep.resets() == 5);
    REQUIRE(env.outbox.size() > 0);
    for (const auto& l : env.outbox) CHECK(l.out == port{0});
}

TEST_CASE("bus: one starts, and a plug that is seen at one end before the other: in the end all "
          "lead to one root, any schedule, n <= 3") {
    const auto check = [](std::size_t n, const auto& make, std::uint8_t plugs) {
        const path where{n};
        const auto unless_missed = [&](const auto& g) {
            const state_on<std::remove_cvref_t<decltype(g)>, path> here{g, where};
            return somebody_is_missed(here) || each_bus_is_identified(here);
        };
        const auto missed_and_found = [&](const auto& g) {
            for (std::size_t v = 1; v < g.nodes(); ++v)
                if (g[v].resets() < 2u + (plugs > 1)) return false;
            return unless_missed(g);
        };
        const verdict v = explore(where, make,
                                  {.initiators = {0},
                                   .properties = {finally(unless_missed),
                                                  sometimes(missed_and_found)},
                                   .faults = {.wrong_suspicions = plugs}, .fifo = false});
        CHECK_MESSAGE(v.verified(), v.counterexample.text());
    };
    check(2, by_coin, 2);
    check(2, by_id, 2);
    check(3, by_id, 2);
    check(3, by_coin, 1);
}

TEST_CASE("bus: what P may be asked is blocked until a reset has begun with it; without room it is "
          "never accepted") {
    bus<turnstile, inplace_storage<2>> asked{turnstile{}, {}};
    whole_environment<decltype(asked)> env;
    env.ports = 2;
    CHECK(dispatch(asked, request::enter{}, env) == answer::blocked);
    bus narrow = asked;
    CHECK(dispatch(asked, request::reset{}, env) == answer::accepted);
    CHECK(dispatch(asked, request::enter{}, env) == answer::already_inside);
    env.ports = 3;
    CHECK(dispatch(narrow, request::reset{}, env) == answer::no_room);
    CHECK(dispatch(narrow, request::enter{}, env) == answer::no_room);
}

TEST_CASE("bus: a timer that has gone off takes no room any more, and a reset disarms the other") {
    bus<ticker, inplace_storage<2>> ticking{ticker{}, {}};
    whole_environment<decltype(ticking)> env;
    env.ports = 2;
    CHECK(dispatch(ticking, request::start{}, env) == answer::accepted);
    for (int i = 0; i < 3; ++i) {
        REQUIRE(env.armed.size() == (i == 0 ? 2 : 1));
        const auto armed = env.armed.front().timer;
        env.disarm(armed);
        dispatch(ticking, expiry<decltype(ticking)::timer>{armed}, env);
    }
    CHECK(dispatch(ticking, request::reset{}, env) == answer::accepted);
    REQUIRE(env.armed.size() == 2);
    CHECK(std::get<0>(env.armed.front().timer).timer.number == 0);
}

TEST_CASE("bus: what comes too far ahead, or from a life not heard of before, is not for P; a word "
          "is of a port that is there; a new life is called by its number") {
    using one_port = bus<firewire<>>;
    whole_environment<one_port> env;
    env.ports = 1;
    const auto would_lead = [&](one_port on, auto hear) {
        REQUIRE(dispatch(on, request::start{}, env) == answer::accepted);
        hear(on);
        on.on(inner_timer<firewire<>::timer>{firewire<>::reaction_due{}}, env);
        return on.is_leader();   // if its neighbour has asked it
    };
    const auto asked_in = [&](one_port::stamp at) {
        return [&, at](one_port& on) {
            on.on(one_port::signal{at, firewire<>::be_my_parent{false}}, port{0}, env);
        };
    };
    CHECK(would_lead(bus{firewire{}}, asked_in({1, {}, {}})));
    CHECK_FALSE(would_lead(bus{firewire{}}, asked_in({leap_most + 2, {}, {}})));
    CHECK_FALSE(would_lead(bus{firewire{}}, asked_in({1, {1}, {}})));

    one_port awake{firewire{}};
    CHECK(dispatch(awake, request::start{}, env) == answer::accepted);
    dispatch(awake, suspect{port{1}}, env);
    CHECK(awake.resets() == 1);
    env.outbox.clear();
    dispatch(awake, trust{port{0}, incarnation{3}}, env);
    REQUIRE(env.outbox.size() == 1);
    const auto sent = std::get<one_port::bus_reset>(env.outbox.front().message).at;
    CHECK(sent.number == 2);
    CHECK(sent.yours == incarnation{3});
}
