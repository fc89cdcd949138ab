// SPDX-License-Identifier: MIT
#include <caucus/exclusion/suzuki_kasami.hpp>

#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>
#include <support/exclusion_suite.hpp>
#include <support/wild.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using lock = suzuki_kasami<int>;
using wish = lock::wish;
using token = lock::token;

/// Ids 0 to n-1, so that node 0 has the token at first.
auto nodes(std::size_t n) {
    std::vector<int> ids;
    for (std::size_t u = 0; u < n; ++u) ids.push_back(static_cast<int>(u));
    return [=](node v) { return lock{ids[v], peer_ids(complete{n}, v, ids)}; };
}

/// One of three, with no network around it: id 1, and behind its ports ids 2 and 0. So it is not
/// the one that has the token at first.
struct lone_node {
    lock self{1, std::vector{2, 0}};
    archetype::environment<lock> env{};

    lone_node() { env.ports = 2; }
    void hear(const auto& m, std::size_t from) { self.on(m, port{from}, env); }
    std::size_t sent() const { return env.outbox.size(); }
    const token& last_token() const { return std::get<token>(env.outbox.back().message); }
};

token counted(std::uint64_t count) { return {count, {0, 0, 0}, {}}; }

/// Who has entered, in order of time.
struct entries_in_order : observer {
    std::vector<std::size_t> who{};
    ticks left_at = 0;
    std::vector<ticks> handovers{};   // from one that left to the next that entered
    void reported(ticks at, node v, const lock::outcome& o) {
        if (std::holds_alternative<left>(o)) {
            left_at = at;
        } else {
            handovers.push_back(at - left_at);
            who.push_back(v.index);
        }
    }
};
/// All want to enter, until they have done so as often as they were to.
auto busy(std::size_t n, sections load, events_options how) {
    events net{complete{n}, clients(nodes(n), load), how, entries_in_order{}};
    net.start_all();
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(net.watcher().who.size() == n * load.entries);
    return net;
}

}  // namespace

// Liveness

TEST_CASE("suzuki_kasami: all temper of delays, any order, repeated messages: all are served") {
    for (std::size_t n = 1; n <= 5; n += 2)
        check_runs(complete{n}, nodes(n), 4, 60, false, true);
}

TEST_CASE("nightly: suzuki_kasami: the same, many times" * doctest::skip()) {
    for (std::size_t n = 2; n <= 5; ++n) check_runs(complete{n}, nodes(n), 6, 10'000, false, true);
}

TEST_CASE("suzuki_kasami: over reliable: all are served in every storm without crashes") {
    CHECK(unserved_in_storms(complete{4}, nodes(4), 2000) == 0);
}

TEST_CASE("nightly: suzuki_kasami: over reliable, 100,000 storms" * doctest::skip()) {
    CHECK(unserved_in_storms(complete{4}, nodes(4), 100'000, 2001) == 0);
}

TEST_CASE("suzuki_kasami: where all want to enter, each waits for n-1 others, and one delay lies "
          "between one that leaves and the next") {
    for (const std::size_t n : {2u, 3u, 7u}) {
        CAPTURE(n);
        auto net = busy(n, {.entries = 5, .staying = 4}, {.delay = unit{}});
        const auto& seen = net.watcher();
        REQUIRE(seen.who.size() == 5 * n);
        for (std::size_t i = n; i < seen.who.size(); ++i) CHECK(seen.who[i] == seen.who[i - n]);
        for (std::size_t i = 1; i < n; ++i) CHECK(seen.who[i] != seen.who[0]);
        for (std::size_t i = 1; i < seen.handovers.size(); ++i) CHECK(seen.handovers[i] == 1);
    }
}

// Cost

TEST_CASE("suzuki_kasami: alone 0 messages for whoever has the token, else n-1 wishes, a token") {
    for (const std::size_t n : {1u, 2u, 3u, 5u, 10u}) {
        CAPTURE(n);
        rounds sim{complete{n}, nodes(n)};
        CHECK(answers_out_of_turn(sim, 0, until_quiet));
        for (std::size_t v = 0; v < n; ++v) {
            const std::size_t other = (v + 1) % n;
            CHECK(cost_alone(sim, v) == (v == 0 ? 0 : n));
            CHECK(cost_alone(sim, v) == 0);   // once more
            CHECK(cost_alone(sim, other) == (n == 1 ? 0 : n));
            CHECK(cost_alone(sim, v) == (n == 1 ? 0 : n));
        }
        const report r = sim.run();
        CHECK(r.by_kind("token") * (n - 1) == r.by_kind("wish"));
        CHECK(answers_out_of_turn(sim, n - 1, until_quiet));
    }
}

TEST_CASE("suzuki_kasami: alone, whoever that is, n-1 on average, within four standard errors") {
    for (const std::size_t n : {5u, 10u}) {
        CAPTURE(n);
        constexpr std::size_t asked = 1000;
        rounds sim{complete{n}, nodes(n)};
        random_source bits{n};
        for (std::size_t i = 0; i < asked; ++i)
            static_cast<void>(cost_alone(sim, static_cast<std::size_t>(bits.below(n))));
        const double mean = static_cast<double>(sim.run().messages) / asked;
        const double deviation = std::sqrt(static_cast<double>(n - 1));   // n·√(1/n·(1-1/n))
        CHECK(std::abs(mean - *lock::per_entry(n).mean) < 4 * deviation / std::sqrt(asked));
    }
}

TEST_CASE("suzuki_kasami: where all want to enter n an entry, but for the very first: nothing") {
    for (const std::size_t n : {1u, 2u, 3u, 5u, 10u}) {
        CAPTURE(n);
        auto net = busy(n, {.entries = 25, .staying = 30}, {.seed = n, .fifo = false});
        const std::size_t entries = net.watcher().who.size();
        CHECK(entries == 25 * n);
        CHECK(net.run().messages == (n == 1 ? 0 : n * (entries - 1)));
        CHECK(lock::messages({.nodes = n, .initiators = entries}).contains(net.run().messages));
    }
}

TEST_CASE("suzuki_kasami: a wish that is cancelled costs n, the next one of that node nothing") {
    rounds sim{complete{5}, nodes(5)};
    CHECK(sim.call(3, request::enter{}) == answer::accepted);
    CHECK(sim.call(3, request::cancel{}) == answer::accepted);
    CHECK(sim.call(3, request::enter{}) == answer::accepted);
    CHECK(sim.run().messages == 5);
    CHECK(sim[3].holds());
    CHECK(sim.call(3, request::leave{}) == answer::accepted);
    CHECK(sim.call(4, request::enter{}) == answer::accepted);
    CHECK(sim.call(4, request::cancel{}) == answer::accepted);
    CHECK(sim.run().messages == 10);
    CHECK(sim[4].has_token());
    CHECK_FALSE(sim[4].holds());
    CHECK(cost_alone(sim, 4) == 0);
    CHECK(sim[4].fence() == fence<>{0, 4});   // two were passed on, two entered
}

TEST_CASE("suzuki_kasami: 100 ask at once, 1,000 every night") {
    CHECK(busy(100, {}, {}).run().messages == 99 * 100);
}
TEST_CASE("nightly: suzuki_kasami: 1,000 ask at once" * doctest::skip()) {
    CHECK(busy(1000, {}, {}).run().messages == 999 * 1000);
}

// Outside the model

TEST_CASE("suzuki_kasami: strange ports, old wishes and copies of the token meet a guard") {
    lone_node h;
    CHECK(h.self.request(h.env) == answer::accepted);
    CHECK(h.sent() == 2);
    CHECK(h.self.request(h.env) == answer::already_waiting);
    CHECK(h.sent() == 2);
    h.hear(wish{1}, 2);           // from where no peer is
    h.hear(counted(1), 2);
    CHECK_FALSE(h.self.has_token());
    h.hear(counted(0), 0);        // as old as the beginning
    CHECK_FALSE(h.self.has_token());
    h.hear(counted(7), 0);
    CHECK(h.self.holds());
    CHECK(h.self.fence() == fence<>{0, 8});
    h.hear(counted(9), 1);        // two tokens are not the token
    CHECK(h.self.release(h.env) == answer::accepted);
    CHECK(h.sent() == 2);         // nobody wants it
    CHECK(h.self.request(h.env) == answer::accepted);
    CHECK(h.self.fence() == fence<>{0, 9});
    CHECK(h.self.release(h.env) == answer::accepted);
    h.hear(wish{3}, 0);
    CHECK(h.sent() == 3);
    CHECK(h.last_token().count == 10);
    h.hear(wish{3}, 0);           // again: it has nothing to give
    h.hear(wish{2}, 0);
    CHECK(h.self.request(h.env) == answer::accepted);
    h.hear(counted(7), 0);        // again
    CHECK(h.self.waits());
    h.hear(token{11, {0, 1, 2}, {}}, 0);   // the wish 3 of id 2 was made by nobody
    CHECK(h.self.fence() == fence<>{0, 12});
    CHECK(h.self.release(h.env) == answer::accepted);
    CHECK(h.last_token().seen_to == std::vector<std::uint64_t>{0, 1, 3});
}

TEST_CASE("suzuki_kasami: an old wish does not take the token away") {
    lone_node h;
    h.hear(token{5, {0, 0, 4}, {}}, 0);
    h.hear(wish{4}, 0);
    h.hear(wish{1}, 0);
    CHECK(h.self.has_token());
    h.hear(wish{5}, 0);
    CHECK_FALSE(h.self.has_token());
}

TEST_CASE("suzuki_kasami: tokens of a strange make are none") {
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    lone_node h;
    CHECK(h.self.request(h.env) == answer::accepted);
    h.hear(token{1, {0, 0}, {}}, 0);
    h.hear(token{1, {0, 0, 0, 0}, {}}, 0);
    h.hear(token{1, {0, 0, 0}, {2, 0, 2}}, 0);
    h.hear(counted(std::numeric_limits<std::uint64_t>::max()), 0);
    h.hear(counted(half + 1), 0);
    CHECK(h.self.waits());
    h.hear(counted(half), 0);   // its fences still rise
    CHECK(h.self.fence() == fence<>{0, half + 1});
}

TEST_CASE("suzuki_kasami: who is nobody's id in the queue is passed over") {
    lone_node h;
    h.hear(wish{1}, 1);
    h.hear(token{1, {0, 0, 0}, {77, 1}}, 0);   // 1 is itself; and so there is no room for id 0
    CHECK(h.self.has_token());
    h.hear(wish{1}, 1);                        // which is still known to want it
    CHECK_FALSE(h.self.has_token());
    CHECK(h.env.outbox.back().out == port{1});
    CHECK(h.last_token().queue.empty());
}

TEST_CASE("suzuki_kasami: one is queued once, however often it is said to wish") {
    lone_node h;
    h.hear(wish{1}, 0);
    h.hear(wish{1}, 1);
    CHECK(h.self.request(h.env) == answer::accepted);
    h.hear(token{1, {0, 0, 0}, {0}}, 0);
    h.hear(wish{2}, 1);
    CHECK(h.self.release(h.env) == answer::accepted);
    CHECK(h.env.outbox.back().out == port{1});
    CHECK(h.last_token().queue == std::vector{2});
    CHECK(h.last_token().seen_to == std::vector<std::uint64_t>{0, 0, 1});
}

TEST_CASE("suzuki_kasami: a wish that nobody made costs messages, and no node its turn") {
    constexpr std::uint64_t leap = lamport_clock::leap_max;
    rounds sim{complete{3}, nodes(3)};
    const auto at = [](std::size_t from, std::size_t to) { return port{(from + 2 - to) % 3}; };
    CHECK(at(1, 0) == port{0});
    const auto forge = [&](std::size_t from, std::size_t to, std::uint64_t number) {
        sim.call(to, arrival<lock::message>{wish{number}, at(from, to)});
    };
    forge(1, 0, leap + 1);   // too far ahead: not believed
    forge(1, 2, leap);
    CHECK(sim[0].has_token());
    forge(1, 0, leap);       // and so the token travels in vain
    sim.run();
    CHECK(sim[1].has_token());
    CHECK_FALSE(sim[1].holds());
    for (int turns = 0; turns < 3; ++turns)
        for (const std::size_t v : {2u, 1u, 0u}) {
            CHECK(sim.call(v, request::enter{}) == answer::accepted);
            sim.run();
            CHECK(sim[v].holds());
            CHECK(sim.call(v, request::leave{}) == answer::accepted);
            sim.run();
        }
}

TEST_CASE("suzuki_kasami: wild messages: no crash, no end of memory") {
    disturb(60, wild_networks, [](std::size_t, int id, const std::vector<int>& peers) {
        return client{lock{id, peers}, sections{.entries = 3}};
    }, [](auto& net) {
        for (std::size_t v = 0; v < net.nodes(); ++v) CHECK(net[v].process().peers().size() < 7);
    });
}

TEST_CASE("suzuki_kasami: who comes back from a crash has no token, and takes none") {
    archetype::environment<lock> env;
    env.ports = 2;
    lock first{0, std::vector{1, 2}};
    CHECK(first.has_token());
    first.on(recovered<>{{1}, {}}, env);
    CHECK_FALSE(first.has_token());
    CHECK(first.request(env) == answer::not_a_member);
    CHECK(env.outbox.empty());
    first.on(wish{1}, port{1}, env);
    CHECK(env.outbox.empty());
    first.on(counted(4), port{0}, env);   // perhaps a copy of one that it has passed on
    CHECK_FALSE(first.has_token());
    CHECK(env.outbox.empty());
}

TEST_CASE("suzuki_kasami: who waits awaits all others, for any of them may have the token") {
    lone_node h;
    CHECK_FALSE(h.self.awaits(port{0}));
    CHECK(h.self.request(h.env) == answer::accepted);
    CHECK(h.self.awaits(port{0}));
    CHECK(h.self.awaits(port{1}));
    CHECK_FALSE(h.self.awaits(port{2}));
    h.hear(counted(1), 1);
    CHECK_FALSE(h.self.awaits(port{0}));
}
