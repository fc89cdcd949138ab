// SPDX-License-Identifier: MIT
#include <caucus/multicast/nacked.hpp>

#include <doctest/doctest.h>

#include "../archetypes.hpp"

#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <support/casts.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using group = nacked<std::string>;
static_assert(process<group>);
static_assert(group::delivers == ordering::fifo);
static_assert(perpetual<group>);
static_assert(std::is_same_v<group::payload, std::string>);
static_assert(std::is_same_v<nacked<int, long>::with_payload<char>, nacked<char, long>>);
static_assert(std::is_same_v<decltype(nacked<char>{nacked<int>{0}})::payload, char>);
static_assert(request_to<request::depart, group>);
static_assert(!request_to<request::join, group>);
static_assert(group::per_broadcast(0).most == 0 && group::per_broadcast(5).most == 4);
static_assert(group::timers(7) == 8);
static_assert(nacked_options{}.wait(0) == 8 && nacked_options{}.wait(1) == 32);
static_assert(nacked_options{}.wait(3) == 128 && nacked_options{}.wait(5) == 256);
static_assert(nacked_options{}.wait(64) == 256 && nacked_options{}.wait(4'000'000'000) == 256);

using least_group = nacked<archetype::parcel, archetype::id>;

auto members(nacked_options how) {
    return [=](node v) { return group{static_cast<int>(v.index), how}; };
}
auto net_of(std::size_t n, nacked_options how = {}, events_options run = {}) {
    run.delay = unit{};
    return events{complete{n}, members(how), run};
}
answer cast(auto& net, std::size_t v, std::string words) {
    return net.call(v, request::broadcast<std::string>{std::move(words)});
}
/// What is sent at one of those moments does not arrive.
events_options losing(std::vector<ticks> when) {
    events_options run;
    run.copies = [when](const hop& h) {
        for (const ticks at : when)
            if (h.sent == at) return std::size_t{0};
        return std::size_t{1};
    };
    return run;
}
/// One message a tick from node 0, a, b, c and so on.
void cast_each_tick(auto& net, const std::string& words) {
    for (const char c : words) {
        CHECK(cast(net, 0, std::string(1, c)) == answer::accepted);
        net.run_for(1);
    }
}

}  // namespace

TEST_CASE("nacked: ids and payloads need nothing but to be copied, and ids to be equal or not") {
    least_group one{archetype::id::ranked(1)};
    least_group other{archetype::id::ranked(2)};
    archetype::environment<least_group> env;
    env.ports = 1;
    one.start(env);
    CHECK(one.broadcast(archetype::parcel::of(7), env) == answer::accepted);
    REQUIRE(env.outbox.size() == 1);
    CHECK(env.armed.size() == 1);
    other.on(std::get<least_group::data>(env.outbox[0].message), port{0}, env);
    REQUIRE(env.heard.size() == 2);
    const auto& heard = std::get<delivered<archetype::id, archetype::parcel>>(env.heard[1]);
    CHECK(heard.from == one.id());
    CHECK(heard.payload.content() == 7);
    CHECK(env.outbox.size() == 1);   // nobody acknowledges
}

// Section 34: the second and the third of four are lost; the fourth shows it.
TEST_CASE("nacked: whoever finds a gap asks for what is missing, all of it in one request") {
    auto net = net_of(3, {.request_after = 4}, losing({1, 2}));
    cast_each_tick(net, "abcd");
    CHECK(told(net, 0) == "0:a 0:b 0:c 0:d");   // one's own at once
    net.run_for(1);
    CHECK(told(net, 1) == "0:a");
    CHECK(net[1].early(towards(3, 1, 0)) == 1);
    CHECK(net.armed(1).size() == 1);
    net.run_for(4);
    CHECK(told(net, 1) == "0:a");
    const report r = net.run_for(10);
    CHECK(told(net, 1) == "0:a 0:b 0:c 0:d");
    CHECK(told(net, 2) == "0:a 0:b 0:c 0:d");
    CHECK(r.by_kind("missing") == 2);
    CHECK(r.by_kind("data") == 2 * 4 + 2 * 2);
    CHECK(r.messages == 2 + 12);
    CHECK(net.armed(1).empty());
}

TEST_CASE("nacked: several gaps are in one request, and there is one timer for them") {
    auto net = net_of(2, {.request_after = 4}, losing({1, 3, 5}));
    cast_each_tick(net, "abcdefg");
    CHECK(net.armed(1).size() == 1);
    const report r = net.run_for(20);
    CHECK(told(net, 1) == "0:a 0:b 0:c 0:d 0:e 0:f 0:g");
    CHECK(r.by_kind("missing") <= 2);   // the second for what was lost after the first
    CHECK(r.by_kind("data") == 7 + 3);
}

TEST_CASE("nacked: what only comes late is not asked for") {
    std::vector<ticks> delays{9, 1};
    std::size_t sent = 0;
    events_options run{.fifo = false};
    run.delay = by_hand{[&](const hop&, random_source&) { return delays[sent++ % 2]; }};
    events net{complete{2}, members({.request_after = 20}), run};
    for (const char* word : {"a", "b"}) CHECK(cast(net, 0, word) == answer::accepted);
    const report r = net.run_for(30);
    CHECK(told(net, 1) == "0:a 0:b");
    CHECK(r.messages == 2);
}

TEST_CASE("nacked: a beat shows that the last message was lost; ever rarer, if nothing is new") {
    auto net = net_of(2, {.beat = 10, .beat_most = 40}, losing({0}));
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.run_for(10);
    CHECK(told(net, 1).empty());
    net.run_for(20);
    CHECK(told(net, 1) == "0:a");
    net.run_for(170);   // at 10, 30, 70, 110, 150, 190
    CHECK(net.run_for(0).by_kind("beat") == 6);
    CHECK(cast(net, 0, "b") == answer::accepted);
    CHECK(net.run_for(10).by_kind("beat") == 7);
}

TEST_CASE("nacked: a session ends with so many stops, then all is silent; another one may begin") {
    auto net = net_of(3, {.beat = 10, .stops = 3}, losing({0}));
    CHECK(net.call(0, request::depart{}) == answer::accepted);   // it has said nothing
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.run_for(1);
    CHECK(net.call(0, request::depart{}) == answer::accepted);
    CHECK(net.call(0, request::depart{}) == answer::accepted);
    const report r = net.run_for(1000);
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.by_kind("stop") == 2 * 3);
    CHECK(r.by_kind("beat") == 0);
    CHECK(told(net, 1) == "0:a");
    CHECK(told(net, 2) == "0:a");
    CHECK(cast(net, 0, "b") == answer::accepted);
    CHECK(net.run_for(15).by_kind("beat") == 2);
    CHECK(net.call(0, request::depart{}) == answer::accepted);
    net.run_for(12);
    CHECK(cast(net, 0, "c") == answer::accepted);   // in the middle of its stops: it goes on
    CHECK(net.run_for(1000).by_kind("stop") == 2 * 5);
    CHECK(told(net, 2) == "0:a 0:b 0:c");
}

TEST_CASE("nacked: requests come ever later, end with stalled, and begin with the next word") {
    auto net = net_of(2, {.request_after = 5, .repeat_after = 10, .requests = 3, .beat = 1000,
                          .beat_most = 1000},
                      losing({0}));
    cast_each_tick(net, "ab");
    net.run_for(1);
    net.cut(1, 0);
    net.run_for(76 - net.now());   // the gap was seen at 2, then 5 + 10 + 20 + 40 ticks
    CHECK(told(net, 1).empty());
    CHECK(net.run_for(0).by_kind("missing") == 3);
    net.run_for(1);
    CHECK(told(net, 1) == "stalled0");
    CHECK(net.armed(1).empty());
    CHECK(net.run_for(1500).by_kind("missing") == 4);   // a beat, and one more request
    CHECK(told(net, 1) == "stalled0");
    net.mend(1, 0);
    net.run_for(1000);
    CHECK(told(net, 1) == "stalled0 0:a 0:b");
    CHECK(net.armed(1).empty());
}

TEST_CASE("nacked: after an answer the next request does not wait for as long as the last") {
    auto net = net_of(2, {.request_after = 5, .repeat_after = 10, .requests = 6}, losing({0, 2}));
    cast_each_tick(net, "abcd");
    net.cut(1, 0);
    net.run_for(37 - net.now());   // requests at 7, 17 and 37; the next would come at 77
    CHECK(net.run_for(0).by_kind("missing") == 3);
    net.mend(1, 0);
    net.run_for(13);
    net.call(1, arrival<group::message>{group::data{{0, {}}, 0, "a"}, port{0}});
    CHECK(told(net, 1) == "0:a 0:b");
    net.run_for(10);
    CHECK(net.run_for(1).by_kind("missing") == 4);
    net.run_for(2);
    CHECK(told(net, 1) == "0:a 0:b 0:c 0:d");
}

TEST_CASE("nacked: nothing before q is left: what is missed is told, and the rest is delivered") {
    auto net = net_of(2, {.history = 2, .request_after = 5}, losing({1, 2}));
    cast_each_tick(net, "abcdef");
    CHECK(net[0].kept() == 2);
    const report r = net.run_for(20);
    CHECK(told(net, 1) == "0:a 0:-2 0:d 0:e 0:f");
    CHECK(r.by_kind("gone") == 1);
    CHECK(r.by_kind("data") == 6);
}

TEST_CASE("nacked: a receiver keeps no more than its window, and asks for the rest later") {
    auto net = net_of(2, {.history = 9, .window = 3, .request_after = 5}, losing({0, 3}));
    cast_each_tick(net, "abcdefgh");
    CHECK(net[1].early(port{0}) <= 2);
    net.run_for(200);
    CHECK(told(net, 1) == "0:a 0:b 0:c 0:d 0:e 0:f 0:g 0:h");
}

TEST_CASE("nacked: a late joiner begins with the oldest that there is, or with the next") {
    for (const beginning where : {beginning::oldest, beginning::first_heard}) {
        nacked_options how{.history = 3, .request_after = 5, .begin = where};
        events net{complete{2}, members(how),
                   {.delay = unit{}, .faults = fault_plan{}.absent(1, 5)}};
        cast_each_tick(net, "abcdefg");
        net.run_for(20);
        if (where == beginning::oldest) CHECK(told(net, 1) == "0:-4 0:e 0:f 0:g");
        else CHECK(told(net, 1) == "0:e 0:f 0:g");
    }
}
TEST_CASE("nacked: who begins with the next hears by a beat where that is") {
    auto net = net_of(2, {.beat = 10, .begin = beginning::first_heard}, losing({0}));
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.run_for(20);
    CHECK(cast(net, 0, "b") == answer::accepted);
    net.run_for(20);
    CHECK(told(net, 1) == "0:b");
}

TEST_CASE("nacked: a sender that comes back begins anew, and late words of its past are nothing") {
    auto net = net_of(2, {.request_after = 5}, losing({0}));
    cast_each_tick(net, "abc");
    net.crash(0);
    net.run_for(1);
    net.restart(0);
    CHECK(net.armed(1).size() == 1);   // it still asks for what was said in that life
    CHECK(cast(net, 0, "x") == answer::accepted);
    net.run_for(1);
    CHECK(told(net, 1) == "0:x");
    CHECK(net.armed(1).empty());
    net.call(1, arrival<group::message>{group::data{{0, {0}}, 1, "late"}, port{0}});
    net.call(1, arrival<group::message>{group::beat{{0, {0}}, 7}, port{0}});
    net.call(0, arrival<group::message>{group::missing{{0}, {}}, port{0}});
    CHECK(net.armed(1).empty());
    CHECK(net.run_for(20).by_kind("missing") == 0);
    CHECK(told(net, 1) == "0:x");
}

TEST_CASE("nacked: hostile messages change nothing for long, and are not kept") {
    archetype::environment<group> env;
    env.ports = 2;
    group one{0, {.history = 4, .window = 3, .request_after = 5, .requests = 2}};
    const std::uint64_t huge = ~std::uint64_t{0};
    one.on(group::data{{1, {}}, huge, "x"}, port{0}, env);
    one.on(group::beat{{1, {}}, huge}, port{0}, env);
    one.on(group::stop{{1, {}}, huge}, port{0}, env);
    one.on(group::gone{{1, {}}, huge}, port{0}, env);
    one.on(group::data{{1, {}}, 0, "x"}, port{2}, env);   // of nobody
    one.on(group::missing{{}, {}}, port{2}, env);
    CHECK(env.armed.empty());
    CHECK(env.heard.empty());
    // More than it can have: it asks for a window of that, a few times.
    one.on(group::beat{{1, {}}, huge >> 1}, port{0}, env);
    one.on(group::data{{1, {}}, huge >> 2, "x"}, port{0}, env);
    CHECK(one.early(port{0}) == 0);
    for (int i = 0; i < 3; ++i) {
        REQUIRE(env.armed.size() == 1);
        const auto due = std::get<group::request_due>(env.armed[0].timer);
        env.armed.clear();
        one.on(due, env);
    }
    CHECK(env.armed.empty());
    REQUIRE(env.outbox.size() == 2);
    const auto& asked = std::get<group::missing>(env.outbox[1].message);
    CHECK(asked.gaps.size() == 1);
    CHECK(asked.gaps[0].count == 3);
    CHECK(env.heard.size() == 1);   // stalled
    one.on(group::data{{1, {}}, 0, "a"}, port{0}, env);
    CHECK(env.heard.size() == 2);
    CHECK(env.armed.empty());       // it has forgotten that there was to be more
    // Gaps that overlap, that lie in the future, or are endless: at most the history, once.
    env.outbox.clear();
    for (int i = 0; i < 6; ++i) CHECK(one.broadcast("b", env) == answer::accepted);
    env.outbox.clear();
    group::missing greedy;
    for (int i = 0; i < 4; ++i) greedy.gaps.push_back({0, huge});
    greedy.gaps.push_back({3, huge - 1});
    greedy.gaps.push_back({huge, huge});
    one.on(greedy, port{1}, env);
    CHECK(env.outbox.size() == 4 + 1);
    env.outbox.clear();
    greedy.gaps.clear();
    greedy.gaps.push_back({6, 5});
    one.on(greedy, port{1}, env);
    CHECK(env.outbox.empty());
    greedy.gaps.push_back({2, 1});   // the oldest that there is
    one.on(greedy, port{1}, env);
    CHECK(env.outbox.size() == 1);
}

TEST_CASE("nacked: options that make no sense are refused, and what does not fit") {
    const auto make = [](nacked_options o) { return nacked<int>{0, o}; };
    CHECK_THROWS_AS(make({.history = 0}), error);
    CHECK_THROWS_AS(make({.window = 0}), error);
    CHECK_THROWS_AS(make({.request_after = 0}), error);
    CHECK_THROWS_AS(make({.repeat_after = 0}), error);
    CHECK_THROWS_AS(make({.requests = 0}), error);
    CHECK_THROWS_AS(make({.repeat_after = 9, .repeat_most = 8}), error);
    CHECK_THROWS_AS(make({.beat = 0}), error);
    CHECK_THROWS_AS(make({.beat = 9, .beat_most = 8}), error);
    CHECK_THROWS_AS(make({.stops = 0}), error);
    CHECK_NOTHROW(make({.repeat_after = 9, .repeat_most = 9, .beat = 9, .beat_most = 9}));
    using in_place = nacked<int, int, inplace_storage<2>>;
    CHECK_THROWS_AS((in_place{0, {.history = 3, .window = 2}}), error);
    CHECK_THROWS_AS((in_place{0, {.history = 2, .window = 3}}), error);
    in_place fits{0, {.history = 2, .window = 2}, inplace_storage<2>{}};
    // A node with more ports than it holds says so, and stays out.
    archetype::environment<in_place> env;
    env.ports = 3;
    CHECK(fits.broadcast(1, env) == answer::no_room);
    fits.on(in_place::data{{1, {}}, 0, 7}, port{0}, env);
    CHECK(env.outbox.empty());
    REQUIRE(env.heard.size() == 2);
    CHECK(std::get<overflow>(env.heard[1]).needed == 3);
    CHECK(in_place::storage_type::capacity == 3);
}

TEST_CASE("nacked: n-1 messages a broadcast, exactly, if nothing is lost; beats apart") {
    for (std::size_t n = 1; n <= 6; ++n) {
        events net{complete{n}, members({.beat = 100, .beat_most = 100}), {}};
        std::uint64_t casts = 0;
        for (int round = 0; round < 5; ++round) {
            for (std::size_t v = 0; v < n; ++v, ++casts)
                CHECK(cast(net, v, "x") == answer::accepted);
            net.run_for(7);
        }
        const report r = net.run_for(200);
        CHECK(r.by_kind("data") == casts * group::per_broadcast(n).most);
        CHECK(r.messages == r.by_kind("data") + r.by_kind("beat"));
        CHECK(r.by_kind("beat") == n * (n - 1) * 2);
        CHECK(r.outcomes == casts * n);
    }
}

// A prototype sent 4.66 messages a broadcast at 5 % loss, and 8.67 at 30 %.
TEST_CASE("nacked: messages a broadcast at n = 5, with loss") {
    struct { double loss, least, most; } const expected[] = {
        {0.0, 4.0, 4.0}, {0.05, 4.3, 4.66}, {0.3, 6.0, 8.67}};
    for (const auto& e : expected) {
        events net{complete{5},
                   [](node v) {
                       return nacked<int>{static_cast<int>(v.index),
                                          {.history = 512, .requests = 20}};
                   },
                   {.seed = 5, .faults = fault_plan{}.links({.loss = e.loss})}};
        constexpr int casts = 2000;
        for (int i = 0; i < casts; ++i) {
            CHECK(net.call(0, request::broadcast<int>{i}) == answer::accepted);
            net.run_for(20);
        }
        const report r = net.run_for(5000);
        const auto sent = r.messages - r.by_kind("beat");
        const double each = static_cast<double>(sent) / casts;
        MESSAGE("loss ", e.loss, ": ", each, " messages a broadcast, of them ",
                static_cast<double>(r.by_kind("missing")) / casts, " requests");
        CHECK(each >= e.least);
        CHECK(each <= e.most);
        CHECK(r.outcomes == 5 * casts);
    }
}

// The message and each of the stops are lost independently.
TEST_CASE("nacked: that nobody hears of a last message has the probability q^stops") {
    constexpr double q = 0.4;
    constexpr int runs = 4000;
    for (const unsigned stops : {1u, 3u}) {
        int unaware = 0;
        random_source bits{11};
        bool is_lossy = true;
        events_options run{.delay = unit{}};
        run.copies = [&](const hop& h) {
            return std::size_t{h.sent % 1000 != 0 && !(is_lossy && bits.happens(q))};
        };
        events net{complete{2}, members({.beat = 10, .stops = stops}), run};
        for (int i = 0; i < runs; ++i) {
            is_lossy = true;
            const auto before = net.run_for(1000 - net.now() % 1000).by_kind("missing");
            CHECK(cast(net, 0, "a") == answer::accepted);
            net.run_for(1);
            CHECK(net.call(0, request::depart{}) == answer::accepted);
            net.run_for(31);
            is_lossy = false;   // from here on: who is aware gets it
            net.run_for(400);
            unaware += net.run_for(0).by_kind("missing") == before;
            if (net[1].early(port{0}) == 0) {   // for the next run, all are told
                CHECK(net.call(0, request::depart{}) == answer::accepted);
                net.run_for(200);
            }
        }
        const double expected = std::pow(q, stops);
        const double error = 3 * std::sqrt(expected * (1 - expected) / runs);
        MESSAGE(stops, " stops: ", static_cast<double>(unaware) / runs, " of ", expected);
        CHECK(std::abs(static_cast<double>(unaware) / runs - expected) < error);
    }
}

// What is not promised.
TEST_CASE("nacked: a sender that crashes before any copy arrived: nobody notices") {
    auto net = net_of(3, {}, losing({0}));
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.crash(0);
    CHECK(net.run_for(10'000).stopped == stop::quiescent);
    CHECK(told(net, 1).empty());
}
