// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/time_fairness.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
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
