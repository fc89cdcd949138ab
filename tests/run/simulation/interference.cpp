// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/interference.hpp>

#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace caucus;

namespace {

/// Beats for ever, and counts what it hears of others.
struct drum {
    struct beat {};
    using message = int;
    using timer = beat;
    using outcome = int;

    int heard = 0;
    int suspected = 0;

    void start(auto& env) { on(beat{}, env); }
    void on(beat, auto& env) {
        env.broadcast(1);
        env.arm(beat{}, 5);
    }
    void on(int, port, auto& env) { env.report(++heard); }
    void on(const suspect&, auto&) { ++suspected; }
    void on(const trust&, auto&) { --suspected; }
};
using band = events<complete, drum>;

band four() {
    const fault_plan plan = fault_plan{}
                                .links({.loss = 0.2, .duplication = 0.2})
                                .crash(3, 20)
                                .restart(3, 60)
                                .pause(1, 30, 70);
    return {complete{4}, [](node) { return drum{}; },
            {.seed = 5, .faults = plan, .detector = eventual{5, 3, 100}, .outside_model = true}};
}

std::vector<int> heard_in(const band& b) {
    std::vector<int> all;
    for (std::size_t v = 0; v < b.nodes(); ++v) {
        all.push_back(b[v].heard);
        all.push_back(b[v].suspected);
    }
    return all;
}

}  // namespace

TEST_CASE("interference: a copy in the middle of everything goes on as the original does") {
    band one = four();
    one.start_all();
    one.crash(2).after_sends(4);   // in the middle of its second beat
    static_cast<void>(one.run_for(40));
    REQUIRE_FALSE(one.alive(2));
    REQUIRE_FALSE(one.alive(3));
    REQUIRE(one.paused(1));
    band two = one;
    CHECK(heard_in(two) == heard_in(one));
    const report first = one.run_for(200);
    const report second = two.run_for(200);
    CHECK(first.messages == second.messages);
    CHECK(first.lost == second.lost);
    CHECK(first.doubled == second.doubled);
    CHECK(first.lost > 0);
    CHECK(first.doubled > 0);
    CHECK(heard_in(two) == heard_in(one));
    band three = four();
    three = two;   // assigned, likewise
    CHECK(heard_in(three) == heard_in(one));
    CHECK(three[2].heard == one[2].heard);
    CHECK_FALSE(three.alive(2));
}
