// SPDX-License-Identifier: MIT
#include <caucus/multicast/acked.hpp>

#include <doctest/doctest.h>

#include "../archetypes.hpp"

#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <support/casts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using group = acked<std::string>;
static_assert(process<group>);
static_assert(group::delivers == ordering::fifo);
static_assert(!perpetual<group>);
static_assert(std::is_same_v<group::payload, std::string>);
static_assert(std::is_same_v<acked<int, long, expel>::with_payload<char>,
                             acked<char, long, expel>>);
static_assert(std::is_same_v<decltype(acked<char>{acked<int>{0, std::array{1}}})::payload, char>);
static_assert(request_to<request::broadcast<std::string>, group>);
static_assert(!request_to<request::join, group>);
static_assert(group::per_broadcast(1).most == 0 && group::per_broadcast(5).most == 8);
static_assert(acked_options{}.wait(0) == 32 && acked_options{}.wait(3) == 256);
static_assert(acked_options{}.wait(6) == acked_options{}.wait(60));
static_assert(group::timers(7) == 7);

// No order, no fields: an id is compared for equality alone, a payload is copied.
using least_group = acked<archetype::parcel, archetype::id>;

template <class Payload = std::string, class... Policies>
auto members(std::size_t n, acked_options how = {}) {
    return [=](node v) {
        return acked<Payload, int, Policies...>{static_cast<int>(v.index), others(n, v), how};
    };
}
template <class... Policies>
auto net_of(std::size_t n, acked_options how = {}, events_options run = {}) {
    run.delay = unit{};
    return events{complete{n}, members<std::string, Policies...>(n, how), run};
}
answer cast(auto& net, std::size_t v, std::string words) {
    return net.call(v, request::broadcast<std::string>{std::move(words)});
}

/// What was sent over each link, and what reached node 0 at one moment.
struct link_counts : observer {
    std::map<std::size_t, std::uint64_t> data_to{};   // from node 0, by port
    std::map<ticks, std::uint64_t> answers{};         // at node 0, by tick

    void sent(ticks, node v, port p, const auto& m) {
        visit_kind(m, [&](const auto& kind) {
            if constexpr (requires { kind.payload; }) data_to[p] += v == 0u;
        });
    }
    void handled(ticks now, node v, const auto& in) {
        if constexpr (requires { in.message; })
            visit_kind(in.message, [&](const auto& kind) {
                if constexpr (requires { kind.awaited; }) answers[now] += v == 0u;
            });
    }
};

}  // namespace

TEST_CASE("acked: ids and payloads need nothing but to be copied, and ids to be equal or not") {
    const archetype::id a = archetype::id::ranked(1);
    const archetype::id b = archetype::id::ranked(2);
    least_group one{a, std::array{b}};
    least_group other{b, std::array{a}};
    archetype::environment<least_group> env;
    env.ports = 1;
    one.start(env);
    CHECK(one.broadcast(archetype::parcel::of(7), env) == answer::accepted);
    REQUIRE(env.outbox.size() == 1);
    CHECK(env.armed.size() == 1);
    CHECK(one.awaits(port{0}));
    CHECK_FALSE(one.awaits(port{1}));   // nobody is there
    CHECK(one.early(port{1}) == 0);
    other.on(std::get<least_group::data>(env.outbox[0].message), port{0}, env);
    REQUIRE(env.heard.size() == 2);
    const auto& heard = std::get<delivered<archetype::id, archetype::parcel>>(env.heard[1]);
    CHECK(heard.from == a);
    CHECK(heard.payload.content() == 7);
    REQUIRE(env.outbox.size() == 2);
    one.on(std::get<least_group::acknowledgement>(env.outbox[1].message), port{0}, env);
    CHECK(one.kept() == 0);
    CHECK(env.armed.empty());
}

// Section 33: three receivers; the second copy for one of them, then an acknowledgement are lost.
TEST_CASE("acked: sends again to the silent only, and whoever gets a copy acknowledges again") {
    std::size_t hops = 0;
    events_options run;
    run.copies = [&](const hop& h) {
        ++hops;
        if (h.from == 0u && h.to == 2u && h.sent == 0) return std::size_t{0};
        if (h.from == 3u && h.sent == 1) return std::size_t{0};
        return std::size_t{1};
    };
    auto net = net_of(4, {.resend_after = 10}, run);
    CHECK(cast(net, 0, "a") == answer::accepted);
    CHECK(told(net, 0) == "0:a");   // one's own at once
    const report r = net.run();
    CHECK(r.stopped == stop::quiescent);
    for (std::size_t v = 0; v < 4; ++v) CHECK(told(net, v) == "0:a");
    CHECK(r.by_kind("data") == 3 + 2);
    CHECK(r.by_kind("acknowledgement") == 4);
    CHECK(hops == r.messages);
    CHECK(net[0].kept() == 0);
    CHECK(net.now() == 12);
}

TEST_CASE("acked: a copy that comes twice is acknowledged twice, and delivered once") {
    events_options run;
    run.copies = [](const hop& h) { return h.from == 0u ? std::size_t{2} : std::size_t{1}; };
    auto net = net_of(3, {}, run);
    CHECK(cast(net, 0, "a") == answer::accepted);
    CHECK(cast(net, 0, "b") == answer::accepted);
    CHECK(net.run().by_kind("acknowledgement") == 8);
    CHECK(told(net, 1) == "0:a 0:b");
    CHECK(told(net, 2) == "0:a 0:b");
}

TEST_CASE("acked: each sender's messages in its order, though later ones come first") {
    events_options run;
    run.copies = [](const hop& h) { return std::size_t{h.sent != 0}; };   // the first is lost
    auto net = net_of(2, {.resend_after = 10}, run);
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.run_for(1);
    for (const char* word : {"b", "c"}) CHECK(cast(net, 0, word) == answer::accepted);
    net.run_for(1);
    CHECK(told(net, 1).empty());
    CHECK(net[1].early(port{0}) == 2);
    net.run_for(2);
    CHECK(net[0].kept() == 3);
    // The early ones are acknowledged one by one: they are not sent again.
    CHECK(net.run().by_kind("data") == 4);
    CHECK(told(net, 1) == "0:a 0:b 0:c");
    CHECK(net[1].early(port{0}) == 0);
}

TEST_CASE("acked: stalled, once for each receiver, and once more after it was heard again") {
    auto net = net_of(3, {.resend_after = 10, .retries = 2});
    net.crash(1);
    net.cut(0, 2);
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.run_for(10 + 20 - 1);
    CHECK(told(net, 0) == "0:a");
    net.run_for(1 + 40);
    CHECK(told(net, 0) == "0:a stalled0 stalled1");
    net.run_for(1000);
    CHECK(told(net, 0) == "0:a stalled0 stalled1");
    CHECK(net[0].awaits(port{0}));
    net.mend(0, 2);
    net.run_for(100);
    CHECK(told(net, 2) == "0:a");
    net.cut(0, 2);
    CHECK(cast(net, 0, "b") == answer::accepted);
    net.run_for(200);
    CHECK(told(net, 0) == "0:a stalled0 stalled1 0:b stalled1");
}

TEST_CASE("acked: nobody waits for one that is suspected; trusted again, it gets what is kept") {
    auto net = net_of(3, {.window = 2, .resend_after = 10});
    net.suspect(0, port{1});
    net.cut(2, 0);   // it lives, and cannot be heard
    for (const char* word : {"a", "b", "c", "d"}) {
        CHECK(cast(net, 0, word) == answer::accepted);
        net.run_for(5);
    }
    CHECK(net[0].kept() == 2);
    CHECK_FALSE(net[0].awaits(port{1}));
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(told(net, 1) == "0:a 0:b 0:c 0:d");
    CHECK(told(net, 2).empty());   // it is sent nothing meanwhile
    net.heal();
    net.trust(0, port{1});
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(told(net, 2) == "0:-2 0:c 0:d");
    CHECK(net[0].kept() == 0);
}

TEST_CASE("acked: trusted again after all is forgotten: it is told how many it has missed") {
    auto net = net_of(2, {.window = 1});
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.run();
    net.suspect(0, port{0});
    for (const char* word : {"b", "c"}) CHECK(cast(net, 0, word) == answer::accepted);
    net.suspect(0, port{0});   // again: changes nothing
    net.trust(0, port{0});
    net.trust(0, port{0});
    const report r = net.run();
    CHECK(told(net, 1) == "0:a 0:-1 0:c");
    CHECK(r.by_kind("gone") == 1);
    CHECK(told(net, 0) == "0:a 0:b 0:c");
}

TEST_CASE("acked: a full buffer refuses, until somebody acknowledges") {
    auto net = net_of(3, {.window = 2, .resend_after = 10});
    net.cut(0, 1);
    for (const char* word : {"a", "b"}) CHECK(cast(net, 0, word) == answer::accepted);
    CHECK(cast(net, 0, "c") == answer::no_room);
    net.run_for(50);
    CHECK(cast(net, 0, "c") == answer::no_room);
    net.mend(0, 1);
    net.run();
    CHECK(cast(net, 0, "d") == answer::accepted);
    net.run();
    for (std::size_t v = 0; v < 3; ++v) CHECK(told(net, v) == "0:a 0:b 0:d");
}

TEST_CASE("acked, drop_oldest: whoever has not got it in time has missed it, and goes on") {
    auto net = net_of<drop_oldest>(3, {.window = 2, .resend_after = 10});
    net.cut(0, 1);
    for (const char* word : {"a", "b", "c", "d"}) CHECK(cast(net, 0, word) == answer::accepted);
    net.run_for(5);
    CHECK(told(net, 2) == "0:a 0:b 0:c 0:d");   // those were under way when they were dropped
    CHECK(net[0].kept() == 2);
    net.mend(0, 1);
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(told(net, 0) == "0:a 0:b 0:c 0:d");
    CHECK(told(net, 1) == "0:-2 0:c 0:d");
    CHECK(told(net, 2) == "0:a 0:b 0:c 0:d");
}

TEST_CASE("acked, expel: who lacks the oldest, though it was sent again, is left behind") {
    auto net = net_of<expel>(3, {.window = 2, .resend_after = 10});
    net.cut(0, 1);
    for (const char* word : {"a", "b"}) CHECK(cast(net, 0, word) == answer::accepted);
    CHECK(cast(net, 0, "c") == answer::no_room);   // no time to get it
    net.run_for(11);
    CHECK(cast(net, 0, "c") == answer::accepted);
    CHECK(told(net, 0) == "0:a 0:b left_behind0 0:c");
    CHECK_FALSE(net[0].awaits(port{0}));
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(net[0].kept() == 0);
    CHECK(told(net, 2) == "0:a 0:b 0:c");
    CHECK(told(net, 1).empty());      // the farewell was lost, too
    net.mend(0, 1);
    net.trust(0, port{0});
    net.run();
    CHECK(told(net, 1) == "0:-3");
    CHECK(cast(net, 0, "d") == answer::accepted);
    net.run();
    CHECK(told(net, 1) == "0:-3 0:d");
}

TEST_CASE("acked, expel: a slow one is told so, once, when it is heard at last") {
    auto net = net_of<expel>(2, {.window = 1, .resend_after = 10});
    net.cut(1, 0);   // it gets all, and is not heard
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.run_for(15);
    CHECK(cast(net, 0, "b") == answer::accepted);
    net.run();
    CHECK(told(net, 1) == "0:a left_out0");
    CHECK(told(net, 0) == "0:a left_behind0 0:b");
    net.mend(1, 0);
    net.call(0, arrival<acked<std::string, int, expel>::message>{
                    acked<std::string, int, expel>::acknowledgement{{}, {}, 1, 0}, port{0}});
    net.run();
    CHECK(told(net, 1) == "0:a left_out0");   // it knows
    // What it sends itself goes on.
    CHECK(cast(net, 1, "x") == answer::accepted);
    net.run();
    CHECK(told(net, 0) == "0:a left_behind0 0:b 1:x");
}

TEST_CASE("acked: a receiver that comes back gets what its former life had not acknowledged") {
    auto net = net_of(3, {.resend_after = 10});
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.run();
    net.crash(1);
    CHECK(cast(net, 0, "b") == answer::accepted);
    net.run_for(5);
    net.restart(1);
    CHECK(cast(net, 0, "c") == answer::accepted);
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(told(net, 1) == "0:a 0:b 0:c");
    CHECK(told(net, 2) == "0:a 0:b 0:c");
    CHECK(net[0].kept() == 0);
}

TEST_CASE("acked: back before its sender knows, it is told of what was dropped meanwhile") {
    auto net = net_of(2, {.window = 1});
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.run();
    net.crash(1);
    net.suspect(0, port{0}, incarnation{0});
    net.restart(1);
    for (const char* word : {"b", "c"}) CHECK(cast(net, 0, word) == answer::accepted);
    net.trust(0, port{0}, incarnation{1});
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(told(net, 1) == "0:a 0:-1 0:c");
}

TEST_CASE("acked: a sender that comes back begins anew, and late copies of its past are nothing") {
    auto net = net_of(2, {.resend_after = 10});
    for (const char* word : {"a", "b"}) CHECK(cast(net, 0, word) == answer::accepted);
    net.run();
    net.crash(0);
    net.restart(0);
    CHECK(cast(net, 0, "c") == answer::accepted);
    net.run();
    CHECK(told(net, 1) == "0:a 0:b 0:c");
    const auto before = net.run().messages;
    net.call(1, arrival<group::message>{group::data{{0}, {0}, 2, "late"}, port{0}});
    net.call(0, arrival<group::message>{group::acknowledgement{{0}, {0}, 1, 0}, port{0}});
    CHECK(net.run().messages == before);
    CHECK(told(net, 1) == "0:a 0:b 0:c");
}

TEST_CASE("acked: boot counters may begin with any number; neighbours meet at the first message") {
    archetype::environment<group> env;
    env.ports = 1;
    group one{0, std::array{1}};
    group other{1, std::array{0}};
    one.on(recovered<>{incarnation{5}, {}}, env);
    other.on(recovered<>{incarnation{9}, {}}, env);
    CHECK(one.broadcast("a", env) == answer::accepted);
    const auto deliver_all = [&] {
        for (std::size_t i = 0; i < env.outbox.size(); ++i)
            visit_kind(group::message{env.outbox[i].message}, [&](const auto& m) {
                m.from == incarnation{5} ? other.on(m, port{0}, env) : one.on(m, port{0}, env);
            });
    };
    deliver_all();
    CHECK(env.outbox.size() == 4);   // data, and the answer: that life is over; the same again
    CHECK(env.heard.size() == 2);
    CHECK(one.kept() == 0);
}

TEST_CASE("acked: words of the detector on lives that are over change nothing") {
    auto net = net_of(2, {.resend_after = 10});
    net.suspect(0, port{0}, incarnation{0});
    net.trust(0, port{0}, incarnation{1});
    net.suspect(0, port{0}, incarnation{0});   // late
    net.crash(1);
    net.restart(1);
    CHECK(cast(net, 0, "a") == answer::accepted);
    net.run();
    CHECK(told(net, 1) == "0:a");
    net.suspect(0, port{0}, incarnation{2});   // it has died since, though that was not heard
    net.trust(0, port{0}, incarnation{1});     // late
    CHECK(cast(net, 0, "b") == answer::accepted);
    CHECK(net.run().by_kind("data") == 1);
}

TEST_CASE("acked: hostile messages change nothing, and are not kept") {
    archetype::environment<group> env;
    env.ports = 2;
    group one{0, std::array{1, 2}, {.window = 3}};
    CHECK(one.broadcast("a", env) == answer::accepted);
    const std::uint64_t huge = ~std::uint64_t{0};
    one.on(group::data{{0}, {0}, huge, "x"}, port{0}, env);
    one.on(group::data{{0}, {0}, 3, "x"}, port{0}, env);
    CHECK(one.early(port{0}) == 0);
    one.on(group::data{{0}, {0}, 0, "x"}, port{2}, env);         // of nobody
    one.on(group::gone{{0}, {0}, huge}, port{1}, env);
    one.on(group::gone{{0}, {0}, 5}, port{9}, env);
    one.on(group::acknowledgement{{0}, {0}, huge, huge}, port{0}, env);
    one.on(group::acknowledgement{{0}, {0}, 2, 0}, port{0}, env);   // more than was sent
    one.on(group::acknowledgement{{0}, {0}, 0, 1}, port{0}, env);
    one.on(group::acknowledgement{{0}, {0}, 1, 1}, port{0}, env);
    one.on(group::acknowledgement{{0}, {3}, 1, 0}, port{0}, env);   // of another life
    one.on(group::farewell{{0}, {3}}, port{0}, env);
    one.on(group::acknowledgement{{0}, {0}, 1, 0}, port{2}, env);
    one.on(suspect{port{2}}, env);
    one.on(trust{port{9}}, env);
    CHECK(one.awaits(port{0}));
    CHECK(one.awaits(port{1}));
    CHECK(env.heard.size() == 1);
    one.on(group::acknowledgement{{0}, {0}, 1, 0}, port{0}, env);
    one.on(group::acknowledgement{{0}, {0}, 0, 0}, port{0}, env);   // a late one
    CHECK_FALSE(one.awaits(port{0}));
    CHECK(one.kept() == 1);
    // Another 64 to acknowledge: the word is full.
    group wide{0, std::array{1}, {.window = 64}};
    env.ports = 1;
    for (int i = 0; i < 64; ++i) CHECK(wide.broadcast("w", env) == answer::accepted);
    wide.on(group::acknowledgement{{0}, {0}, 0, ~std::uint64_t{0} >> 1}, port{0}, env);
    const std::size_t before = env.outbox.size();
    wide.on(group::resend{port{0}}, env);
    CHECK(env.outbox.size() == before + 1);   // the first only
}

TEST_CASE("acked: each farewell is told that comes after something new; trust begins anew") {
    archetype::environment<group> env;
    env.ports = 1;
    group one{0, std::array{1}, {.resend_after = 10}};
    one.on(group::farewell{{0}, {0}}, port{0}, env);
    one.on(group::farewell{{0}, {0}}, port{0}, env);
    CHECK(env.heard.size() == 1);
    one.on(group::gone{{0}, {0}, 1}, port{0}, env);   // trusted again
    one.on(group::farewell{{0}, {0}}, port{0}, env);
    CHECK(env.heard.size() == 3);
    CHECK(one.broadcast("a", env) == answer::accepted);
    one.on(group::resend{port{0}}, env);
    one.on(suspect{port{0}}, env);
    CHECK(env.armed.empty());
    one.on(trust{port{0}}, env);
    REQUIRE(env.armed.size() == 1);
    CHECK(env.armed[0].delay == 10);
}

TEST_CASE("acked: options that make no sense are refused, and what does not fit") {
    const auto make = [](acked_options o) { return acked<int>{0, std::array{1}, o}; };
    CHECK_THROWS_AS(make({.window = 0}), error);
    CHECK_THROWS_AS(make({.window = 65}), error);
    CHECK_THROWS_AS(make({.resend_after = 0}), error);
    CHECK_THROWS_AS(make({.retries = 64}), error);
    CHECK_THROWS_AS(make({.resend_after = 4, .retries = 62}), error);
    CHECK_NOTHROW(make({.window = 64, .resend_after = 1, .retries = 63}));
    using in_place = acked<int, int, inplace_storage<2>>;
    CHECK_THROWS_AS((in_place{0, std::array{1}, {.window = 3}}), error);
    CHECK_NOTHROW((in_place{0, std::array{1}, {.window = 2}, inplace_storage<2>{}}));
    CHECK(acked<int, int, expel>{3, std::array{1, 2}, expel{}}.peers().size() == 2);
}

TEST_CASE("acked: 2(n-1) messages a broadcast, exactly, if nothing is lost or late; n <= 6") {
    for (std::size_t n = 1; n <= 6; ++n) {
        events net{complete{n}, members<int>(n), {.delay = uniform{1, 10}}};
        std::uint64_t casts = 0;
        for (int round = 0; round < 5; ++round) {
            for (std::size_t v = 0; v < n; ++v, ++casts)
                CHECK(net.call(v, request::broadcast<int>{round}) == answer::accepted);
            net.run_for(7);
        }
        const report r = net.run();
        CHECK(r.messages == casts * acked<int>::per_broadcast(n).most);
        CHECK(r.by_kind("data") * 2 == r.messages);
        CHECK(r.outcomes == casts * n);
    }
}

// Section 33: copies are lost with probability q, acknowledgements never.
TEST_CASE("acked: m/(1-q) data a broadcast, and as many attempts as the unluckiest of m needs") {
    constexpr std::size_t n = 5;
    constexpr double m = n - 1;
    for (const double q : {0.05, 0.3, 0.5}) {
        events_options run{.seed = 1, .delay = unit{}, .outside_model = true};
        for (std::size_t u = 1; u < n; ++u) run.faults.link(0, u, {.loss = q});
        events net{complete{n}, members<int>(n, {.resend_after = 4, .retries = 0}), run,
                   link_counts{}};
        constexpr int runs = 4000;
        double attempts = 0;
        std::map<std::size_t, std::uint64_t> before;
        for (int i = 0; i < runs; ++i) {
            CHECK(net.call(0, request::broadcast<int>{i}) == answer::accepted);
            net.run();
            std::uint64_t most = 0;
            for (const auto& [p, count] : net.watcher().data_to)
                most = std::max(most, count - before[p]);
            before = net.watcher().data_to;
            attempts += static_cast<double>(most);
        }
        double expected = 0;   // sum over t of 1 - (1 - q^t)^m
        for (int t = 0; t < 400; ++t) expected += 1 - std::pow(1 - std::pow(q, t), m);
        const double data = static_cast<double>(net.run().by_kind("data")) / runs;
        // Three standard errors: of m geometric variables; their greatest varies less than one sum.
        const double error = 3 * std::sqrt(m * q / runs) / (1 - q);
        MESSAGE("q = ", q, ": data ", data, " of ", m / (1 - q), ", attempts ", attempts / runs,
                " of ", expected);
        CHECK(std::abs(data - m / (1 - q)) < error);
        CHECK(std::abs(attempts / runs - expected) < error);
    }
}

TEST_CASE("acked: the implosion: all n-1 acknowledgements reach the sender at one moment") {
    for (const std::size_t n : {2u, 8u, 32u, 128u}) {
        events net{complete{n}, members<int>(n), {.delay = unit{}}, link_counts{}};
        CHECK(net.call(0, request::broadcast<int>{1}) == answer::accepted);
        net.run();
        REQUIRE(net.watcher().answers.size() == 1);
        CHECK(net.watcher().answers.begin()->first == 2);
        CHECK(net.watcher().answers.begin()->second == n - 1);
    }
}

// What is not promised.
TEST_CASE("acked: of a sender that crashes, some deliver more than others: it is not atomic") {
    auto net = net_of(3, {.resend_after = 10});
    net.crash(0).after_sends(1);
    static_cast<void>(cast(net, 0, "a"));
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(told(net, 1) == "0:a");
    CHECK(told(net, 2).empty());
}
TEST_CASE("acked: an incarnation that is used twice is taken for repetitions") {
    archetype::environment<group> env;
    env.ports = 1;
    group other{1, std::array{0}};
    other.on(group::data{{4}, {0}, 0, "a"}, port{0}, env);
    other.on(group::data{{4}, {0}, 0, "b"}, port{0}, env);   // the same life?
    CHECK(env.heard.size() == 1);
}
