// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/midway.hpp>

#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace caucus;
using simulation::midway;

namespace {

/// Sends twice, disarms, arms, keeps, reports and sends again, and counts between.
struct busybody {
    struct patience {};
    using message = int;
    using timer = patience;
    using outcome = int;
    using kept = int;

    int done = 0;
    int heard = 0;
    incarnation life = {};

    void start(auto& env) {
        env.broadcast(1);   // two ports
        ++done;
        env.disarm(patience{});
        env.arm(patience{}, 3);
        env.keep(++done);
        env.report(++done);
        env.send(port{1}, 2);
        ++done;
    }
    void on(int, port, auto&) { ++heard; }
    void on(patience, auto& env) { env.broadcast(3); }
    void on(const recovered<int>& r, auto& env) {
        life = r.incarnation;
        done = r.last.value_or(-1);
        env.send(port{0}, 4);
    }
};
events<complete, busybody> three(fault_plan plan = {}) {
    return {complete{3}, [](node) { return busybody{}; }, {.delay = unit{}, .faults = plan}};
}

}  // namespace

TEST_CASE("midway: strikes when one more is asked for, of sends or of everything") {
    using counted = simulation::midway_orders::counted;
    simulation::midway_orders m;
    CHECK(m.unused());
    CHECK_FALSE(m.strikes(0, true));
    m.order(0, counted::sends, 1);
    m.order(1, counted::effects, 1);
    CHECK_FALSE(m.unused());
    CHECK_FALSE(m.strikes(0, true));
    CHECK_FALSE(m.strikes(0, false));
    CHECK(m.strikes(0, true));
    CHECK_FALSE(m.strikes(1, true));
    CHECK(m.strikes(1, false));
    m.order(2, counted::sends, 0);
    m.call_off(2);
    CHECK_FALSE(m.strikes(2, true));
}

TEST_CASE("midway: the fallen are what they were, until they rise") {
    midway<int> m;
    CHECK(m.of(0) == nullptr);
    m.fall(0, 7);
    m.fall(2, 8);
    m.fall(1, 9);
    m.fall(2, 10);   // again
    CHECK(*m.of(0) == 7);
    CHECK(*m.of(1) == 9);
    CHECK(*m.of(2) == 10);
    m.rise(1);
    m.rise(1);
    CHECK(m.of(1) == nullptr);
    CHECK(*m.of(0) == 7);
    CHECK(*m.of(2) == 10);
    m.rise(0);
    m.rise(2);
    CHECK(m.of(0) == nullptr);
    CHECK(m.of(2) == nullptr);
}

TEST_CASE("events: crash(v).after_sends(k): the k-th message is sent, and nothing after it") {
    for (std::size_t k = 0; k < 3; ++k) {
        CAPTURE(k);
        events net = three();
        net.crash(0).after_sends(k);
        CHECK(net.alive(0));
        net.start(0);
        CHECK_FALSE(net.alive(0));
        CHECK(net[0].done == (k < 2 ? 0 : 3));   // what it was when it asked for the next
        CHECK(net.armed(0).empty());
        CHECK(net.outcomes().size() == (k < 2 ? 0 : 1));   // between the second and the third
        CHECK(net.run().messages == k);
        CHECK(net[1].heard + net[2].heard == static_cast<int>(k));
        net.restart(0);
        CHECK(net[0].done == (k < 2 ? -1 : 2));   // what it has kept
        CHECK(net.run().messages == k + 1);       // alive: it sends again
    }
}

TEST_CASE("events: crash(v).after_effects(k) counts timers, outcomes and what is kept, too") {
    const std::size_t sent[] = {0, 1, 2, 2, 2, 2, 2};
    for (std::size_t k = 0; k < 7; ++k) {
        CAPTURE(k);
        events net = three();
        net.crash(0).after_effects(k);
        net.start(0);
        CHECK_FALSE(net.alive(0));
        CHECK(net.run().messages == sent[k]);
        CHECK(net.outcomes().size() == (k < 6 ? 0 : 1));
        net.restart(0);
        CHECK(net[0].done == (k < 5 ? -1 : 2));
    }
    events net = three();
    net.crash(0).after_effects(7);   // all that the start asks for
    net.start(0);
    CHECK(net.alive(0));
    CHECK(net.armed(0).size() == 1);
    net.run();
    CHECK_FALSE(net.alive(0));   // when its timer ran out
    CHECK(net[1].heard == 1);
}

TEST_CASE("events: sends are counted over several handlers, and a crash before makes it void") {
    events net = three();
    net.crash(0).after_sends(4);   // three at the start, one when the timer runs out
    net.start(0);
    CHECK(net.run().messages == 4);
    CHECK_FALSE(net.alive(0));
    net.restart(0);
    CHECK(net.alive(0));

    net.crash(1).after_sends(0);
    net.crash(1);
    CHECK_FALSE(net.alive(1));
    net.restart(1);
    CHECK(net.alive(1));   // though it has sent

    net.crash(2);
    net.crash(2).after_sends(0);   // said of the dead: the next life begins with it
    net.restart(2);
    CHECK_FALSE(net.alive(2));
    CHECK(net.incarnation(2).number == 1);
}

TEST_CASE("events: a plain crash by hand comes at once, as ever") {
    events net = three();
    net.crash(0);
    CHECK_FALSE(net.alive(0));
    CHECK_THROWS_WITH(net.crash(3), "simulation: there is no node 3 among 3");
}

TEST_CASE("events: a plan may say after how many sends a crash comes") {
    events net = three(fault_plan{}.crash(0, 1).after_sends(2).restart(0, 9));
    net.run_for(1);
    CHECK(net.alive(0));
    net.start(0);
    CHECK_FALSE(net.alive(0));
    CHECK(net.run_for(3).messages == 2);
    CHECK(net.run().messages == 3);
    CHECK(net[0].life.number == 1);
}

TEST_CASE("events: copies by hand: none, one or several of each message arrive") {
    std::size_t number = 0;
    events net{complete{3}, [](node) { return busybody{}; },
               {.delay = unit{}, .copies = [&](const hop&) { return number++; }}};
    net.start(0);   // to 1: none; to 2: one, and later two
    const report r = net.run_for(1);
    CHECK(r.messages == 3);
    CHECK(r.lost == 1);
    CHECK(r.doubled == 1);
    CHECK(net[1].heard == 0);
    CHECK(net[2].heard == 3);
}

namespace {

struct objecting : observer {
    void crashed(ticks, node) { throw 7; }
};

}  // namespace

TEST_CASE("events: an observer may throw when it hears of a crash") {
    events net{complete{3}, [](node) { return busybody{}; }, {}, objecting{}};
    CHECK_THROWS_AS(net.crash(0), int);
    net.start(1);
    net.crash(1).after_sends(0);
    CHECK_THROWS_AS(net.start(1), int);
}

TEST_CASE("events: a request in whose handler the node dies is answered by the handler") {
    events net{complete{3}, [](node) { return busybody{}; }};
    net.crash(0).after_sends(1);
    CHECK(net.call(0, request::start{}) == answer::accepted);
    CHECK_FALSE(net.alive(0));
    CHECK(net.call(0, request::start{}) == answer::not_running);
}
