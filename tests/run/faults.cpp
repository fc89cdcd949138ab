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
