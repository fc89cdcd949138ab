// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala/majority.hpp>

#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <support/asking.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using lock = ricart_agrawala<int, heap_storage, majority>;
const auto voters = ricart_agrawalas(majority{});

static_assert(process<lock>);
static_assert(lock::per_entry(1).most == 0 && lock::per_entry(0).most == 0);
static_assert(lock::per_entry(3).least == 3 && lock::per_entry(3).most == 3);
static_assert(lock::per_entry(5).least == 6 && lock::per_entry(5).most == 12);
static_assert(sizeof(ricart_agrawala<std::uint16_t, inplace_storage<4>, majority>) <= 320);

}  // namespace

TEST_CASE("majority: one inside, all enter, any schedule, any order, n <= 3") {
    for (std::size_t n = 1; n <= 3; ++n) check_promises<majority>(n, entering(n == 3 ? 1 : 2), {});
    check_promises<majority>(3, entering(1), {.fifo = false});
    check_promises<majority>(2, entering(2), {.faults = {.duplicates = 1}, .fifo = false});
    check_promises<majority>(2, wavering(), {.faults = {.duplicates = 1}, .fifo = false});
}
TEST_CASE("nightly: majority: two entries each, repeated, any order, cancelled; n = 4" *
          doctest::skip()) {
    MESSAGE(check_promises<majority>(3, entering(2), {}).states);
    MESSAGE(check_promises<majority>(3, entering(1), {.faults = {.duplicates = 1}, .fifo = false})
                .states);
    MESSAGE(check_promises<majority>(3, wavering(), {}).states);
    MESSAGE(check_promises<majority>(3, entering(2), {.fifo = false}).states);
}
TEST_CASE("nightly: majority: votes are called back over links, n = 4" * doctest::skip()) {
    const verdict four = check_promises<majority>(4, entering(1), {});
    MESSAGE(four.states, " ", four.messages.least, " ", four.messages.most);
    CHECK(four.messages.least == 4 * lock::per_entry(4).least);
    CHECK(four.messages.most <= 4 * lock::per_entry(4).most);
}

TEST_CASE("majority: random runs, messages repeated and overtaking: fences rise") {
    check_runs(complete{5}, voters, 5, 100, false, true);
    check_runs(complete{6}, voters, 3, 50, false, true);
}
TEST_CASE("nightly: majority: 100,000 random runs" * doctest::skip()) {
    check_runs(complete{5}, voters, 5, 50'000, false, true);
    check_runs(complete{8}, voters, 4, 50'000, false, true);
}

TEST_CASE("majority: storms over reliable: one inside, fences rise, all are served") {
    CHECK(unserved_in_storms(complete{5}, voters, 100) == 0);
}
TEST_CASE("nightly: majority: 100,000 storms over reliable" * doctest::skip()) {
    CHECK(unserved_in_storms(complete{5}, voters, 100'000) == 0);
}

TEST_CASE("majority: 3⌊n/2⌋ messages alone, at most twice that when all always want to enter") {
    std::uint64_t called_back = 0;
    for (const std::size_t n : numbers{1, 2, 3, 5, 8, 10}) {
        CAPTURE(n);
        events one{complete{n}, voters};
        for (std::size_t v = 0; v < n; ++v) CHECK(cost_alone(one, v) == 3 * (n / 2));
        events net{complete{n}, clients(voters, sections{.entries = 10}),
                   {.delay = uniform{1, 10}}, watch<lock>()};
        net.start_all();
        const report r = net.run();
        CHECK(net.watcher().template get<0>().entries() == 10 * n);
        CHECK(lock::messages({.nodes = n, .initiators = 10 * n}).contains(r.messages));
        called_back += r.by_kind("yield");
        CHECK(r.messages == 3 * (n / 2) * 10 * n + 2 * r.by_kind("yield") +
                                r.by_kind("inquire"));
    }
    CHECK(called_back > 0);
}

TEST_CASE("majority: 6⌊n/2⌋, the most that an entry can cost, is reached") {
    // Before node 0 asks 1 and 2, 4 has the vote of 1, and 1 that of 2; each lacks one more.
    events net{complete{5}, voters, {.delay = unit{}, .faults = fault_plan{}.clog(4, 0, 0)}};
    for (const std::size_t v : {4u, 1u}) {
        CHECK(net.call(v, request::enter{}) == answer::accepted);
        net.run();
        CHECK(net[v].waits());
    }
    const std::uint64_t before = net.run().messages;
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    net.run();
    REQUIRE(net[0].holds());
    CHECK(net.call(0, request::leave{}) == answer::accepted);
    CHECK(net.run().messages - before == lock::per_entry(5).most);
}

TEST_CASE("majority: requests out of turn are refused; a node awaits the votes of those it asks") {
    for (const std::size_t n : numbers{1, 2, 4}) {
        events net{complete{n}, voters};
        CHECK(answers_out_of_turn(net, 0, until_quiet));
    }
    events net{complete{5}, voters};
    CHECK_FALSE(net[0].awaits(port{0}));
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    CHECK(net[0].awaits(port{0}));
    CHECK(net[0].awaits(port{1}));
    CHECK_FALSE(net[0].awaits(port{2}));   // who was not asked
    net.run();
    CHECK(net[0].holds());
    CHECK_FALSE(net[0].awaits(port{0}));
}

TEST_CASE("majority: a voter that dies stops those that ask it, and nobody else") {
    events net{complete{5}, voters};
    net.crash(1);
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    net.run();
    CHECK(net[0].waits());
    CHECK(net[0].awaits(port{0}));
    CHECK(net.call(0, request::cancel{}) == answer::accepted);
    CHECK(net.call(2, request::enter{}) == answer::accepted);
    net.run();
    CHECK(net[2].holds());
}

TEST_CASE("majority: whoever comes back with nothing stays out, and votes for nobody") {
    events net{complete{3}, voters};
    CHECK(stays_out_and_silent(net, 0, 2));
    CHECK(net[2].awaits(port{0}));
}

TEST_CASE("majority: a voter says stalled if the dead have its vote and another waits for it") {
    struct : archetype::environment<lock> {} env;
    env.ports = 4;
    lock p{5};
    CHECK_FALSE(p.awaits(port{3}));
    p.on(lock::wish{{3, 4}}, port{3}, env);
    CHECK_FALSE(p.awaits(port{3}));              // nobody misses it
    p.on(lock::wish{{4, 1}}, port{2}, env);
    CHECK(p.awaits(port{3}));
    CHECK_FALSE(p.awaits(port{2}));
    p.on(lock::done{3, 1}, port{3}, env);
    CHECK_FALSE(p.awaits(port{2}));
}

TEST_CASE("majority: late, repeated and foreign messages meet a guard") {
    struct : archetype::environment<lock> {} env;
    env.ports = 2;   // it asks the first
    lock p{5};
    p.on(lock::wish{{3, 4}}, port{3}, env);      // from where nobody is
    p.on(lock::done{3, 4}, port{3}, env);
    p.on(lock::yield{0}, port{3}, env);
    p.on(lock::vote{0, 1, 0}, port{0}, env);     // nobody was asked
    p.on(lock::inquire{0, 1}, port{0}, env);
    p.on(lock::yield{0}, port{0}, env);
    CHECK(env.outbox.empty());
    CHECK(p.request(env) == answer::accepted);   // it has its own vote
    CHECK(p.request(env) == answer::already_waiting);
    CHECK(env.outbox.size() == 1);
    p.on(lock::vote{1, 1, 0}, port{1}, env);     // who was not asked
    p.on(lock::vote{9, 1, 0}, port{0}, env);     // for another wish
    p.on(lock::inquire{9, 1}, port{0}, env);
    CHECK(env.outbox.size() == 1);
    p.on(lock::inquire{1, 3}, port{0}, env);     // before the vote: yielded all the same
    REQUIRE(env.outbox.size() == 2);
    CHECK(std::get<lock::yield>(env.outbox[1].message).ballot == 3);
    p.on(lock::vote{1, 3, 0}, port{0}, env);     // here is the vote
    p.on(lock::inquire{1, 3}, port{0}, env);     // repeated
    CHECK(p.waits());
    CHECK(env.outbox.size() == 2);
    p.on(lock::vote{1, 5, 6}, port{0}, env);
    CHECK(p.holds());
    CHECK(p.fence() == fence<>{0, 7});
    p.on(lock::inquire{1, 5}, port{0}, env);     // it will be done soon
    CHECK(env.outbox.size() == 2);

    p.on(lock::wish{{4, 9}}, port{1}, env);
    p.on(lock::wish{{2, 9}}, port{1}, env);      // an older one, overtaken
    p.on(lock::done{6, 9}, port{0}, env);        // of a wish that is still under way
    p.on(lock::wish{{6, 1}}, port{0}, env);
    CHECK(p.release(env) == answer::accepted);
    REQUIRE(env.outbox.size() == 4);             // done, and a vote for one wish
    const lock::vote given = std::get<lock::vote>(env.outbox[3].message);
    CHECK(env.outbox[3].out == port{1});
    CHECK((given.to == 4 && given.ballot == 2 && given.count == 9));
    p.on(lock::wish{{3, 1}}, port{0}, env);      // nothing new
    p.on(lock::yield{1}, port{1}, env);          // of an earlier ballot
    p.on(lock::yield{2}, port{0}, env);          // of somebody else
    p.on(lock::done{3, 0}, port{1}, env);        // with an earlier wish
    p.on(lock::wish{{8, 1}}, port{0}, env);      // younger
    CHECK(env.outbox.size() == 4);
    p.on(lock::yield{2}, port{1}, env);          // nobody has asked for it: it is the oldest again
    REQUIRE(env.outbox.size() == 5);
    CHECK(env.outbox[4].out == port{1});
    p.on(lock::done{4, 0}, port{1}, env);
    REQUIRE(env.outbox.size() == 6);
    CHECK(env.outbox[5].out == port{0});
}
