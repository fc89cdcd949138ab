// SPDX-License-Identifier: MIT
// What properties see of a state, and what explore may do to processes beyond the usual faults:
// each finds a planted mistake that is missed without it.
#include <caucus/run/explore.hpp>

#include <doctest/doctest.h>

#include "textbook.hpp"

#include <caucus/layer/grouped.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/run/replay.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

using textbook::one_token;
using textbook::token_ring;

token_ring ring_of_tokens(node v) { return {static_cast<int>(v.index), v == 0}; }

/// Hands a ball on as soon as it comes, so often.
struct juggler {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    int left = 2;

    void start(auto& env) { env.send(next, left); }
    void on(int throws, port, auto& env) {
        if (throws != 0) env.send(next, throws - 1);
    }
};

/// Asks its neighbour, and again if no answer comes in time, three times at most. The mistake: it
/// does not expect an answer that is late.
struct impatient {
    struct question {};
    struct reply {};
    struct overdue {};
    using message = std::variant<question, reply>;
    using timer = overdue;
    using outcome = nothing;
    int asked = 0;
    int answered = 0;

    void start(auto& env) { ask(env); }
    void on(question, port, auto& env) { env.send(next, reply{}); }
    void on(reply, port, auto& env) {
        ++answered;
        env.disarm(overdue{});
    }
    void on(overdue, auto& env) {
        if (asked < 3) ask(env);
    }

private:
    void ask(auto& env) {
        ++asked;
        env.send(next, question{});
        env.arm(overdue{}, 10);
    }
};

/// Calls its neighbour some day, unless it is called before. The mistake: it does not expect a call
/// while it is calling itself.
template <bool IsDecision>
struct phone {
    struct call {};
    struct accept {};
    struct dial { static constexpr bool is_decision = IsDecision; };
    enum class state : std::uint8_t { idle, calling, talking, stuck };
    using message = std::variant<call, accept>;
    using timer = dial;
    using outcome = nothing;
    ticks thinks = 1;
    state is = state::idle;

    void start(auto& env) { env.arm(dial{}, thinks); }
    void on(dial, auto& env) {
        is = state::calling;
        env.send(next, call{});
    }
    void on(call, port from, auto& env) {
        if (is != state::idle) return static_cast<void>(is = state::stuck);
        is = state::talking;
        env.disarm(dial{});
        env.send(from, accept{});
    }
    void on(accept, port, auto&) { is = state::talking; }
};

/// Two phones, each perhaps inside layers; `bare` finds the phone there.
template <bool IsDecision>
verdict ring_up(auto in_layers, auto bare) {
    const auto make = [&](node v) { return in_layers(phone<IsDecision>{v == 0 ? 1u : 50u}); };
    const auto nobody_is_stuck = [bare](const auto& g) {
        return bare(g[0]).is != phone<IsDecision>::state::stuck &&
               bare(g[1]).is != phone<IsDecision>::state::stuck;
    };
    return explore(complete{2}, make, {.properties = {always("no crossing", nobody_is_stuck)}});
}

}  // namespace

TEST_CASE("lectures: a timer before its time makes a second token, in 3 events or 4, n <= 3") {
    for (const std::size_t n : {2u, 3u}) {
        for (const reduction reduce : {reduction::none, reduction::every}) {
            const auto v = explore(ring{n}, ring_of_tokens,
                                   {.properties = {always("one token", one_token{})},
                                    .reduce = reduce, .timers = timers::any_time});
            CHECK_FALSE(v.holds);
            CHECK(v.counterexample.size() == n + 1);
            CHECK(v.counterexample.property == "one token");
            CHECK(v.counterexample.text().find("one token is false after:\n") == 0);
        }
    }
}

TEST_CASE("explore: reductions leave out nothing that a property sees of messages or timers") {
    // No process ever changes: what is seen of processes alone would allow to leave out everything.
    const auto crowded = [](std::size_t v) {
        return [v](const global_state<juggler>& g) {
            std::size_t coming = 0;
            g.each_in_flight([&](node, node to, int) { coming += to == v; });
            return coming == 2;
        };
    };
    for (const reduction reduce : {reduction::none, reduction::sleep, reduction::ample,
                                   reduction::every}) {
        const auto v = explore(ring{2}, [](node) { return juggler{}; },
                               {.properties = {sometimes("two to 0", crowded(0)),
                                               sometimes("two to 1", crowded(1))},
                                .reduce = reduce});
        CHECK(v.verified());
        CHECK(v.reductions.find("ample") == std::string::npos);
    }
    const auto two_wait = [](const global_state<token_ring>& g) {
        std::size_t waiting = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v)
            g.each_armed(v, [&](const token_ring::timer& t) {
                waiting += std::holds_alternative<token_ring::token_overdue>(t);
            });
        return waiting == 2;
    };
    for (const reduction reduce : {reduction::none, reduction::every}) {
        const auto v = explore(ring{2}, ring_of_tokens,
                               {.properties = {always([&](const auto& g) { return !two_wait(g); })},
                                .reduce = reduce});
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.size() == 1);   // node 0 leaves, and waits for the token itself
    }
}

TEST_CASE("explore: early expiries find a second token, and nothing is found without, n <= 3") {
    const auto with = [](std::size_t n, std::uint8_t early) {
        return explore(ring{n}, ring_of_tokens, {.properties = {always("one token", one_token{})},
                                                 .faults = {.early_expiries = early}});
    };
    for (const std::size_t n : {2u, 3u}) {
        CHECK(with(n, 0).verified());   // 100 ticks are enough for each to stay its time
        const verdict v = with(n, 1);
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.size() == n + 1);
        CHECK(v.counterexample.text().find(". node " + std::to_string(n - 1) +
                                           " times out too early: token_overdue") !=
              std::string::npos);
        const auto net = replay(v.counterexample, ring{n}, ring_of_tokens);
        CHECK(net[0].holds);
        CHECK_FALSE(net[n - 1].electing);   // it has won, and has made a token
    }
}

TEST_CASE("explore: early expiries come while messages are under way, as often as is said") {
    const auto with = [](std::uint8_t early, property<impatient> p,
                         timers when = timers::after_messages) {
        return explore(ring{2}, [](node) { return impatient{}; },
                       {.initiators = {0}, .properties = {p},
                        .faults = {.early_expiries = early}, .timers = when});
    };
    using state = global_state<impatient>;
    const property<impatient> one_answer =
        always("one answer", [](const state& g) { return g[0].answered <= 1; });
    CHECK(with(0, one_answer).verified());
    const verdict v = with(1, one_answer);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 5);
    const std::string told = v.counterexample.text();
    CHECK(told.find("node 0 times out too early: overdue") != std::string::npos);

    const property<impatient> three_questions =
        sometimes([](const state& g) { return g[0].asked == 3; });
    CHECK_FALSE(with(1, three_questions).holds);
    CHECK(with(2, three_questions).verified());
    // Where timers mean nothing, none is early: the budget changes nothing.
    const verdict any = with(0, three_questions, timers::any_time);
    const verdict more = with(2, three_questions, timers::any_time);
    CHECK(any.states == more.states);
    CHECK(any.reductions == more.reductions);
}

TEST_CASE("explore: decisions come while messages are under way, also those inside layers") {
    const auto same = [](const auto& p) -> const auto& { return p; };
    CHECK(ring_up<false>([](auto p) { return p; }, same).verified());
    const verdict v = ring_up<true>([](auto p) { return p; }, same);
    CHECK(v.counterexample.property == "no crossing");
    CHECK(v.counterexample.size() == 3);
    CHECK(v.counterexample.text().find("decides: dial") != std::string::npos);

    const auto inner = [](const auto& p) -> const auto& { return p.process(); };
    const auto resending = [](auto p) { return reliable{p}; };
    CHECK(ring_up<false>(resending, inner).verified());
    CHECK(ring_up<true>(resending, inner).counterexample.property == "no crossing");

    const auto first = [](const auto& p) -> const auto& { return p[0]; };
    const auto in_a_group = [](auto p) { return grouped{std::vector{p}}; };
    CHECK(ring_up<false>(in_a_group, first).verified());
    CHECK(ring_up<true>(in_a_group, first).counterexample.property == "no crossing");
}
