// SPDX-License-Identifier: MIT
// What firewire does outside its model: options, delays, cycles, faults, repetitions, no room.
#include <caucus/election/tree/firewire.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/identifying.hpp>
#include <support/instances.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

TEST_CASE("firewire: windows that make no sense, or no sense with such delays, are refused") {
    const auto refused = [](contention_windows w, ticks delay_max, const std::string& why) {
        CHECK_THROWS_WITH(static_cast<void>(firewire{{w, delay_max, 0}}),
                          ("firewire: " + why).c_str());
    };
    const std::string none = "no two windows, one after the other: ";
    refused({260, 240, 570, 600}, 1, none + "260 to 240 and 570 to 600");
    refused({240, 260, 600, 570}, 1, none + "240 to 260 and 600 to 570");
    refused({240, 260, 260, 570}, 1, none + "240 to 260 and 260 to 570");
    refused(ieee1394_1995, 120,
            "a message may take 120 ticks; twice that must be less than the first wait, "
            "240, and than what lies between the windows, 310");
    refused(ieee1394a_2000, 370,
            "a message may take 370 ticks; twice that must be less than the first wait, "
            "760, and than what lies between the windows, 740");
    refused({0, 260, 570, 600}, 0,
            "a message may take 0 ticks; twice that must be less than the first wait, "
            "0, and than what lies between the windows, 310");
    CHECK_NOTHROW(static_cast<void>(firewire{{ieee1394_1995, 119, 0}}));
    CHECK_NOTHROW(static_cast<void>(firewire{{ieee1394a_2000, 369, 0}}));
    CHECK_NOTHROW(static_cast<void>(firewire{{{241, 241, 242 + 240, 500}, 120, 0}}));
    CHECK_THROWS(static_cast<void>(firewire{{ieee1394_1995, never / 2 + 2, 0}}));
}

TEST_CASE("firewire: delays beyond the stated bound: more collisions, endless if somebody wants "
          "it so; but by chance they end, and never with two roots") {
    const verdict v = explore(path{2}, with({coin_alone, 1, 0}),
                              {.properties = {finally(someone_leads)},
                               .timers = timers::any_time});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.loop_from.has_value());
    std::uint64_t asked = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        events net{path{2}, with({}), {.seed = seed, .delay = uniform{5000, 6000}}};
        net.start_all();
        asked += net.run().by_kind("be_my_parent");
        check_identified(net);
    }
    CHECK(asked > 200 * (1 + 2 * 4));   // 2 collisions are the average within the bound
}

TEST_CASE("firewire: a cycle is refused, and if let through has no root") {
    const graph ring_with_tail{4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}};
    CHECK_THROWS_WITH(rounds(ring_with_tail, with({})),
                      "simulation: the algorithm needs a tree, and the graph has a cycle");
    CHECK_THROWS_WITH(rounds(graph{3, {{0, 1}}}, with({})),
                      "simulation: the graph is not connected: no way from node 0 to node 2");
    rounds sim{ring_with_tail, with({}), {.outside_model = true}};
    sim.start_all();
    const report r = sim.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.messages == 1);          // the tail asks, and nobody ever answers
    CHECK(root_of(sim) == sim.nodes());
}

TEST_CASE("firewire: by coin, a copy that comes later than stated, when the next attempt is on, "
          "makes two roots") {
    const auto explored = [](timers when, std::uint8_t duplicates) {
        return explore(path{2}, with({coin_alone, 1, 0}),
                       {.properties = {always(at_most_one_leader)},
                        .faults = {.duplicates = duplicates}, .timers = when});
    };
    CHECK(explored(timers::after_messages, 4).verified());
    const verdict late = explored(timers::any_time, 1);
    CHECK_FALSE(late.holds);
    CHECK(late.counterexample.size() == 7);
}

TEST_CASE("firewire: what comes again in an attempt changes nothing; the next one's makes a root") {
    using process = firewire<>;
    struct hand {
        std::size_t sent = 0;
        bool odd = true;
        bool armed = false;
        std::size_t degree() const { return 1; }
        void send(port, const process::message& m) {
            ++sent;
            if (const auto* asked = std::get_if<process::be_my_parent>(&m)) odd = asked->by;
        }
        void broadcast(const process::message& m) { send(port{0}, m); }
        void arm(const process::timer&, ticks) { armed = true; }
        void disarm(const process::timer&) {}
        std::size_t choose(std::size_t) const { return 0; }
        void report(const process::outcome&) {}
    };
    const auto twice_asked = [](hand& env) {
        process p{{.reaction = 0}};
        p.start(env);
        CHECK_FALSE(env.odd);
        for (int copies = 0; copies < 2; ++copies)
            p.on(process::be_my_parent{false}, port{0}, env);
        CHECK(env.armed);
        p.on(process::window_over{}, env);         // not asked first
        CHECK(env.odd);
        CHECK(env.sent == 2);
        env.armed = false;
        return p;
    };
    hand one;
    process first = twice_asked(one);
    for (int copies = 0; copies < 2; ++copies)
        first.on(process::be_my_parent{true}, port{0}, one);
    CHECK(one.armed);
    first.on(process::be_my_parent{false}, port{0}, one);   // of the third attempt
    first.on(process::window_over{}, one);
    CHECK(first.is_leader());

    hand two;
    process second = twice_asked(two);
    second.on(process::be_my_parent{false}, port{0}, two);  // has overtaken that of the second
    CHECK(second.is_leader());
    CHECK_FALSE(two.armed);
}

TEST_CASE("firewire: a lost message or a crashed node stops it, but never makes two roots") {
    const auto explored = [](auto property) {
        return explore(path{3}, with({coin_alone, 1, 0}),
                       {.properties = {property}, .faults = {.losses = 1},
                        .timers = timers::any_time});
    };
    CHECK(explored(always(at_most_one_leader)).verified());
    CHECK_FALSE(explored(finally(someone_leads)).holds);
    events net{star{5}, with({}), {.delay = unit{}}};
    net.crash(0);
    net.start_all();
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(net.outcomes().empty());
}

TEST_CASE("firewire: equal ids are refused; where they meet neither yields") {
    CHECK_THROWS_WITH(rounds(path{2}, by_id<>{{7, 7}}),
                      "simulation: nodes 0 and 1 have the same id");
    rounds sim{path{2}, by_id<>{{7, 7}}, {.outside_model = true}};
    sim.start_all();
    CHECK(sim.run().messages == 2);
    CHECK(root_of(sim) == 2);
}

TEST_CASE("firewire: what comes twice, early or from nowhere changes nothing") {
    using process = firewire<int>;
    struct hand {
        std::vector<process::message> out{};
        std::size_t told = 0;
        std::size_t armed = 0;
        std::size_t degree() const { return 3; }
        void send(port, const process::message& m) { out.push_back(m); }
        void broadcast(const process::message& m) {
            for (const port p : ports(3)) send(p, m);
        }
        void arm(const process::timer&, ticks) { ++armed; }
        void disarm(const process::timer&) {}
        void report(const process::outcome&) { ++told; }
    };
    hand env;
    process inner{5, {.reaction = 0}};
    inner.start(env);
    inner.on(process::you_are_my_child{}, port{0}, env);   // nobody was asked
    inner.on(process::elected{9}, port{0}, env);
    for (int twice = 0; twice < 2; ++twice) inner.on(process::be_my_parent{1}, port{0}, env);
    CHECK(env.out.empty());
    inner.on(process::be_my_parent{2}, port{1}, env);
    CHECK(env.out.size() == 3);                            // two answers, and port 2 is asked
    inner.on(process::be_my_parent{2}, port{1}, env);      // a child's, twice: no contention
    inner.on(process::you_are_my_child{}, port{1}, env);
    inner.on(process::elected{9}, port{1}, env);
    CHECK(env.out.size() == 3);
    CHECK_FALSE(inner.parent());
    CHECK_FALSE(inner.leader());
    inner.on(process::elected{9}, port{2}, env);           // overtook the answer
    CHECK(env.out.size() == 5);
    CHECK(inner.parent() == port{2});
    for (int twice = 0; twice < 2; ++twice) {
        inner.on(process::you_are_my_child{}, port{2}, env);
        inner.on(process::elected{8}, port{2}, env);
        inner.on(process::be_my_parent{1}, port{2}, env);
        inner.start(env);
    }
    CHECK(env.out.size() == 5);
    CHECK(env.told == 1);
    CHECK(env.armed == 0);
    CHECK(inner.leader() == 9);
}

TEST_CASE("firewire: a node with more ports than its storage holds says so and stays out") {
    for (const std::size_t initiator : sizes{0, 1}) {
        rounds sim{star{6}, [](node) { return firewire{{}, inplace_storage<4>{}}; }};
        sim.start(initiator);
        sim.run();
        REQUIRE(sim.outcomes().size() == 1);
        CHECK(std::get<overflow>(sim.outcomes()[0].outcome).needed == 5);
        CHECK(root_of(sim) == 6);
    }
}
