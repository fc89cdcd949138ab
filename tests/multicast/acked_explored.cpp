// SPDX-License-Identifier: MIT
// Every schedule of two and three members: links that lose, repeat and reorder, crashes, restarts,
// suspicions that are wrong.
#include <caucus/multicast/acked.hpp>

#include <doctest/doctest.h>
#include <support/cast_clients.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using cast_only = request::broadcast<int>;
using app = client<acked<int>, script<cast_only>, deliveries_log>;

struct story {
    std::size_t n;
    std::vector<int> casts;       // how many of each
    std::size_t window = 2;
    fault_budget faults = {};
    bool fifo = true;
    std::size_t wrong = 0;        // suspicions; with crashes the dead are suspected, too
    bool without_gaps = true;
    bool reaches_all = true;
    std::size_t most = 0;         // deliveries at somebody
};

app member_of(const story& s, node v) {
    std::vector<cast_only> wants;
    for (int i = 1; i <= s.casts[v]; ++i) wants.push_back({static_cast<int>(v.index) * 10 + i});
    return app{acked<int>{static_cast<int>(v.index), others(s.n, v),
                          {.window = s.window, .resend_after = 4, .retries = 1}},
               script<cast_only>{wants, {.retries = 9}}, {}};
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
    if (s.wrong != 0 || s.faults.crashes != 0) how.detector = eventual{.wrong = s.wrong};
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

TEST_CASE("acked: integrity, fifo, agreement; loss, repetition, any order, n = 2 and 3") {
    std::uint64_t states = 0;
    states += holds({.n = 2, .casts = {2, 1}, .faults = {.losses = 2, .early_expiries = 1},
                     .most = 3});
    states += holds({.n = 2, .casts = {3, 0}, .faults = {.losses = 1, .duplicates = 1},
                     .fifo = false, .most = 3});
    states += holds({.n = 3, .casts = {2, 0, 0}, .faults = {.losses = 1, .duplicates = 1},
                     .most = 2});
    states += holds({.n = 3, .casts = {1, 1, 0}, .faults = {.losses = 1}, .fifo = false,
                     .most = 2});
    CHECK(states < 400'000);
}
TEST_CASE("acked: a crash, a restart, a wrong suspicion: nobody is confused, nothing is stuck") {
    std::uint64_t states = 0;
    states += holds({.n = 2, .casts = {2, 1}, .faults = {.crashes = 1}, .most = 3});
    states += holds({.n = 2, .casts = {2, 0},
                     .faults = {.crashes = 1, .amnesias = 1, .losses = 1}, .most = 2});
    states += holds({.n = 3, .casts = {2, 0, 0}, .faults = {.crashes = 1, .losses = 1},
                     .most = 2});
    // Suspected, it is not waited for, and may miss what no longer fits.
    states += holds({.n = 2, .casts = {2, 0}, .window = 1, .wrong = 1, .without_gaps = false,
                     .reaches_all = false, .most = 2});
    states += holds({.n = 3, .casts = {1, 1, 0}, .faults = {.losses = 1}, .wrong = 1,
                     .reaches_all = false, .most = 2});
    CHECK(states < 400'000);
}
TEST_CASE("acked: what is not promised: one that is suspected wrongly may miss a message") {
    const verdict v = told({.n = 2, .casts = {2, 0}, .window = 1, .wrong = 1,
                            .reaches_all = true, .most = 2});
    CHECK_FALSE(v.holds);
    MESSAGE(v.counterexample.size(), " events");
}
TEST_CASE("nightly: acked: the same, more of it" * doctest::skip()) {
    std::uint64_t states = 0;
    states += holds({.n = 3, .casts = {2, 1, 0}, .faults = {.losses = 1, .duplicates = 1},
                     .most = 3});
    states += holds({.n = 3, .casts = {2, 1, 0}, .faults = {.losses = 1}, .wrong = 1,
                     .reaches_all = false, .most = 3});
    states += holds({.n = 3, .casts = {1, 1, 0},
                     .faults = {.crashes = 1, .amnesias = 1, .losses = 1}, .most = 2});
    states += holds({.n = 2, .casts = {2, 1},
                     .faults = {.crashes = 1, .amnesias = 1, .losses = 1, .duplicates = 1},
                     .fifo = false, .most = 3});
    MESSAGE(states, " states");
}
