// SPDX-License-Identifier: MIT
#include <caucus/run/faults.hpp>

#include <doctest/doctest.h>

#include "../laws/topology.hpp"
#include "subjects.hpp"

#include <caucus/election/complete/bully.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>

#include <cstddef>
#include <optional>
#include <vector>

using namespace caucus;
using laws::refusal;

namespace {

/// Beats every 10 ticks, ten times a life; keeps how often; says what it recovers and suspects.
struct pulse {
    struct beat { int number; };
    struct due {};
    struct said { int word; int number; };   // 0 recovered, 1 suspect, 2 trust, 3 heard
    using message = beat;
    using timer = due;
    using outcome = said;
    using kept = int;

    void start(auto& env) { on(due{}, env); }
    void on(due, auto& env) {
        env.keep(++beats);
        env.broadcast(beat{beats});
        if (beats % 10 != 0) env.arm(due{}, 10);
    }
    void on(beat m, port, auto& env) {
        ++heard;
        env.report(said{3, m.number});
    }
    void on(const recovered<int>& r, auto& env) {
        life = r.incarnation.number;
        beats = r.last.value_or(-1);
        env.report(said{0, beats});
    }
    void on(suspect s, auto& env) { env.report(said{1, static_cast<int>(s.whom.index())}); }
    void on(trust t, auto& env) { env.report(said{2, static_cast<int>(t.whom.index())}); }

    int beats = 0;
    int heard = 0;
    unsigned life = 0;
};

const auto make = [](node) { return pulse{}; };

}  // namespace

TEST_CASE("fault_plan: keeps what was written, in that order") {
    const fault_plan plan = fault_plan{}.crash(2, 100).restart(2, 500).crash(1, 50);
    REQUIRE(plan.faults().size() == 3);
    CHECK(plan.faults()[0].node == 2);
    CHECK(plan.faults()[0].at == 100);
    CHECK(plan.faults()[0].what == fault_plan::kind::crash);
    CHECK(plan.faults()[1].what == fault_plan::kind::restart);
    CHECK(plan.faults()[2].at == 50);
    CHECK(fault_plan{}.faults().empty());
}

TEST_CASE("crash: messages to the dead are sent and lost, timers die, nothing more is heard") {
    events net{ring{2}, make, {.delay = uniform{3, 3}}};
    net.start_all();
    net.run_for(12);                       // both have beaten at 0 and 10
    net.crash(1);
    CHECK_FALSE(net.alive(1));
    CHECK(net.alive(0));
    const report r = net.run();
    CHECK(net[1].beats == 2);
    CHECK(net[1].heard == 1);
    CHECK(net[0].heard == 2);              // what was under way from the dead still arrives
    CHECK(r.messages == 12);
    CHECK(r.lost == 9);
    CHECK(r.rounds == 90);                 // a message that nobody hears is nothing that happens
    CHECK(r.stopped == stop::quiescent);
}

TEST_CASE("crash: at its tick it comes before messages and timers") {
    events net{ring{2}, make, {.delay = uniform{5, 5}, .faults = fault_plan{}.crash(1, 5)}};
    net.start(0);
    CHECK(net.run().lost == 10);
    events other{ring{2}, make, {.delay = uniform{5, 5}, .faults = fault_plan{}.crash(0, 10)}};
    other.start(0);
    CHECK(other.run().messages == 1);
}

TEST_CASE("crash: at tick 0 a node is dead before anybody starts") {
    events net{ring{3}, make, {.delay = unit{}, .faults = fault_plan{}.crash(1, 0)}};
    CHECK_FALSE(net.alive(1));
    net.start_all();
    const report r = net.run();
    CHECK(r.size.initiators == 2);
    CHECK(net[1].beats == 0);
    CHECK(r.lost == 10);
}

TEST_CASE("crash: the dead hear no start, take no request, and do not mind dying again") {
    events net{ring{2}, make, {.delay = unit{}}};
    net.crash(0);
    net.crash(0);
    net.start(0);
    net.start_all();
    CHECK(net.run().size.initiators == 1);
    CHECK(net[0].beats == 0);
    CHECK(net.call(0, request::start{}) == answer::not_running);
    CHECK(net.call(1, request::start{}) == answer::accepted);
    CHECK(net[1].beats == 11);
}

TEST_CASE("restart: made anew, told its incarnation and what it kept last") {
    events net{ring{2}, make, {.delay = unit{}}};
    net.start(0);
    net.run_for(25);                       // three beats
    net.crash(0);
    net.run_for(5);
    net.restart(0);
    CHECK(net.alive(0));
    CHECK(net[0].life == 1);
    CHECK(net[0].beats == 3);
    CHECK(net.run_for(100).messages == 3); // the old timer died
    net.start(0);
    net.run_for(1);
    net.crash(0);
    net.restart(0);
    CHECK(net[0].life == 2);
    CHECK(net[0].beats == 4);
}

TEST_CASE("restart: who kept nothing recovers nothing") {
    events net{ring{2}, make, {.delay = unit{}}};
    net.crash(1);
    net.restart(1);
    CHECK(net[1].life == 1);
    CHECK(net[1].beats == -1);
    CHECK(net.outcomes().size() == 1);
}

TEST_CASE("restart: messages under way reach the next life") {
    events net{ring{2}, make,
               {.delay = uniform{50, 50}, .faults = fault_plan{}.crash(1, 10).restart(1, 20)}};
    net.start(0);
    CHECK(net.run().lost == 0);
    CHECK(net[1].heard == 10);
    CHECK(net[1].life == 1);
}

TEST_CASE("restart: of one tick, faults happen in the order written") {
    events net{ring{2}, make, {.delay = unit{}, .faults = fault_plan{}.crash(0, 7).restart(0, 7)}};
    net.run();
    CHECK(net.alive(0));
    CHECK(net[0].life == 1);
}

TEST_CASE("restart: of the living is refused, and so are nodes and ports that are not there") {
    events net{graph{3, {{0, 1}, {1, 2}}}, make};
    CHECK(refusal([&] { net.restart(1); }) ==
          "events: node 1 is alive; crash it before it restarts");
    CHECK(refusal([&] { net.crash(3); }) == "simulation: there is no node 3 among 3");
    CHECK(refusal([&] { net.restart(3); }) == "simulation: there is no node 3 among 3");
    CHECK(refusal([&] { static_cast<void>(net.alive(3)); }) ==
          "simulation: there is no node 3 among 3");
    CHECK(refusal([&] { net.suspect(0, port{1}); }) == "events: node 0 has no port 1");
    CHECK(refusal([&] { net.trust(1, port{2}); }) == "events: node 1 has no port 2");
    CHECK(refusal([&] { net.suspect(3, port{0}); }) == "simulation: there is no node 3 among 3");
    CHECK(refusal([&] { events{ring{2}, make, {.faults = fault_plan{}.crash(2, 9)}}; }) ==
          "simulation: there is no node 2 among 2");
}

TEST_CASE("suspect and trust: by hand, to the living, outcomes in order") {
    events net{complete{4}, make};
    net.suspect(2, port{1});
    net.trust(2, port{0});
    net.suspect(0, port{2});
    net.crash(1);
    net.suspect(1, port{0});
    REQUIRE(net.outcomes().size() == 3);
    CHECK(net.outcomes()[0].node == node{0});
    CHECK(same(net.outcomes()[0].outcome, {1, 2}));
    CHECK(same(net.outcomes()[1].outcome, {1, 1}));
    CHECK(same(net.outcomes()[2].outcome, {2, 0}));
}

TEST_CASE("bully: the leader dies and comes back; the others follow, then follow it again") {
    const std::vector ids{17, 4, 42, 8};
    events net{complete{4}, [&](node v) {
        return bully{ids[v], peer_ids(complete{4}, v, ids), {.delay_max = 10}};
    }};
    net.start_all();
    net.run();
    CHECK(net[1].leader() == 42);
    net.crash(2);
    net.suspect(1, port{0});               // the port to node 2
    net.run();
    for (const std::size_t v : {0u, 1u, 3u}) CHECK(net[v].leader() == 17);
    net.restart(2);
    net.run();
    for (const std::size_t v : {0u, 1u, 2u, 3u}) CHECK(net[v].leader() == 42);
}

TEST_CASE("fault_plan: after how many sends is said of a crash, and of nothing else") {
    const fault_plan plan = fault_plan{}.crash(1, 5).crash(2, 7).after_sends(3).restart(2, 9);
    REQUIRE(plan.faults().size() == 3);
    CHECK_FALSE(plan.faults()[0].after_sends);
    CHECK(plan.faults()[1].after_sends == 3);
    CHECK_FALSE(plan.faults()[2].after_sends);
    const char* why = "fault_plan: after_sends is said of a crash";
    CHECK(refusal([] { fault_plan{}.after_sends(1); }) == why);
    CHECK(refusal([] { fault_plan{}.crash(2, 7).restart(2, 9).after_sends(1); }) == why);
    // What never comes is not planned: nothing is said of the crash before it.
    const fault_plan other = fault_plan{}.crash(1, 5).crash(2, never).after_sends(3);
    REQUIRE(other.faults().size() == 1);
    CHECK_FALSE(other.faults()[0].after_sends);
}

TEST_CASE("events: a detector tells of a crash after so many sends, which may never come") {
    events net{complete{3}, make,
               {.delay = unit{},
                .faults = fault_plan{}.crash(0, 0).after_sends(3).crash(1, 0).after_sends(100),
                .detector = perfect{}}};
    net.start(0);   // two beats at once, and two more at tick 10: of these only the first
    net.run();
    CHECK_FALSE(net.alive(0));
    CHECK(net.alive(1));
    CHECK(net[1].heard == 2);
    CHECK(net[2].heard == 1);
    std::size_t suspicions = 0;
    for (const auto& o : net.outcomes()) suspicions += o.outcome.word == 1;
    CHECK(suspicions == 2);
}

TEST_CASE("absent: what would reach it is lost, it is not alive; it arrives in its first life") {
    events net{ring{2}, make, {.delay = uniform{3, 3}, .faults = fault_plan{}.absent(1, 12)}};
    CHECK_FALSE(net.alive(1));
    CHECK(net.absent(1));
    CHECK_FALSE(net.left(1));
    CHECK_FALSE(net.absent(0));
    net.start_all();
    CHECK(net.call(1, request::start{}) == answer::not_running);
    const report before = net.run_for(11);
    CHECK(before.messages == 2);           // node 0 at 0 and 10
    CHECK(before.lost == 1);               // the second is under way
    CHECK(before.alive == 1);
    CHECK(before.size.initiators == 1);
    net.run_for(1);
    CHECK(net.alive(1));
    CHECK_FALSE(net.absent(1));
    CHECK(net[1].beats == 1);              // started when it came, since it was asked to before
    CHECK(net[1].life == 0);
    CHECK(net.incarnation(1).number == 0);
    const report r = net.run();
    CHECK(r.lost == 1);
    CHECK(r.alive == 2);
    CHECK(r.size.initiators == 2);
    CHECK(net[1].heard == 9);
    CHECK(net[0].heard == 10);
}

TEST_CASE("absent: who was not asked to start arrives and does nothing, until a message comes") {
    events net{ring{2}, make, {.delay = uniform{3, 3}, .faults = fault_plan{}.absent(1, 12)}};
    net.start(0);
    net.run();
    CHECK(net[1].beats == 0);
    CHECK(net[1].heard == 9);
}

TEST_CASE("absent: until the end, or until it arrives by hand, once") {
    events net{ring{2}, make, {.delay = unit{}, .faults = fault_plan{}.absent(1)}};
    net.start_all();
    CHECK(net.run_for(35).lost == 4);
    CHECK(net.absent(1));
    net.heal();                            // being absent is nothing that heals
    CHECK(net.absent(1));
    net.crash(1);                          // nor does who is not there crash
    net.pause(1);
    CHECK(net.absent(1));
    CHECK_FALSE(net.paused(1));
    net.arrive(1);
    CHECK(net[1].beats == 1);
    CHECK(refusal([&] { net.arrive(1); }) == "events: node 1 is not absent, and cannot arrive");
    CHECK(refusal([&] { net.arrive(2); }) == "simulation: there is no node 2 among 2");
    CHECK(net.run().lost == 4);
    // In its place in the plan it has arrived already, and that is all right.
    events twice{ring{2}, make, {.delay = unit{}, .faults = fault_plan{}.absent(1, 20)}};
    twice.arrive(1);
    twice.start(1);
    CHECK(twice.run().size.initiators == 1);
    CHECK(twice[1].beats == 10);
}

TEST_CASE("absent: a pause that begins before it is there does not hold it up") {
    for (const bool pause_first : {false, true}) {
        fault_plan plan;
        if (pause_first) plan.pause(1, 0, 50);
        plan.absent(1, 12);
        if (!pause_first) plan.pause(1, 0, 50);
        events net{ring{2}, make, {.delay = unit{}, .faults = plan}};
        net.start_all();
        net.run_for(12);
        CHECK(net[1].beats == 1);
        CHECK_FALSE(net.paused(1));
    }
}

TEST_CASE("leave: to the others a crash, for good") {
    const auto run = [](fault_plan plan) {
        events net{ring{3}, make,
                   {.delay = uniform{3, 30}, .faults = plan, .detector = perfect{2}}};
        net.start_all();
        std::vector<int> seen;
        const report r = net.run();
        for (const auto& o : net.outcomes())
            seen.insert(seen.end(), {static_cast<int>(o.at), static_cast<int>(o.node.index),
                                     o.outcome.word, o.outcome.number});
        seen.insert(seen.end(), {static_cast<int>(r.messages), static_cast<int>(r.lost),
                                 static_cast<int>(r.alive)});
        return seen;
    };
    CHECK(run(fault_plan{}.leave(1, 25)) == run(fault_plan{}.crash(1, 25)));
    CHECK(run(fault_plan{}.leave(1, 25)) != run(fault_plan{}));

    events net{ring{2}, make, {.faults = fault_plan{}.leave(1, 25).leave(0, never)}};
    net.start_all();
    net.run_for(25);
    CHECK_FALSE(net.alive(1));
    CHECK(net.left(1));
    CHECK_FALSE(net.absent(1));
    CHECK(refusal([&] { net.restart(1); }) == "events: node 1 has left and cannot restart");
    CHECK(refusal([&] { net.arrive(1); }) == "events: node 1 is not absent, and cannot arrive");
    net.leave(1);
    CHECK(net.left(1));
    net.crash(0);                          // who has crashed may still leave
    CHECK_FALSE(net.left(0));
    net.leave(0);
    CHECK(net.left(0));
    CHECK(net.run_for(0).alive == 0);
    CHECK(refusal([&] { net.leave(2); }) == "simulation: there is no node 2 among 2");
}

TEST_CASE("leave: who would have restarted by chance stays away") {
    events net{ring{2}, make,
               {.delay = unit{},
                .faults = fault_plan{}.crashes({.probability = 1, .downtime_max = 1}, 0, 2)}};
    net.start(0);
    net.run_for(1);                        // node 1 is struck, and would be back at 2
    CHECK_FALSE(net.alive(1));
    net.leave(1);
    net.run_for(10);
    CHECK(net.left(1));
    CHECK(net.incarnation(1).number == 0);
}

TEST_CASE("absent and leave: what happens to a node that is not there is refused, by its number") {
    const auto said = [](fault_plan plan) {
        return refusal([&] { events{ring{3}, make, {.faults = plan}}; });
    };
    CHECK(said(fault_plan{}.absent(2, 100).crash(2, 99)) ==
          "faults: node 2 is still absent at 99, and cannot crash");
    CHECK(said(fault_plan{}.crash(2, 0).absent(2, 100)) ==
          "faults: node 2 is still absent at 0, and cannot crash");
    CHECK(said(fault_plan{}.restart(1, 9).absent(1, 10)) ==
          "faults: node 1 is still absent at 9, and cannot restart");
    CHECK(said(fault_plan{}.amnesia(1, 9).absent(1, 10)) ==
          "faults: node 1 is still absent at 9, and cannot restart");
    CHECK(said(fault_plan{}.absent(1, 10).leave(1, 9)) ==
          "faults: node 1 is still absent at 9, and cannot leave");
    CHECK(said(fault_plan{}.absent(1, 10).absent(1, 20)) ==
          "faults: node 1 is still absent at 0, and cannot be absent twice");
    CHECK(said(fault_plan{}.leave(0, 10).crash(0, 11)) ==
          "faults: node 0 has left at 11, and cannot crash");
    CHECK(said(fault_plan{}.crash(0, 5).restart(0, 20).leave(0, 10)) ==
          "faults: node 0 has left at 20, and cannot restart");
    CHECK(said(fault_plan{}.leave(0, 10).leave(0, 20)) ==
          "faults: node 0 has left at 20, and cannot leave");
    // Of one tick, in the order written.
    CHECK(said(fault_plan{}.crash(2, 100).absent(2, 100)) ==
          "faults: node 2 is still absent at 100, and cannot crash");
    CHECK(said(fault_plan{}.absent(2, 100).crash(2, 100).restart(2, 100)) == "not refused");
    CHECK(said(fault_plan{}.leave(2, 100).crash(2, 100)) ==
          "faults: node 2 has left at 100, and cannot crash");
    const auto in_time = fault_plan{}.absent(2, 50).crash(2, 60).restart(2, 70).leave(2, 70);
    CHECK(said(in_time) == "not refused");
    // Of others, at any time; and what does nobody harm.
    const auto of_others = fault_plan{}.absent(2, 99).crash(1, 10).cut(2, 0, 5).drift(2, 3);
    CHECK(said(of_others) == "not refused");
    CHECK(said(fault_plan{}.absent(2, 0).crash(2, 0)) == "not refused");
    events net{ring{3}, make, {.faults = fault_plan{}.absent(2)}};
    CHECK(refusal([&] { net.restart(2); }) ==
          "events: node 2 is not there yet and cannot restart");
    CHECK(refusal([&] { net.leave(2); }) == "events: node 2 is not there yet and cannot leave");
}
