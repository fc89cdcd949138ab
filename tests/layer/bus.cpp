// SPDX-License-Identifier: MIT
#include <caucus/layer/bus.hpp>

#include <caucus/detector/heartbeat.hpp>
#include <caucus/election/tree/firewire.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/tree.hpp>
#include <support/buses.hpp>
#include <support/graphs.hpp>
#include <support/identifying.hpp>
#include <support/instances.hpp>
#include <support/stacks.hpp>
#include <support/trees.hpp>
#include <support/unstarted.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using by_coin = bus<firewire<>>;
const auto tossing = [](node) { return bus{firewire{{coin_alone, 1, 1}}}; };
const auto comparing = [](node v) { return bus{firewire{static_cast<int>(v.index * 7 % 5)}}; };

/// The same, where somebody resets the bus so often, at any time.
template <class Make>
auto resetting(Make make, std::size_t who, std::size_t resets) {
    return [=](node v) {
        const std::vector<request::reset> wanted(v == who ? resets : 0);
        return client{make(v), script{wanted}};
    };
}

template <class Topology>
struct is_identified {
    const Topology* where;
    bool operator()(const auto& g) const {
        return each_bus_is_identified(state_on<decltype(g), Topology>{g, *where});
    }
};
template <class Topology>
struct one_leads_on_a_bus {
    const Topology* where;
    bool operator()(const auto& g) const {
        return !two_lead_on_a_bus(state_on<decltype(g), Topology>{g, *where});
    }
};
/// Has anybody heard of so many resets?
struct was_reset {
    std::uint64_t times;
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && bus_in(g[v]).resets() >= times) return true;
        return false;
    }
};

}  // namespace

// Shape

static_assert(process<by_coin> && tosses_coins<by_coin> && !perpetual<by_coin>);
static_assert(!all_must_start<by_coin> && all_must_start<firewire<>>);
static_assert(by_coin::assumes.topology == shape::tree);
static_assert(by_coin::assumes.time == timing::bounded_delay);
static_assert(std::is_same_v<by_coin::requests, std::variant<request::start, request::reset>>);
static_assert(std::is_same_v<by_coin::outcome, std::variant<elected<anonymous>, bus_was_reset>>);
static_assert([] {
    rounds sim{path{3}, [](node) { return bus{firewire{}}; }};
    sim.start_all();
    sim.run();
    return sim[1].is_leader() && sim[2].leader() && sim[2].resets() == 1;
}());

// The lecture: hot plug leads to a bus reset and a new election

TEST_CASE("bus: a reset restarts the election: n-1 messages if one asks for it, 2(n-1) if all do, "
          "and those of the election, each time") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const std::size_t n = 2 + seed % 9;
        const graph t = random_tree(n, seed);
        rounds bare{t, with({}), {.seed = seed}};
        bare.start_all();
        const std::uint64_t least = firewire<>::messages(bare.run().size).least;
        rounds sim{t, [](node) { return bus{firewire{}}; }, {.seed = seed}};
        const state_on<decltype(sim), graph> here{sim, t};
        sim.start(seed % n);
        const report first = sim.run();
        CHECK(first.by_kind("bus_reset") == n - 1);
        CHECK(first.by_kind("signal") >= least);
        CHECK(each_bus_is_identified(here));
        for (std::size_t v = 0; v < n; ++v)
            CHECK(sim.call(v, request::reset{}) == answer::accepted);
        const report second = sim.run();
        CHECK(second.by_kind("bus_reset") == 3 * (n - 1));
        CHECK(each_bus_is_identified(here));
        CHECK(sim[0].resets() == 2);
        CHECK(second.outcomes >= 4 * n);   // reset and elected, twice each
        sim.start(0);                      // started it is
        CHECK(sim.run().messages == second.messages);
    }
}

TEST_CASE("bus: a device is pulled out and another plugged in: a new root, by coin and by id") {
    const auto check = [](auto make) {
        events net{star{4}, make, {.delay = uniform{1, 20}, .detector = perfect{5}}};
        net.start(2);
        net.run();
        REQUIRE(each_bus_is_identified(net));
        CHECK(net[1].resets() == 1);
        net.crash(3);
        net.run();
        CHECK(net[1].resets() == 2);
        CHECK(net[0].suspects(port{2}));
        CHECK(each_bus_is_identified(net));
        net.restart(3);
        net.run();
        CHECK(net[1].resets() > 2);
        CHECK(net[3].resets() == net[1].resets());
        CHECK(each_bus_is_identified(net));
        net.crash(0);                      // three buses of one device each
        net.run();
        for (std::size_t v = 1; v < 4; ++v) CHECK(net[v].is_leader());
        net.restart(0);
        net.run();
        CHECK(each_bus_is_identified(net));
    };
    check([](node) { return bus{firewire{}}; });
    check([](node v) { return bus{firewire{static_cast<int>(v.index)}}; });
    check([](node v) { return bus{tree_wave{static_cast<int>(v.index)}}; });
}

// Safety and liveness

TEST_CASE("bus: never two leaders, and in the end one whom all ways lead to: resets at any "
          "time and in any state, links in any order, starts at any time, n <= 3, by coin, by id") {
    const auto check = [](const auto& t, const auto& make, std::size_t resets, starting when,
                          std::uint8_t duplicates = 0) {
        for (std::size_t who = 0; who < t.nodes(); ++who) {
            const is_identified<std::remove_cvref_t<decltype(t)>> identified{&t};
            const verdict v = explore(t, resetting(make, who, resets),
                                      {.properties = {always(at_most_one_leader),
                                                      finally(identified),
                                                      sometimes(was_reset{1 + resets})},
                                       .faults = {.duplicates = duplicates}, .fifo = false,
                                       .starting = when});
            CHECK_MESSAGE(v.verified(), v.counterexample.text());
        }
    };
    check(path{2}, tossing, 3, starting::any_time);
    check(path{2}, comparing, 3, starting::any_time);
    check(path{3}, tossing, 1, starting::at_once);
    check(path{3}, comparing, 1, starting::any_time);
    check(path{2}, comparing, 1, starting::at_once, 2);
    check(path{2}, tossing, 1, starting::at_once, 1);
}

TEST_CASE("bus: never two leaders on it, whatever the waits: a reset at any time, n <= 3") {
    const auto check = [](const auto& t, std::size_t who) {
        const verdict v = explore(t, resetting(tossing, who, 1),
                                  {.initiators = {who},
                                   .properties = {always(at_most_one_leader),
                                                  sometimes(someone_leads)},
                                   .fifo = false, .timers = timers::any_time});
        CHECK_MESSAGE(v.verified(), v.counterexample.text());
    };
    check(path{2}, 0);
    check(path{3}, 0);
    check(path{3}, 1);
}

TEST_CASE("bus: a device is pulled out at any time, and perhaps plugged in again, having forgotten "
          "all, links in any order, n <= 3: one leader on each bus; two devices, by coin") {
    const auto check = [](const auto& t, const auto& make, detector_model told, bool returns) {
        using topology = std::remove_cvref_t<decltype(t)>;
        const is_identified<topology> identified{&t};
        const one_leads_on_a_bus<topology> one_leads{&t};
        const auto amnesias = static_cast<std::uint8_t>(returns ? 1 : 0);
        const verdict v = explore(t, make,
                                  {.properties = {always(one_leads), finally(identified),
                                                  sometimes(was_reset{returns ? 3u : 2u})},
                                   .faults = {.crashes = 1, .amnesias = amnesias},
                                   .detector = told, .fifo = false});
        CHECK_MESSAGE(v.verified(), v.counterexample.text());
    };
    for (const detector_model told : {detector_model{perfect{}},
                                      detector_model{eventual{.wrong = 0}}}) {
        check(path{2}, tossing, told, true);
        check(path{2}, comparing, told, true);
        check(path{3}, comparing, told, false);
        check(path{3}, tossing, told, false);
        check(path{3}, comparing, told, true);
    }
}

TEST_CASE("bus: wrong suspicions part it at one end: one leader on each bus, and one in the end if "
          "they are taken back") {
    const auto check = [](const auto& t, const auto& make) {
        using topology = std::remove_cvref_t<decltype(t)>;
        const is_identified<topology> identified{&t};
        const one_leads_on_a_bus<topology> one_leads{&t};
        const auto whole_again = [=](const auto& g) { return was_reset{3}(g) && identified(g); };
        const verdict v = explore(t, make, {.properties = {always(one_leads),
                                                           sometimes(whole_again)},
                                            .faults = {.wrong_suspicions = 1}, .fifo = false});
        CHECK_MESSAGE(v.verified(), v.counterexample.text());
    };
    check(path{2}, tossing);
    check(path{2}, comparing);
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        const auto end_well = [&](auto make) {
            events net{random_tree(2 + seed % 9, seed), make,
                       {.seed = seed, .delay = uniform{1, 30}, .fifo = seed % 2 == 0,
                        .detector = eventual{.wrong = 8, .until = 900}}};
            net.start(0);
            net.run_until([&] { return two_lead_on_a_bus(net); });
            CHECK(each_bus_is_identified(net));
        };
        end_well([](node) { return bus{firewire{}}; });
        end_well([](node v) { return bus{firewire{static_cast<int>(v.index)}}; });
    }
}

TEST_CASE("bus: resets here and there at any time, on random trees, three messages in ten twice, "
          "any delays within bounds: one root, by coin and by id") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        const std::size_t n = 1 + random_source{seed}.below(30);
        const auto check = [&](auto make) {
            events net{random_tree(n, seed), make,
                       {.seed = seed, .delay = uniform{1, 100}, .fifo = seed % 2 == 0,
                        .faults = fault_plan{}.links({.duplication = 0.3})}};
            random_source bits{seed};
            net.start(bits.below(n));
            bool two = false;
            for (int resets = 0; resets < 5; ++resets) {
                net.run_for(bits.below(1500));
                CHECK(net.call(bits.below(n), request::reset{}) == answer::accepted);
                std::size_t leaders = 0;
                for (std::size_t v = 0; v < n; ++v) leaders += net[v].is_leader();
                two = two || leaders > 1;
            }
            net.run();
            CHECK_FALSE(two);
            CHECK(each_bus_is_identified(net));
            for (std::size_t v = 0; v < n; ++v) CHECK(net[v].resets() == net[0].resets());
        };
        check([](node) { return bus{firewire{}}; });
        check([](node v) { return bus{firewire{static_cast<int>(v.index)}}; });
    }
}

TEST_CASE("bus: what was sent to a former life, or by one, is not heard by the next") {
    whole_environment<by_coin> env;
    env.ports = 1;
    by_coin returned{firewire{}};
    dispatch(returned, recovered<>{{2}, std::nullopt}, env);
    REQUIRE(returned.resets() == 1);
    const auto comes = [&](std::uint64_t number, std::uint32_t mine, std::uint32_t yours) {
        returned.on(by_coin::bus_reset{{number, {mine}, {yours}}}, port{0}, env);
        return returned.resets();
    };
    CHECK(comes(6, 1, 1) == 7);    // for another life, but from a new one
    CHECK(comes(9, 1, 1) == 7);    // for another life
    CHECK(comes(12, 0, 2) == 7);   // of a former one
    CHECK(comes(7, 1, 2) == 7);
    CHECK(comes(14, 1, 2) == 14);
    CHECK(comes(1, 1, 0) == 15);   // its first word, late
    dispatch(returned, recovered<>{{3}, std::nullopt}, env);   // not in the middle of a life
    CHECK(returned.resets() == 15);
    dispatch(returned, trust{port{0}, incarnation{1}}, env);   // known
    dispatch(returned, suspect{port{0}, incarnation{0}}, env); // late
    dispatch(returned, suspect{port{3}}, env);                 // of nobody
    CHECK(returned.resets() == 15);
    dispatch(returned, trust{port{0}, incarnation{2}}, env);   // a new one, unmissed
    CHECK(returned.resets() == 16);
}

TEST_CASE("bus: the reset that fills a port is later than all that came by it while it was empty, "
          "and by the others since") {
    whole_environment<by_coin> env;
    env.ports = 2;
    by_coin one{firewire{}};
    CHECK(dispatch(one, request::start{}, env) == answer::accepted);
    dispatch(one, suspect{port{0}}, env);
    CHECK(one.resets() == 2);
    one.on(by_coin::bus_reset{{11, {}, {}}}, port{0}, env);   // not heard: it goes on without it
    CHECK(one.resets() == 2);
    one.on(by_coin::bus_reset{{8, {}, {}}}, port{1}, env);
    CHECK(one.resets() == 8);
    dispatch(one, trust{port{0}}, env);
    CHECK(one.resets() == 12);
    one.on(by_coin::bus_reset{{13, {1}, {}}}, port{1}, env);   // a new life
    CHECK(one.resets() == 14);
    dispatch(one, suspect{port{1}, incarnation{0}}, env);   // which the detector has not seen
    CHECK(one.suspects(port{1}));
    CHECK(one.resets() == 15);
}

TEST_CASE("bus: a number too far ahead to be honest is ignored; were they to run out, there would "
          "be no more resets") {
    whole_environment<by_coin> env;
    env.ports = 2;
    by_coin asleep{firewire{}};
    check_words_before_start(asleep, 2);
    asleep.on(by_coin::bus_reset{{leap_most + 1, {}, {}}}, port{0}, env);
    CHECK(asleep.resets() == 0);
    by_coin last = asleep;
    dispatch(last, suspect{port{0}}, env);   // by an empty port numbers are heard of, and no more
    CHECK(dispatch(last, request::start{}, env) == answer::accepted);
    for (std::uint64_t number = leap_most; number > leap_most - 1; number += leap_most)
        last.on(by_coin::bus_reset{{number, {}, {}}}, port{0}, env);
    CHECK(dispatch(last, request::reset{}, env) == answer::accepted);
    CHECK(last.resets() > last_number - leap_most);
    last.on(by_coin::bus_reset{{last_number, {}, {}}}, port{0}, env);
    const std::uint64_t before = last.resets();
    env.outbox.clear();
    CHECK(dispatch(last, request::reset{}, env) == answer::no_room);
    dispatch(last, trust{port{0}}, env);
    CHECK(last.resets() == before);
    last.on(by_coin::signal{{before, {}, {}}, firewire<>::be_my_parent{false}}, port{0}, env);
    CHECK(env.outbox.empty());
}

TEST_CASE("bus: a node with more ports than its storage holds says so and stays out") {
    rounds sim{star{6}, [](node) { return bus{firewire{}, inplace_storage<4>{}}; }};
    sim.start(1);
    sim.run();
    std::size_t told = 0;
    for (const auto& each : sim.outcomes()) told += std::holds_alternative<overflow>(each.outcome);
    CHECK(told == 1);
    CHECK(sim[0].resets() == 0);
    CHECK(sim.call(0, request::reset{}) == answer::no_room);
    CHECK(sim.call(0, request::start{}) == answer::no_room);
}

// Outside the model, and what helps: see also bus_swarm.cpp

TEST_CASE("bus: the last column of the fault matrix, for firewire by coin") {
    const regime how{.runs = 40, .trouble = 3000, .settling = 30'000, .detector = false};
    check_stack("firewire by coin", "heartbeat<reliable<bus<firewire>>>", how, support::trees,
                [](std::size_t, int, const auto&) {
                    return heartbeat{reliable{bus{firewire{}}}, {.beat = 100}, fixed_timeout{350}};
                });
}

TEST_CASE("bus: a device that returns unmissed says so; one whose end nobody sees stops it") {
    events net{path{3}, [](node) { return bus{firewire{}}; }, {.seed = 3}};
    net.start_all();
    net.run();
    net.crash(1);
    net.run();
    CHECK(net[0].resets() == 1);
    CHECK(net.call(0, request::reset{}) == answer::accepted);
    net.run();
    CHECK_FALSE(net[0].leader());   // waits for the dead
    net.restart(1);
    net.run();
    CHECK(each_bus_is_identified(net));
}
