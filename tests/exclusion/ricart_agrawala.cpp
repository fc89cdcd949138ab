// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>
#include <support/asking.hpp>
#include <support/trace.hpp>
#include <support/wild.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using lock = ricart_agrawala<int>;

/// The least id that breaks ties.
class named {
public:
    constexpr named() = default;
    constexpr explicit named(int rank) : rank_(rank) {}
    friend constexpr bool operator==(const named&, const named&) = default;
    friend constexpr bool operator<(const named& a, const named& b) { return a.rank_ < b.rank_; }

private:
    int rank_ = 0;
};

template <class P>
constexpr bool least_environment_will_do() {
    using namespace caucus;
    struct : archetype::environment<P> {} env;
    env.ports = 2;
    P p{named{1}};
    const bool asked = p.request(env) == answer::accepted && !env.outbox.empty();
    p.on(typename P::wish{}, port{1}, env);
    return asked && p.cancel(env) == answer::accepted && p.release(env) == answer::not_inside;
}

constexpr bool in_turn_at_compile_time() {
    rounds sim{complete{3}, [](node v) { return ricart_agrawala{static_cast<int>(v.index)}; }};
    return answers_out_of_turn(sim, 1, [](auto& s) { s.run(); }) && sim[1].fence().count == 1;
}

}  // namespace

// Shape

static_assert(process<lock> && process<ricart_agrawala<int, heap_storage, answering>>);
static_assert(std::is_same_v<decltype(ricart_agrawala{1}), lock>);
static_assert(std::is_same_v<decltype(ricart_agrawala{1, plain{}}),
                             ricart_agrawala<int, heap_storage, plain>>);
static_assert(std::is_same_v<decltype(ricart_agrawala{1, answering{.delay_max = 5}}),
                             ricart_agrawala<int, heap_storage, answering>>);
static_assert(std::is_same_v<decltype(ricart_agrawala{1, majority{}}),
                             ricart_agrawala<int, heap_storage, majority>>);
static_assert(std::is_same_v<decltype(ricart_agrawala{1, carvalho_roucairol{}}),
                             ricart_agrawala<int, heap_storage, carvalho_roucairol>>);
static_assert(named{1} == named{1} && named{1} < named{2});
static_assert(least_environment_will_do<ricart_agrawala<named>>());
static_assert(least_environment_will_do<ricart_agrawala<named, inplace_storage<2>, answering>>());
static_assert(least_environment_will_do<ricart_agrawala<named, heap_storage, majority>>());
static_assert(
    least_environment_will_do<ricart_agrawala<named, inplace_storage<2>, carvalho_roucairol>>());
static_assert(in_turn_at_compile_time());
static_assert(sizeof(ricart_agrawala<std::uint16_t, inplace_storage<4>>) <= 128);
static_assert(lock::assumes.time == timing::asynchronous);
static_assert(ricart_agrawala<int, heap_storage, answering>::assumes.time == timing::bounded_delay);
static_assert(std::is_same_v<lock::fence_type, fence<>>);

TEST_CASE("ricart_agrawala: requests out of turn are refused, and change nothing") {
    for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
        events net{complete{n}, ricart_agrawalas()};
        CHECK(answers_out_of_turn(net, 0, until_quiet));
    }
}

TEST_CASE("ricart_agrawala: a node with more neighbours than room says so, and lets others in") {
    using cramped = ricart_agrawala<int, inplace_storage<1>>;
    archetype::environment<cramped> env;
    env.ports = 2;
    cramped p{0};
    CHECK(p.request(env) == answer::no_room);
    REQUIRE(env.heard.size() == 1);
    CHECK(std::get<overflow>(env.heard[0]).needed == 2);
    CHECK_FALSE(p.waits());
    p.on(cramped::wish{{1, 1}}, port{1}, env);
    REQUIRE(env.outbox.size() == 1);
    CHECK(std::holds_alternative<cramped::reply>(env.outbox[0].message));
}

// Paper

namespace {

struct stamp_words {
    std::string operator()(const std::string& kind, const auto& m, port p) const {
        if constexpr (requires { m.when; }) return kind + " " + std::to_string(m.when.clock);
        else return kind + " to " + std::to_string(m.to) + " by " + std::to_string(p.index());
    }
};

}  // namespace

TEST_CASE("ricart_agrawala: the lecture's example: stamps 8 and 12, and 8 enters first") {
    std::vector<trace_line> lines;
    rounds sim{complete{3}, ricart_agrawalas(), {}, trace<stamp_words>{{}, &lines}};
    // They have heard of wishes of node 1, which has cancelled them.
    sim.call(0, arrival<lock::message>{lock::wish{{7, 1}}, port{0}});
    sim.call(2, arrival<lock::message>{lock::wish{{11, 1}}, port{1}});
    sim.run();
    lines.clear();
    const ticks begin = sim.now();
    CHECK(sim.call(0, request::enter{}) == answer::accepted);
    CHECK(sim.call(2, request::enter{}) == answer::accepted);
    sim.run();
    CHECK(sim[0].holds());
    CHECK(sim[2].waits());
    CHECK(sim[0].defers(port{1}));
    CHECK(sim.call(0, request::leave{}) == answer::accepted);
    sim.run();
    CHECK(sim[2].holds());
    for (trace_line& l : lines) l.at -= begin;
    CHECK(in_order(lines) == "0: 0 wish 8\n"          // to 1
                             "0: 0 wish 8\n"          // to 2
                             "0: 2 wish 12\n"         // to 0
                             "0: 2 wish 12\n"         // to 1
                             "1: 1 reply to 12 by 0\n"
                             "1: 1 reply to 8 by 1\n"
                             "1: 2 reply to 8 by 0\n"
                             "2: 0 knows\n"           // and is inside
                             "2: 0 knows\n"           // and has left
                             "2: 0 reply to 12 by 1\n"
                             "3: 2 knows\n");
}

TEST_CASE("ricart_agrawala: equal stamps: the lesser id enters first") {
    events sim{complete{2}, ricart_agrawalas()};
    CHECK(sim.call(1, request::enter{}) == answer::accepted);
    CHECK(sim.call(0, request::enter{}) == answer::accepted);
    sim.run();
    CHECK(sim[0].holds());
    CHECK(sim[0].asked() == stamp<int>{1, 0});
    CHECK(sim[1].asked() == stamp<int>{1, 1});
    CHECK(sim[1].awaits(port{0}));
    CHECK_FALSE(sim[0].awaits(port{0}));
}

// Safety and liveness: see also ricart_agrawala_explored.cpp

TEST_CASE("ricart_agrawala: random runs, messages repeated and overtaking: all are served") {
    check_runs(complete{4}, ricart_agrawalas(), 4, 150, false, true);
    check_runs(complete{7}, ricart_agrawalas(), 3, 40, false, true);
}
TEST_CASE("ricart_agrawala: storms over reliable: nobody is in another's way, all are served") {
    CHECK(unserved_in_storms(complete{3}, ricart_agrawalas(), 150) == 0);
}
TEST_CASE("nightly: ricart_agrawala: 100,000 storms over reliable" * doctest::skip()) {
    CHECK(unserved_in_storms(complete{3}, ricart_agrawalas(), 50'000, 1'000) == 0);
    CHECK(unserved_in_storms(complete{5}, ricart_agrawalas(), 50'000, 100'000) == 0);
}

TEST_CASE("ricart_agrawala: a cancelled wish hinders nobody, and its replies come too late") {
    events sim{complete{3}, ricart_agrawalas()};
    CHECK(sim.call(0, request::enter{}) == answer::accepted);
    CHECK(sim.call(0, request::cancel{}) == answer::accepted);
    CHECK(sim.call(0, request::enter{}) == answer::accepted);   // its replies are not the first's
    CHECK(sim.call(1, request::enter{}) == answer::accepted);
    const report r = sim.run();
    CHECK(r.by_kind("wish") == 6);
    CHECK(r.by_kind("reply") == 5);   // one of the two inside owes the other one
    CHECK(sim[1].holds() != sim[0].holds());
}

// Cost

TEST_CASE("ricart_agrawala: 2(n-1) messages an entry, alone and when all always want to enter") {
    for (const std::size_t n : numbers{1, 2, 3, 5, 10}) {
        CAPTURE(n);
        const std::uint64_t others = n - 1;
        static_assert(lock::per_entry(10).least == 18 && lock::per_entry(10).most == 18);
        static_assert(lock::per_entry(1).most == 0 && lock::per_entry(0).most == 0);
        events one{complete{n}, ricart_agrawalas()};
        for (std::size_t v = 0; v < n; ++v) CHECK(cost_alone(one, v) == 2 * others);
        events busy{complete{n}, clients(ricart_agrawalas(), sections{.entries = 10}),
                    {.delay = uniform{1, 10}}, watch<lock>()};
        busy.start_all();
        const report r = busy.run();
        CHECK(busy.watcher().get<0>().entries() == 10 * n);
        CHECK(r.messages == 2 * others * 10 * n);
        CHECK(lock::messages({.nodes = n, .initiators = 10 * n}).contains(r.messages));
    }
}

TEST_CASE("ricart_agrawala: one delay from one entry to the next") {
    const ticks delay = 10;
    events net{complete{5}, ricart_agrawalas(), {.delay = uniform{delay, delay}}};
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    CHECK(net.call(1, request::enter{}) == answer::accepted);
    net.run();
    const ticks leaves = net.now();
    CHECK(net.call(0, request::leave{}) == answer::accepted);
    net.run();
    CHECK(net[1].holds());
    CHECK(net.now() == leaves + delay);
}

TEST_CASE("nightly: ricart_agrawala: 2,000 nodes ask at once" * doctest::skip()) {
    const std::size_t n = 2'000;
    events sim{complete{n}, clients(ricart_agrawalas(), sections{.entries = 1}),
               {.delay = unit{}, .keep_outcomes = false}, watch<lock>()};
    sim.start_all();
    const report r = sim.run({.max_messages = 10'000'000});
    CHECK(r.messages == 2 * (n - 1) * n);
    CHECK(sim.watcher().get<0>().entries() == n);
    CHECK(sim.watcher().holds());
}

// Outside the model

TEST_CASE("ricart_agrawala: late, repeated and foreign messages meet a guard") {
    struct : archetype::environment<lock> {} env;
    env.ports = 2;
    lock p{5};
    p.on(lock::wish{{3, 4}}, port{2}, env);       // from where nobody is
    p.on(lock::reply{1, 9}, port{0}, env);        // nobody was asked
    CHECK(env.outbox.empty());
    CHECK(p.request(env) == answer::accepted);
    CHECK(p.request(env) == answer::already_waiting);
    CHECK(env.outbox.size() == 2);                // nothing more is asked, and nothing again
    CHECK(p.asked() == stamp<int>{1, 5});
    p.on(lock::reply{1, 9}, port{2}, env);
    p.on(lock::reply{0, 9}, port{0}, env);        // to another wish
    p.on(lock::reply{1, 6}, port{0}, env);
    p.on(lock::reply{1, 9}, port{0}, env);        // repeated: no second one, and no news
    CHECK(p.waits());
    p.on(lock::wish{{4, 9}}, port{1}, env);
    p.on(lock::wish{{2, 9}}, port{1}, env);       // an older one, overtaken
    p.on(lock::reply{1, 2}, port{1}, env);
    CHECK(p.holds());
    CHECK(p.fence() == fence<>{0, 7});
    env.outbox.clear();
    CHECK(p.release(env) == answer::accepted);
    REQUIRE(env.outbox.size() == 1);
    const lock::reply owed = std::get<lock::reply>(env.outbox[0].message);
    CHECK((owed.to == 4 && owed.count == 7));
}

TEST_CASE("ricart_agrawala: whoever comes back with nothing stays out, and replies to nobody") {
    events net{complete{3}, ricart_agrawalas()};
    CHECK(stays_out_and_silent(net, 0, 2));
    CHECK(net[2].awaits(port{0}));
}

TEST_CASE("ricart_agrawala: strangers say wild things: no crash, and no room that grows") {
    // answering has all the handlers of plain, and more.
    disturb(60, wild_networks, [](std::size_t, int id, const auto&) {
        return client{ricart_agrawala{id, answering{.delay_max = 20}}, sections{.entries = 3}};
    });
}
