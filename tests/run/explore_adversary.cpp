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
#include <support/textbook_token_ring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

using one_token = support::one_textbook_token;
using token_ring = support::textbook_token_ring;

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

/// Works off twelve steps, and makes as much noise as it likes.
struct worker {
    struct step {};
    struct noise {};
    using message = nothing;
    using timer = std::variant<step, noise>;
    using outcome = nothing;
    int steps = 0;
    int noises = 0;

    void start(auto& env) {
        env.arm(step{}, 1);
        env.arm(noise{}, 1);
    }
    void on(step, auto& env) {
        if (++steps < 12) env.arm(step{}, 1);
    }
    void on(noise, auto& env) {
        ++noises;
        env.arm(noise{}, 1);
    }
};

/// Has a letter, or has none yet.
struct reader {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    bool has = false;
    void start(auto& env) { env.send(next, 0); }
    void on(int, port, auto&) { has = true; }
};

/// Passes a number on that grows, and remembers the even ones.
struct lapper {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    int seen = 0;
    void start(auto& env) { env.send(next, 1); }
    void on(int lap, port, auto& env) {
        if (lap % 2 == 0) seen = lap;
        env.send(next, lap + 1);
    }
};
struct laps_below {
    static constexpr bool any_node = true;
    int most;
    static std::uint64_t observes(const lapper& p) { return static_cast<std::uint64_t>(p.seen); }
    bool operator()(const global_state<lapper>& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].seen >= most) return false;
        return true;
    }
};

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

TEST_CASE("explore: within a region, a space without end is explored to its edge, which is named") {
    using state = global_state<worker>;
    const auto quiet = [](const state& g) { return g[0].noises <= 2; };
    const auto with = [](property<worker> p, region<worker> within) {
        return explore(ring{1}, [](node) { return worker{}; },
                       {.properties = {p}, .timers = timers::any_time, .max_states = 60,
                        .within = within});
    };
    const property<worker> fine = always([](const state&) { return true; });
    CHECK(with(fine, {}).limit == "max_states");
    const verdict v = with(fine, quiet);
    CHECK(v.holds);
    CHECK_FALSE(v.complete);
    CHECK_FALSE(v.verified());
    CHECK(v.limit == "within");
    CHECK(v.states == 4 * 13);   // those beyond the edge are kept

    // The mistake is too deep for a search that loses itself in noise.
    const property<worker> never_done =
        always([](const state& g) { return g[0].steps < 12 || g[0].noises == 0; });
    CHECK(with(never_done, {}).holds);
    const verdict found = with(never_done, quiet);
    CHECK_FALSE(found.holds);
    CHECK(found.counterexample.size() == 13);
    CHECK(found.limit.empty());

    const property<worker> never_loud = always([](const state& g) { return g[0].noises < 3; });
    CHECK_FALSE(with(never_loud, quiet).holds);   // checked beyond the edge
    const property<worker> never_louder = always([](const state& g) { return g[0].noises < 4; });
    CHECK(with(never_louder, quiet).holds);       // and no further
    CHECK(explore(ring{2}, [](node) { return reader{}; }, {.within = [](const auto&) {
                      return true;
                  }}).verified());                // an edge that is never reached is none
    const verdict nowhere = with(fine, [](const state&) { return false; });
    CHECK(nowhere.states == 1);
    CHECK(nowhere.limit == "within");
}

TEST_CASE("explore: no reduction hides what is within the region") {
    // Node 1 first leads out of the region, node 0 first does not: both in the end.
    const auto in_turn = [](const global_state<reader>& g) { return g[0].has || !g[1].has; };
    const auto not_both = [](const global_state<reader>& g) { return !g[0].has || !g[1].has; };
    for (const reduction reduce : {reduction::none, reduction::sleep, reduction::ample,
                                   reduction::every})
        CHECK_FALSE(explore(ring{2}, [](node) { return reader{}; },
                            {.properties = {always(not_both)}, .reduce = reduce,
                             .within = in_turn}).holds);

    // A region that says what it looks at, and that any node will do, goes with the others.
    std::uint64_t all_states = 0;
    for (const reduction reduce : {reduction::none, reduction::ample, reduction::rotations}) {
        const verdict v = explore(ring{3}, [](node) { return lapper{}; },
                                  {.reduce = reduce, .within = laps_below{6}});
        CHECK(v.limit == "within");
        if (reduce == reduction::none) all_states = v.states;
        else CHECK(v.states < all_states);
        CHECK(v.reductions == exploration::name_of(reduce));
        CHECK_FALSE(explore(ring{3}, [](node) { return lapper{}; },
                            {.properties = {always(laps_below{6})}, .reduce = reduce,
                             .within = laps_below{6}}).holds);
        CHECK(explore(ring{3}, [](node) { return lapper{}; },
                      {.properties = {always(laps_below{7})}, .reduce = reduce,
                       .within = laps_below{6}}).holds);
    }
}
