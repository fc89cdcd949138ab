// SPDX-License-Identifier: MIT
// What must happen in the end, when some schedules never end: coins, links and timers are fair.
#include <caucus/run/explore.hpp>

#include <doctest/doctest.h>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

using namespace caucus;

namespace {

struct all_done {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (!g[v].done) return false;
        return true;
    }
    static std::uint64_t observes(const auto& p) { return p.done; }
};

/// Whenever something comes round, tosses a coin, until it shows `wanted`.
struct gambler {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    [[maybe_unused]] static constexpr bool tosses_coins = true;

    std::size_t sides = 2;
    std::size_t wanted = 1;
    bool done = false;

    void start(auto& env) { env.send(next, 0); }
    void on(int, port, auto& env) {
        done = done || env.choose(sides) == wanted;
        env.send(next, 0);
    }
};

/// Nodes 0 and 1 throw a ball to and fro for ever. At first, node 0 sends node 2 a letter, and
/// arms a timer; what becomes of it is up to its habit.
enum class habit : std::uint8_t { none, arms_again, disarms_now_and_then };
struct juggler {
    struct ball {};
    struct letter {};
    struct alarm {};
    using message = std::variant<ball, letter>;
    using timer = alarm;
    using outcome = nothing;

    habit has = habit::none;
    bool has_letter = false;
    bool has_slept = false;
    bool even = false;

    void start(auto& env) {
        env.send(port{0}, ball{});
        env.send(port{1}, letter{});
        env.arm(alarm{}, 1);
    }
    void on(ball, port from, auto& env) {
        env.send(from, ball{});
        even = has == habit::disarms_now_and_then && !even;
        if (from != port{0} || has_slept) return;   // only node 0 hears from its port 0
        if (has == habit::arms_again) env.arm(alarm{}, 1);
        if (has == habit::disarms_now_and_then && even) env.disarm(alarm{});
        if (has == habit::disarms_now_and_then && !even) env.arm(alarm{}, 1);
    }
    void on(letter, port, auto&) { has_letter = true; }
    void on(alarm, auto&) { has_slept = true; }
};
verdict juggle(habit h, timers when, auto predicate) {
    return explore(complete{3}, [h](node) { return juggler{h}; },
                   {.initiators = {0}, .properties = {finally(predicate)}, .timers = when});
}
const auto letter_arrived = [](const auto& g) { return g[2].has_letter; };
const auto alarm_rang = [](const auto& g) { return g[0].has_slept; };
const auto ball_rests = [](const auto& g) { return g.in_flight() == 0; };

/// Two timers; remembers which was first.
struct sleeper {
    struct early {};
    struct late {};
    using message = nothing;
    using timer = std::variant<early, late>;
    using outcome = nothing;

    ticks delay_of_late = 2;
    int first = 0;
    bool done = false;

    void start(auto& env) {
        env.arm(early{}, 1);
        env.arm(late{}, delay_of_late);
    }
    void on(early, auto&) { ring(1); }
    void on(late, auto&) { ring(2); }
    void ring(int which) {
        done = first != 0;
        first = first == 0 ? which : first;
    }
};
verdict first_ring(int which, ticks delay_of_late, timers when) {
    const auto p = [which](const global_state<sleeper>& g) { return g[0].first == which; };
    return explore(ring{1}, [&](node) { return sleeper{delay_of_late}; },
                   {.properties = {sometimes(p), finally(all_done{})}, .timers = when});
}

/// Does nothing at all.
struct idler {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
    int self = 0;
    void start(auto&) {}
    int id() const { return self; }
    bool is_leader() const { return false; }
    std::optional<int> leader() const { return std::nullopt; }
};

}  // namespace

TEST_CASE("explore: a coin that is tossed for ever shows every side") {
    for (const std::size_t n : {1u, 2u, 3u}) {
        const auto v = explore(ring{n}, [](node) { return gambler{3, 2}; },
                               {.initiators = {0}, .properties = {finally(all_done{})}});
        CHECK(v.verified());
        CHECK(v.messages.most == never);
    }
}

TEST_CASE("explore: a coin that cannot show what is wanted is no help") {
    const auto v = explore(ring{1}, [](node) { return gambler{2, 2}; },
                           {.properties = {finally(all_done{})}});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.loop_from == 0);
    CHECK(v.counterexample.size() == 1);
    CHECK(v.counterexample.how == "can be avoided for ever");
    CHECK(v.messages.most == never);
}

TEST_CASE("explore: a message is not ignored for ever, what goes on elsewhere does not matter") {
    for (const timers when : {timers::any_time, timers::after_messages})
        CHECK(juggle(habit::none, when, letter_arrived).verified());
    const auto v = juggle(habit::none, timers::after_messages, ball_rests);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.loop_from.has_value());
    CHECK(v.counterexample.size() - *v.counterexample.loop_from == 2);   // to and fro
}

TEST_CASE("explore: an armed timer is not ignored for ever, unless it waits for messages to end") {
    CHECK(juggle(habit::none, timers::any_time, alarm_rang).verified());
    CHECK(juggle(habit::arms_again, timers::any_time, alarm_rang).verified());
    CHECK_FALSE(juggle(habit::disarms_now_and_then, timers::any_time, alarm_rang).holds);
    const auto v = juggle(habit::none, timers::after_messages, alarm_rang);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.loop_from.has_value());
}

TEST_CASE("explore: timers run out in order of their delays, in either order if equal") {
    CHECK(first_ring(1, 2, timers::after_messages).verified());
    CHECK_FALSE(first_ring(2, 2, timers::after_messages).holds);
    CHECK(first_ring(1, 1, timers::after_messages).verified());
    CHECK(first_ring(2, 1, timers::after_messages).verified());
    CHECK(first_ring(1, 2, timers::any_time).verified());
    CHECK(first_ring(2, 2, timers::any_time).verified());
}

TEST_CASE("explore: an algorithm that does nothing is safe, and does not pass") {
    const auto make = [](node v) { return idler{static_cast<int>(v.index)}; };
    CHECK(explore(ring{3}, make, {.properties = {always(at_most_one_leader)}}).verified());
    const auto v = explore(ring{3}, make, {.properties = {always(at_most_one_leader),
                                                          sometimes(someone_leads)}});
    CHECK_FALSE(v.holds);
    CHECK(v.complete);
    CHECK(v.counterexample.property == "someone_leads");
    CHECK(v.counterexample.how == "is never true");
}

TEST_CASE("explore: whoever may start whenever it likes may also never start") {
    const auto make = [](node v) { return chang_roberts{static_cast<int>(v.index)}; };
    const auto by = [&](initiators who) {
        return explore(ring{3}, make, {.initiators = who,
                                       .properties = {always(at_most_one_leader),
                                                      finally(all_agree)},
                                       .starting = starting::any_time});
    };
    CHECK(by(any_subset).verified());
    const auto v = by(spontaneous);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 0);   // nobody starts
}
