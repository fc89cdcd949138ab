// SPDX-License-Identifier: MIT
// Every schedule of two and three members: links that lose, repeat and reorder, crashes, restarts;
// sessions that go on for ever, and sessions that end.
#include <caucus/multicast/nacked.hpp>

#include <doctest/doctest.h>
#include <support/cast_clients.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using app = client<nacked<int>, script<cast_request>, deliveries_log>;

struct story {
    std::size_t n;
    std::vector<int> casts;       // how many of each
    bool departs = false;         // after those
    std::size_t history = 4;
    unsigned stops = 2;
    fault_budget faults = {};
    bool fifo = true;
    bool without_gaps = true;
    bool reaches_all = true;
    std::size_t most = 0;         // deliveries at somebody
};

app member_of(const story& s, node v) {
    return app{nacked<int>{static_cast<int>(v.index),
                           {.history = s.history, .window = 3, .request_after = 1,
                            .repeat_after = 2, .repeat_most = 2, .requests = 2, .beat = 4,
                            .beat_most = 4, .stops = s.stops}},
               script<cast_request>{s.casts[v] == 0 ? std::vector<cast_request>{}
                                                    : asks(v, s.casts[v], s.departs)},
               {}};
}
verdict told(const story& s) {
    explore_options<app> how{
        .properties = {always("fifo", keeps_deliveries{ordering::fifo, s.without_gaps}),
                       somebody_gets<app>(s.most)},
        .faults = s.faults,
        .fifo = s.fifo,
        .max_states = 3'000'000,
        .count_messages = false,
        .remember_dead = s.faults.crashes != 0};
    if (s.reaches_all) how.properties.push_back(finally("reaches all", casts_reach_all{}));
    // What is sent to one that may come back waits for it: without a bound, more and more.
    if (s.faults.amnesias != 0)
        how.within = [](const global_state<app>& g) { return g.in_flight() <= 4; };
    return explore(complete{s.n}, [s](node v) { return member_of(s, v); }, how);
}
std::uint64_t holds(const story& s) {
    const verdict v = told(s);
    CAPTURE(v.counterexample.text());
    CHECK(v.holds);
    CHECK((v.complete || (v.limit == "within" && s.faults.amnesias != 0)));
    MESSAGE(s.n, " members: ", v.states, " states");
    return v.states;
}

}  // namespace

TEST_CASE("nacked: integrity, fifo, agreement while it beats; loss, repetition, any order") {
    std::uint64_t states = 0;
    states += holds({.n = 2, .casts = {2, 1}, .faults = {.losses = 2, .early_expiries = 1},
                     .most = 3});
    states += holds({.n = 2, .casts = {3, 0}, .faults = {.losses = 1, .duplicates = 1},
                     .fifo = false, .most = 3});
    states += holds({.n = 3, .casts = {2, 0, 0}, .faults = {.losses = 2}, .most = 2});
    states += holds({.n = 3, .casts = {1, 1, 0}, .faults = {.losses = 1, .duplicates = 1},
                     .most = 2});
    states += holds({.n = 3, .casts = {2, 1, 0}, .faults = {.losses = 2}, .most = 3});
    CHECK(states < 400'000);
}
TEST_CASE("nacked: the last message is lost, and all stops but one: it reaches all") {
    std::uint64_t states = 0;
    states += holds({.n = 2, .casts = {1, 0}, .departs = true, .stops = 3,
                     .faults = {.losses = 3}, .most = 1});
    states += holds({.n = 3, .casts = {2, 0, 0}, .departs = true, .faults = {.losses = 2},
                     .most = 2});
    CHECK(states < 400'000);
}
TEST_CASE("nacked: the last message and all stops are lost: nobody notices") {
    const verdict v = told({.n = 2, .casts = {1, 0}, .departs = true, .stops = 2,
                            .faults = {.losses = 3}, .most = 1});
    CHECK_FALSE(v.holds);
    MESSAGE(v.counterexample.size(), " events");
}
TEST_CASE("nacked: a crash, a restart, a history of one: nobody is confused") {
    std::uint64_t states = 0;
    states += holds({.n = 2, .casts = {2, 1}, .faults = {.crashes = 1, .losses = 1}, .most = 3});
    states += holds({.n = 2, .casts = {2, 0},
                     .faults = {.crashes = 1, .amnesias = 1, .losses = 1},
                     .without_gaps = true, .most = 2});
    states += holds({.n = 3, .casts = {2, 0, 0}, .faults = {.crashes = 1, .losses = 1},
                     .most = 2});
    states += holds({.n = 2, .casts = {3, 0}, .history = 1, .faults = {.losses = 2},
                     .without_gaps = false, .reaches_all = false, .most = 3});
    CHECK(states < 400'000);
}
TEST_CASE("nightly: nacked: the same, more of it" * doctest::skip()) {
    std::uint64_t states = 0;
    states += holds({.n = 3, .casts = {2, 1, 0}, .faults = {.losses = 1, .duplicates = 1},
                     .fifo = false, .most = 3});
    states += holds({.n = 3, .casts = {1, 1, 0},
                     .faults = {.crashes = 1, .amnesias = 1, .losses = 1}, .most = 2});
    states += holds({.n = 2, .casts = {2, 2}, .departs = true, .stops = 3,
                     .faults = {.losses = 3, .duplicates = 1}, .fifo = false, .most = 4});
    MESSAGE(states, " states");
}
