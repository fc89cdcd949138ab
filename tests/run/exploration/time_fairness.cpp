// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/time_fairness.hpp>

#include <caucus/layer/client.hpp>
#include <caucus/run/endpoint.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <variant>

using namespace caucus;

namespace {

enum class habit : std::uint8_t {
    plain, both_ask, arms_anew, disarms, tosses_whether_to_arm, plays_for_ever,
    plays_until_answered, plays_until_it_decides
};

/// The first decides to ask its neighbour, and decides again when it is answered. Until the dusk,
/// of which a timer tells, which it may treat as its habit is.
struct asker {
    struct question {};
    struct reply {};
    struct ball {};
    struct ask { static constexpr bool is_decision = true; };
    struct dusk {};
    using message = std::variant<question, reply, ball>;
    using timer = std::variant<ask, dusk>;
    using outcome = nothing;
    [[maybe_unused]] static constexpr bool tosses_coins = true;

    habit has = habit::plain;
    bool is_first = true;
    bool dark = false;
    bool answered = false;   // in the round that began with the last question
    bool plays = false;

    void start(auto& env) {
        if (has == habit::plays_until_it_decides) {
            env.send(port{1}, ball{});
            return env.arm(ask{}, 1);
        }
        if (is_first) env.arm(dusk{}, 5);
        if (is_first || has == habit::both_ask) env.arm(ask{}, 1);
    }
    void on(ask, auto& env) {
        if (has == habit::plays_until_it_decides) return on(dusk{}, env);
        answered = false;
        if (has == habit::disarms) env.disarm(dusk{});
        if (has == habit::plays_until_answered || (has == habit::plays_for_ever && !plays))
            env.send(port{1}, ball{});
        plays = has == habit::plays_for_ever;
        env.send(port{0}, question{});
    }
    void on(question, port from, auto& env) { env.send(from, reply{}); }
    void on(reply, port, auto& env) {
        answered = true;
        if (has != habit::plays_until_answered) env.arm(ask{}, 1);
        if (dark || !is_first) return;
        if (has == habit::arms_anew || has == habit::disarms) env.arm(dusk{}, 5);
        if (has == habit::tosses_whether_to_arm && env.choose(2) == 1) env.arm(dusk{}, 5);
    }
    void on(ball, port from, auto& env) {
        const bool over = is_first && answered && has == habit::plays_until_answered;
        if (over) env.arm(ask{}, 1);
        else env.send(from, ball{});
    }
    void on(dusk, auto&) { dark = true; }
};

verdict until_dusk(habit h, timers when = timers::after_messages, std::size_t first = 0) {
    return explore(complete{3}, [=](node v) { return asker{h, v.index == first}; },
                   {.properties = {finally([=](const auto& g) { return g[first].dark; })},
                    .timers = when});
}

/// Decides again and again, and lets no time pass if it can help it.
struct restless {
    struct call { static constexpr bool is_decision = true; };
    struct dusk {};
    using message = nothing;
    using timer = std::variant<call, dusk>;
    using outcome = nothing;
    [[maybe_unused]] static constexpr std::size_t timers(std::size_t) { return 2; }

    ticks till_dusk = 5;
    bool dark = false;
    int calls = 0;

    constexpr void start(auto& env) {
        env.arm(dusk{}, till_dusk);
        env.arm(call{}, 0);
    }
    constexpr void on(call, auto& env) {
        ++calls;
        env.arm(call{}, 0);
    }
    constexpr void on(dusk, auto&) { dark = true; }

    static constexpr auto fields(auto& self) { return std::tie(self.dark); }
};

/// Decisions before the dusk, in a simulation that could go on for ever in one tick.
constexpr int calls_before_dusk(auto net) {
    net.start(0);
    net.run_until([&] { return net[0].dark; }, {.max_busy_ticks = 100});
    return net[0].dark ? net[0].calls : -1;
}

/// A lock that is held as soon as it is asked for, with a dusk.
struct lock_till_dusk {
    struct dusk {};
    using message = nothing;
    using timer = dusk;
    using outcome = nothing;

    bool held = false;
    bool dark = false;

    void start(auto& env) { env.arm(dusk{}, 5); }
    void request(auto&) { held = true; }
    void release(auto&) { held = false; }
    bool holds() const { return held; }
    void on(dusk, auto&) { dark = true; }
};

/// Does the dusk come, in explore and in events, where the load decides without a pause?
template <class Load>
void comes_to_dusk(Load load) {
    const auto make = [=](node) { return client{lock_till_dusk{}, load}; };
    CHECK(explore(complete{2}, make, {.properties = {
        finally([](const auto& g) { return g[0].process().dark; }),
        sometimes([](const auto& g) { return g[0].holds() && !g[0].process().dark; })
    }}).verified());
    events net{complete{2}, make};
    net.start_all();
    net.run_for(5);
    CHECK(net[0].process().dark);
}

const auto one_is_dark = [](const auto& g) { return g[0].dark || g[1].dark || g[2].dark; };

}  // namespace

TEST_CASE("time_fairness: who decides for ever does not stop a timer that stays armed") {
    for (const std::size_t first : {0u, 1u, 2u})
        CHECK(until_dusk(habit::plain, timers::after_messages, first).verified());
    // One question is always under way, if they like: but not for ever.
    CHECK(until_dusk(habit::both_ask).verified());
    // One who comes to rest only when it is answered, and it will be.
    CHECK(until_dusk(habit::plays_until_answered).verified());
}

TEST_CASE("time_fairness: whoever arms a timer anew, or disarms it, may always be quicker") {
    for (const habit h : {habit::arms_anew, habit::disarms}) {
        const verdict v = until_dusk(h);
        CHECK_FALSE(v.holds);
        REQUIRE(v.counterexample.loop_from.has_value());
        CHECK(v.counterexample.size() - *v.counterexample.loop_from == 3);
    }
}

TEST_CASE("time_fairness: each timer of each node waits by itself, in each part of the graph") {
    const auto explored = [](initiators who, auto predicate) {
        return explore(complete{3}, [](node v) {
            return asker{v.index == 1 ? habit::arms_anew : habit::plain, true};
        }, {.initiators = who, .properties = {finally(predicate)}});
    };
    // Node 1 arms a timer of that name anew, again and again: it is not that of node 0.
    CHECK(explored({0, 1}, [](const auto& g) { return g[0].dark; }).verified());
    CHECK(explored({0}, one_is_dark).verified());
    CHECK_FALSE(explored({1}, one_is_dark).holds);
    const verdict v = explored(any_subset, one_is_dark);
    CHECK_FALSE(v.holds);
    REQUIRE(v.counterexample.loop_from.has_value());
    CHECK(v.counterexample.starters == 0b010);
    CHECK(v.counterexample.size() - *v.counterexample.loop_from == 3);
}

TEST_CASE("time_fairness: the schedule that is told does not let a timer wait for ever") {
    const verdict v = until_dusk(habit::tosses_whether_to_arm);
    CHECK_FALSE(v.holds);
    REQUIRE(v.counterexample.loop_from.has_value());
    std::size_t armed = 0;
    for (std::size_t i = *v.counterexample.loop_from; i < v.counterexample.size(); ++i)
        for (const std::uint32_t side : v.counterexample.steps[i].coins) armed += side;
    CHECK(armed > 0);
}

TEST_CASE("time_fairness: messages that go on by themselves keep timers waiting, as ever") {
    const verdict v = until_dusk(habit::plays_for_ever);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.loop_from.has_value());
    // So do those of another beginning, where some decision ends the wait for the dusk.
    const auto started_by = [](initiators who) {
        return explore(complete{3}, [](node u) {
            return asker{u.index == 0 ? habit::plays_until_it_decides : habit::plays_for_ever,
                         true};
        }, {.initiators = who, .properties = {finally(one_is_dark)}});
    };
    CHECK(started_by({0}).verified());
    CHECK_FALSE(started_by({1}).holds);
    CHECK_FALSE(started_by(any_subset).holds);
    // Where delays mean nothing, no timer waits for messages.
    CHECK(until_dusk(habit::plays_for_ever, timers::any_time).verified());
    CHECK(until_dusk(habit::plain, timers::any_time).verified());
}

TEST_CASE("time_fairness: a decision of delay 0 takes a tick too, whoever executes it") {
    const auto make = [](node) { return restless{}; };
    static_assert(calls_before_dusk(rounds{complete{2}, [](node) { return restless{}; }}) == 5);
    CHECK(calls_before_dusk(events{complete{2}, make}) == 5);
    CHECK(calls_before_dusk(events{complete{2}, make, {.delay = uniform{1, 9}}}) == 5);
    for (const std::int32_t pace : {-500'000, 1'000'000, 2'000'000'000})
        CHECK(calls_before_dusk(events{complete{2}, make,
                                       {.faults = fault_plan{}.drift(0, pace)}}) >= 0);

    struct medium { std::size_t degree() const { return 1; } } channel;
    struct watch {
        ticks time = 0;
        ticks now() const { return time; }
    } clock;
    const auto listener = [](nothing) {};
    endpoint self{restless{}, channel, clock, listener};
    self.start();
    for (self.advance(); !self.process().dark && clock.time != 9; self.advance())
        clock.time = *self.next_deadline();
    CHECK(self.process().dark);
    CHECK(self.process().calls == 5);

    for (const ticks delay : {0u, 1u, 5u})
        CHECK(explore(complete{2}, [=](node) { return restless{delay}; }, {.properties = {
            finally([](const auto& g) { return g[0].dark; })}}).verified());
}

TEST_CASE("time_fairness: loads that neither think nor stay let time pass") {
    comes_to_dusk(closed{.think = 0, .stay = 0});
    comes_to_dusk(at_any_time{sections{.entries = 200, .thinking = 0, .staying = 0}});
    comes_to_dusk(script{in_order(request::enter{}, request::leave{}), {.thinking = 0}});
}
