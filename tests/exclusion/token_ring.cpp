// SPDX-License-Identifier: MIT
#include <caucus/exclusion/token_ring.hpp>

#include <archetypes.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>
#include <support/exclusion_suite.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using lock = token_ring<int>;
using generation = epoch<int>;

/// Node v has id v+1, node 0 the token.
auto ring_of(std::size_t n, ticks hold = 1) {
    return [=](node v) {
        return token_ring{static_cast<int>(v.index) + 1,
                          {.nodes = n, .has_token = v == 0, .hold = hold}};
    };
}
/// What a node that handles by itself has sent, armed and reported.
struct notes : archetype::environment<lock> {
    notes() { ports = 1; }
    const lock::token* sent_token(std::size_t i) const {
        return std::get_if<lock::token>(&outbox[i].message);
    }
    const lock::election* sent_election(std::size_t i) const {
        return std::get_if<lock::election>(&outbox[i].message);
    }
    template <class Timer>
    std::optional<ticks> waits_for() const {
        for (const auto& a : armed)
            if (std::holds_alternative<Timer>(a.timer)) return a.delay;
        return std::nullopt;
    }
    template <class Kind>
    bool last_told() const {
        return !heard.empty() && std::holds_alternative<Kind>(heard.back());
    }
};
lock::token token_of(std::uint64_t number, int maker, std::uint64_t entries = 0) {
    return {{number, maker, {}}, entries};
}

/// Two wait for the token of a third, which never rests.
constexpr bool entered_at_compile_time() {
    rounds sim{ring{3}, [](node v) {
        return token_ring{static_cast<int>(v.index), {.nodes = 3, .has_token = v == 0}};
    }};
    sim.start_all();
    bool right = sim.call(1, request::enter{}) == answer::accepted;
    right = right && sim.call(2, request::enter{}) == answer::accepted;
    sim.run({.max_rounds = 5});
    right = right && sim[1].holds() && sim[1].fence().count == 1 && sim[2].waits();
    right = right && sim.call(1, request::leave{}) == answer::accepted;
    sim.run({.max_rounds = 8});
    return right && sim[2].holds() && sim[1].fence() < sim[2].fence();
}

}  // namespace

// Shape

static_assert(process<lock> && perpetual<lock> && !tosses_coins<lock> && !reads_clock<lock>);
static_assert(std::is_same_v<requests_of<lock>,
                             std::variant<request::start, request::enter, request::leave,
                                          request::cancel>>);
static_assert(std::is_same_v<decltype(token_ring{1, {.nodes = 3}}), lock>);
static_assert(std::is_same_v<decltype(token_ring{1, token_ring_options{}}), lock>);
static_assert(std::is_same_v<decltype(token_ring{1, {.nodes = 3}, least{}}),
                             token_ring<int, least>>);
static_assert(std::is_same_v<lock::fence_type, fence<epoch<int>>>);
static_assert(sizeof(token_ring<std::uint16_t>) <= 160);
static_assert(sizeof(token_ring<std::uint16_t>::message) <= 32);
static_assert(goes_on_after_a_crash<lock>);
static_assert(lock::assumes.topology == shape::one_way_ring && !lock::assumes.uniform);
static_assert(lock::recovery(5).least == 5 && lock::recovery(5).most == 15);
static_assert(lock::per_entry(5).least == 1 && lock::per_entry(5).most == never);
static_assert(entered_at_compile_time());

TEST_CASE("token_ring: the waits follow from nodes and bounds, unless they are given") {
    constexpr token_ring_options five{.nodes = 5, .delay_max = 10, .stay_max = 20};
    static_assert(five.token_due() == 5 * 30 + 1);
    static_assert(five.election_due() == 2 * 50 + 150 + 1);
    constexpr token_ring_options resting{.nodes = 5, .delay_max = 10, .stay_max = 20, .hold = 30};
    static_assert(resting.token_due() == 5 * 40 + 1);
    constexpr token_ring_options second{.nodes = 5, .delay_max = 10, .stay_max = 20, .rank = 1};
    static_assert(second.token_due() == five.token_due() + 150 + 50);
    constexpr token_ring_options given{.nodes = 5, .delay_max = 10, .stay_max = 20, .rank = 2,
                                       .token_wait = 151, .election_wait = 101};
    static_assert(given.checked().token_due() == 151 + 2 * 200);
    static_assert(given.checked().election_due() == 101);
    CHECK(token_ring{1, given}.delay_most() == 10);
}

TEST_CASE("token_ring: options that make no sense are refused by name") {
    const auto words = [](token_ring_options o) -> std::string {
        try {
            static_cast<void>(o.checked());
        } catch (const error& e) {
            return e.what();
        }
        return "";
    };
    CHECK(words({.nodes = 1}).empty());
    CHECK(words({}) == "token_ring: nodes is 0; how long a lap takes depends on them");
    CHECK(words({.nodes = 3, .rank = 3}) == "token_ring: rank 3 of 3 nodes; begin at 0");
    CHECK(words({.nodes = 3, .rank = 2}).empty());
    CHECK(words({.nodes = 3, .delay_max = 0}) ==
          "token_ring: delay_max is 0; a message takes at least one tick");
    CHECK(words({.nodes = 3, .delay_max = 4, .stay_max = 6, .token_wait = 30}) ==
          "token_ring: token_wait 30 ends before the token can be back; need more than "
          "nodes*(stay_max+delay_max), or hold for stay_max, 30");
    CHECK(words({.nodes = 3, .delay_max = 4, .stay_max = 6, .token_wait = 31}).empty());
    CHECK(words({.nodes = 3, .delay_max = 4, .election_wait = 24}) ==
          "token_ring: election_wait 24 ends before the best one can have won; need more than "
          "2*nodes*delay_max, 24");
    CHECK(words({.nodes = 3, .delay_max = 4, .election_wait = 25}).empty());
    CHECK(words({.nodes = 3, .token_wait = never / 8}).empty());
    for (const token_ring_options& endless :
         {token_ring_options{.nodes = 3, .delay_max = never / 4},
          token_ring_options{.nodes = 3, .stay_max = never - 1},
          token_ring_options{.nodes = 3, .hold = never},
          token_ring_options{.nodes = 3, .token_wait = never - 1}})
        CHECK(words(endless).find(" is no bound: the waits would overflow") != std::string::npos);
    CHECK_THROWS_AS((token_ring{1, {}}), error);
}

TEST_CASE("token_ring: least identity, its own preference, least environment: the best makes it") {
    using process_type = token_ring<archetype::id, archetype::by_rank>;
    archetype::environment<process_type> env;
    env.ports = 1;
    process_type p{archetype::id::ranked(2), {.nodes = 2}, archetype::by_rank{}};
    p.start(env);
    p.on(process_type::election{1, archetype::id::ranked(1)}, prev, env);
    REQUIRE(env.outbox.size() == 1);
    p.on(process_type::election{1, archetype::id::ranked(2)}, prev, env);
    CHECK(p.has_token());
    CHECK(p.generation().leader == p.id());

    token_ring worst{1, {.nodes = 2}, least{}};
    archetype::environment<decltype(worst)> heard;
    heard.ports = 1;
    worst.start(heard);
    worst.on(decltype(worst)::election{1, 2}, prev, heard);
    CHECK(heard.outbox.size() == 1);   // its own, and the other's goes no further
}

// Paper

TEST_CASE("token_ring: requests out of turn are refused, each with its answer, n <= 3") {
    const auto a_while = [](auto& sim) { static_cast<void>(sim.run_for(60)); };
    for (std::size_t n = 1; n <= 3; ++n)
        for (std::size_t v = 0; v < n; ++v)
            for (const ticks hold : {0u, 1u, 3u}) {
                CAPTURE(n);
                CAPTURE(v);
                CAPTURE(hold);
                events net{ring{n}, ring_of(n, hold), {.delay = unit{}}};
                net.start_all();
                CHECK(answers_out_of_turn(net, v, a_while));
                events asleep{ring{n}, ring_of(n, hold), {.delay = unit{}}};
                CHECK(answers_out_of_turn(asleep, v, a_while));
            }
}

TEST_CASE("token_ring: who has the token and wants to enters at once, and passes it on leaving") {
    lock p{7, {.nodes = 3, .has_token = true, .delay_max = 10, .hold = 5}};
    notes env;
    p.start(env);
    CHECK(env.waits_for<lock::held_long_enough>() == 5);
    p.start(env);
    CHECK(env.armed.size() == 1);
    CHECK(p.request(env) == answer::accepted);
    CHECK(p.holds());
    CHECK(env.armed.empty());
    CHECK(p.fence() == fence<generation>{{1, 7, {}}, 1});
    CHECK(p.cancel(env) == answer::not_waiting);
    CHECK(p.release(env) == answer::accepted);
    CHECK(env.last_told<left>());
    REQUIRE(env.outbox.size() == 1);
    CHECK(env.sent_token(0)->of == generation{1, 7, {}});
    CHECK(env.sent_token(0)->entries == 1);
    CHECK(env.waits_for<lock::token_overdue>() == 3 * 15 + 1);
    CHECK(p.request(env) == answer::accepted);     // once a visit: it must come round again
    CHECK_FALSE(p.holds());
    CHECK(p.cancel(env) == answer::accepted);
    CHECK(p.request(env) == answer::accepted);
    p.on(token_of(1, 7, 4), prev, env);
    CHECK(p.fence().count == 5);
    CHECK(env.waits_for<lock::token_overdue>() == std::nullopt);
}

TEST_CASE("token_ring: an idle node passes the token on at once, or after its hold") {
    lock quick{7, {.nodes = 3, .hold = 0}};
    notes env;
    quick.on(token_of(1, 9, 2), prev, env);        // it has not been started: that starts it
    REQUIRE(env.outbox.size() == 1);
    CHECK(env.sent_token(0)->entries == 2);
    CHECK(env.waits_for<lock::held_long_enough>() == std::nullopt);
    CHECK(env.waits_for<lock::token_overdue>().has_value());
    env.armed.clear();
    CHECK(quick.request(env) == answer::accepted);
    CHECK(env.armed.empty());                      // its wait goes on, and does not begin anew
    lock slow{7, {.nodes = 3, .hold = 4}};
    notes later;
    slow.on(token_of(1, 9), prev, later);
    CHECK(later.outbox.empty());
    CHECK(later.waits_for<lock::held_long_enough>() == 4);
    CHECK(slow.has_token());
    slow.on(lock::held_long_enough{}, later);
    CHECK(later.outbox.size() == 1);
    CHECK_FALSE(slow.has_token());
}

TEST_CASE("token_ring: who misses the token elects; better ones join, worse ones go no further") {
    lock p{5, {.nodes = 3, .delay_max = 10}};
    notes env;
    p.start(env);
    p.on(token_of(3, 1), prev, env);
    p.on(lock::held_long_enough{}, env);
    env = {};
    p.on(lock::token_overdue{}, env);
    REQUIRE(env.outbox.size() == 1);
    CHECK(env.sent_election(0)->number == 4);
    CHECK(env.sent_election(0)->candidate == 5);
    CHECK(p.is_electing());
    CHECK(env.waits_for<lock::token_overdue>() == std::nullopt);
    CHECK(env.waits_for<lock::election_overdue>() == 60 + 33 + 1);
    p.on(lock::election{4, 3}, prev, env);      // worse
    p.on(lock::election{3, 9}, prev, env);      // of a token that has been here
    CHECK(env.outbox.size() == 1);
    p.on(lock::election{4, 9}, prev, env);
    REQUIRE(env.outbox.size() == 2);
    CHECK(env.sent_election(1)->candidate == 9);
    p.on(lock::election{6, 3}, prev, env);      // of a later token: it takes part in that
    REQUIRE(env.outbox.size() == 3);
    CHECK(env.sent_election(2)->number == 6);
    CHECK(env.sent_election(2)->candidate == 5);
    p.on(lock::election{4, 9}, prev, env);      // and no longer in the earlier one
    p.on(lock::election{4, 5}, prev, env);
    CHECK(env.outbox.size() == 3);
    CHECK_FALSE(p.has_token());
    p.on(lock::election_overdue{}, env);        // lost: the same once more
    REQUIRE(env.outbox.size() == 4);
    CHECK(env.sent_election(3)->number == 6);
    p.on(lock::election{6, 5}, prev, env);      // home
    CHECK(p.has_token());
    CHECK_FALSE(p.is_electing());
    CHECK(p.generation() == generation{6, 5, {}});
    CHECK(env.waits_for<lock::election_overdue>() == std::nullopt);
    p.on(lock::election{6, 5}, prev, env);      // the first one: the token has been made
    p.on(lock::election{7, 9}, prev, env);      // and nobody needs a later one: it is here
    CHECK(env.outbox.size() == 4);
    CHECK_FALSE(p.is_electing());
}

TEST_CASE("token_ring: a token that comes after all ends the election, which then makes none") {
    lock p{5, {.nodes = 3}};
    notes env;
    p.start(env);
    p.on(lock::token_overdue{}, env);
    p.on(token_of(1, 1), prev, env);
    CHECK_FALSE(p.is_electing());
    CHECK(env.waits_for<lock::election_overdue>() == std::nullopt);
    p.on(lock::held_long_enough{}, env);
    env.outbox.clear();
    CHECK(env.waits_for<lock::token_overdue>().has_value());
    p.on(lock::election{2, 9}, prev, env);       // others are still at it: it takes part
    CHECK(p.is_electing());
    CHECK(env.outbox.size() == 1);               // but does not race with a better one
    CHECK(env.waits_for<lock::token_overdue>() == std::nullopt);
    CHECK(env.waits_for<lock::election_overdue>().has_value());
    p.on(token_of(1, 1), prev, env);
    p.on(lock::held_long_enough{}, env);
    CHECK(env.waits_for<lock::token_overdue>().has_value());
    env = {};
    p.on(lock::election{2, 5}, prev, env);       // its own, from before the token came
    CHECK_FALSE(p.has_token());
    CHECK_FALSE(p.is_electing());
    CHECK(env.outbox.empty());
}

TEST_CASE("token_ring: who holds a token and meets a newer one, or makes it, keeps that alone") {
    for (const bool wins : {false, true}) {
        CAPTURE(wins);
        lock p{5, {.nodes = 3}};
        notes env;
        CHECK(p.request(env) == answer::accepted);
        p.on(token_of(1, 1, 8), prev, env);
        CHECK(p.fence().count == 9);
        if (wins) {
            p.on(lock::election{3, 2}, prev, env);      // somebody has missed number 2
            CHECK(p.is_electing());
            p.on(lock::election{3, 5}, prev, env);
        } else {
            p.on(token_of(3, 5, 2), prev, env);
        }
        CHECK(env.last_told<revoked>());
        CHECK_FALSE(p.holds());
        CHECK(p.release(env) == answer::not_inside);
        CHECK(p.generation() == generation{3, 5, {}});
        CHECK(p.fence().epoch.number == 1);             // of the entry that it was
        env.outbox.clear();
        p.on(lock::held_long_enough{}, env);
        REQUIRE(env.outbox.size() == 1);
        CHECK(env.sent_token(0)->of.number == 3);
        CHECK(env.sent_token(0)->entries == (wins ? 0 : 2));
        CHECK_FALSE(p.has_token());
    }
    lock resting{5, {.nodes = 3}};                      // the same, outside
    notes env;
    resting.on(token_of(1, 1), prev, env);
    resting.on(token_of(2, 9, 3), prev, env);
    CHECK(env.heard.empty());
    CHECK(env.outbox.empty());
    CHECK(resting.generation().number == 2);
    CHECK(resting.request(env) == answer::accepted);
    CHECK(resting.fence().count == 4);
}

TEST_CASE("token_ring: who elects a later token while it is inside passes the old one on leaving") {
    lock p{5, {.nodes = 3}};
    notes env;
    CHECK(p.request(env) == answer::accepted);
    p.on(token_of(1, 1), prev, env);
    p.on(lock::election{3, 9}, prev, env);
    CHECK(p.holds());
    CHECK(p.release(env) == answer::accepted);
    CHECK(env.waits_for<lock::token_overdue>() == std::nullopt);   // it elects: one wait, not two
    CHECK(env.waits_for<lock::election_overdue>().has_value());
}

TEST_CASE("token_ring: late, repeated, foreign and forged messages meet a guard") {
    lock p{5, {.nodes = 3}};
    notes env;
    p.on(token_of(7, 1), port{0}, env);                 // not from where messages come
    p.on(lock::election{7, 9}, port{5}, env);
    CHECK(env.outbox.empty());
    CHECK_FALSE(p.has_token());
    p.on(token_of(never, 1), prev, env);                // numbers would run out
    p.on(lock::election{never, 9}, prev, env);
    p.on(lock::election{(std::uint64_t{1} << 32) + 1, 9}, prev, env);
    CHECK(env.outbox.empty());
    CHECK(env.armed.empty());
    p.on(lock::election{std::uint64_t{1} << 32, 9}, prev, env);
    CHECK(env.outbox.size() == 1);
    p.on(token_of(7, 1, 2), prev, env);
    p.on(token_of(7, 1, 0), prev, env);                 // repeated, while it is here
    p.on(token_of(6, 9, 9), prev, env);                 // older: destroyed
    p.on(token_of(7, 0, 9), prev, env);
    CHECK(p.generation() == generation{7, 1, {}});
    p.on(lock::held_long_enough{}, env);
    REQUIRE(env.outbox.size() == 2);
    CHECK(env.sent_token(1)->entries == 2);
    p.on(token_of(7, 0, 9), prev, env);                 // and elsewhere
    CHECK_FALSE(p.has_token());
    p.on(token_of(7, 1, 2), prev, env);
    CHECK(p.has_token());
}

TEST_CASE("token_ring: tokens of another life are of another generation; a life begins with none") {
    lock p{5, {.nodes = 1, .has_token = true}};
    notes env;
    p.on(recovered<>{incarnation{3}, {}}, env);
    CHECK_FALSE(p.has_token());
    CHECK(env.waits_for<lock::token_overdue>().has_value());
    p.on(lock::token_overdue{}, env);
    p.on(lock::election{1, 5}, prev, env);
    CHECK(p.generation() == generation{1, 5, incarnation{3}});
    CHECK(generation{1, 5, {}} < p.generation());
}
