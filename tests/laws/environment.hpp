// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

/// The laws of the environment concepts, one suite each. A harness puts a probe, a process of the
/// suite's own, where it has three neighbours, starts it, and plays on until nothing happens:
///     harness.play(probe, neighbour) -> played<P>
/// and, where nodes crash, kills the probe then and lets `next_life` recover:
///     harness.play_twice(probe, neighbour, next_life) -> played<P>
namespace laws {

template <class P>
struct played {
    P process;   // the probe, at the end
    std::vector<std::pair<std::size_t, typename P::message>> sent{};          // by the probe
    std::vector<std::pair<caucus::ticks, typename P::outcome>> reported{};    // after its start
};

inline constexpr std::size_t neighbours = 3;

/// Everything that the laws do not speak of.
struct probe_base {
    using message = int;
    using timer = caucus::nothing;
    using outcome = int;
    void start(auto&) {}
    void on(int, caucus::port, auto&) {}
};

struct channel_probe : probe_base {
    bool probing = true;
    bool busy = false;
    bool interrupted = false;
    int heard = 0;
    std::vector<std::size_t> degrees{};

    void start(caucus::channel<int> auto& env) {
        busy = true;
        degrees.push_back(env.degree());
        for (const caucus::port p : caucus::ports(env.degree()))
            env.send(p, static_cast<int>(p.index()));
        env.broadcast(100);
        env.send(caucus::port{1}, 101);
        degrees.push_back(env.degree());
        busy = false;
    }
    void on(int m, caucus::port from, caucus::channel<int> auto& env) {
        interrupted = interrupted || busy;
        ++heard;
        degrees.push_back(env.degree());
        if (!probing) env.send(from, m);   // neighbours send everything back
    }
};

/// degree is constant; ports 0 … degree-1 can be sent on; broadcast is degree sends; effects keep
/// their order; no handler runs inside another.
void channel_laws(auto harness) {
    channel_probe neighbour;
    neighbour.probing = false;
    const auto seen = harness.play(channel_probe{}, neighbour);
    const std::vector<std::pair<std::size_t, int>> sent{{0, 0},   {1, 1},   {2, 2},  {0, 100},
                                                        {1, 100}, {2, 100}, {1, 101}};
    CHECK(seen.sent == sent);
    CHECK(seen.process.heard == 7);   // what was sent arrived, and came back
    CHECK_FALSE(seen.process.interrupted);
    for (const std::size_t degree : seen.process.degrees) CHECK(degree == neighbours);
}

struct clock_probe : probe_base {
    struct alarm { int number; };
    using timer = alarm;
    static constexpr std::size_t timers(std::size_t) { return 8; }

    void start(caucus::clock<alarm> auto& env) {
        env.arm(alarm{1}, 5);
        env.arm(alarm{2}, 3);
        env.arm(alarm{3}, 4);
        env.disarm(alarm{3});     // never fires
        env.arm(alarm{1}, 7);     // later instead
        env.arm(alarm{4}, 9);
        env.arm(alarm{4}, 2);     // sooner instead
        env.disarm(alarm{9});     // is not armed: no error
        env.arm(alarm{5}, 0);     // at least one tick
    }
    void on(alarm a, caucus::clock<alarm> auto& env) {
        env.report(a.number);
        if (a.number == 5) env.arm(alarm{8}, 2);                     // together with 2, after it
        if (a.number == 2) env.arm(alarm{6}, 4), env.arm(alarm{7}, 9);   // 6 together with 1
        if (a.number == 1) env.disarm(alarm{6});                     // due, and yet disarmed
        if (a.number == 7 && !std::exchange(again, true)) env.arm(alarm{7}, 3);   // once more
    }
    using probe_base::on;
    bool again = false;
};

/// A timer fires once, after its delay; re-arming replaces; a disarmed timer does not fire;
/// disarming an idle one is no error; what is due together fires in order of value.
void clock_laws(auto harness) {
    const auto seen = harness.play(clock_probe{}, clock_probe{});
    const std::vector<std::pair<caucus::ticks, int>> fired{{1, 5}, {2, 4},  {3, 2}, {3, 8},
                                                           {7, 1}, {12, 7}, {15, 7}};
    CHECK(seen.reported == fired);
}

struct timepiece_probe : probe_base {
    static constexpr bool reads_clock = true;
    struct alarm {};
    using timer = alarm;
    using outcome = caucus::ticks;
    bool steady = true;
    int alarms = 0;

    void look(auto& env) {
        const caucus::ticks first = env.now();
        env.broadcast(1);
        steady = steady && env.now() == first;
        env.report(first);
        steady = steady && env.now() == first;
    }
    void start(caucus::timepiece auto& env) {
        look(env);
        env.arm(alarm{}, 4);
    }
    void on(alarm, caucus::timepiece auto& env) {
        look(env);
        if (++alarms < 5) env.arm(alarm{}, 4);
    }
    using probe_base::on;
};

/// Never runs backwards; constant while a handler runs; counts the ticks that pass.
void timepiece_laws(auto harness) {
    const auto seen = harness.play(timepiece_probe{}, timepiece_probe{});
    CHECK(seen.process.steady);
    REQUIRE(seen.reported.size() == 6);
    for (std::size_t i = 1; i < seen.reported.size(); ++i) {
        const caucus::ticks passed = seen.reported[i].second - seen.reported[i - 1].second;
        CHECK(seen.reported[i].second >= seen.reported[i - 1].second);
        CHECK(passed >= 4);
        if (harness.keeps_time) CHECK(passed == 4);
    }
}

struct chance_probe : probe_base {
    static constexpr bool tosses_coins = true;
    static constexpr std::size_t faces_most = 7;
    static constexpr std::size_t draws = 1000;   // for each face
    std::size_t too_large = 0;
    std::vector<std::vector<std::size_t>> counts{};

    void start(caucus::chance auto& env) {
        for (std::size_t k = 1; k <= faces_most; ++k) {
            counts.emplace_back(k);
            for (std::size_t i = 0; i < k * draws; ++i) {
                const std::size_t drawn = env.choose(k);
                if (drawn < k) ++counts.back()[drawn];
                else ++too_large;
            }
        }
    }
};

/// The result is below k, choose(1) is 0, and where the dice are fair, no face is favoured.
void chance_laws(auto harness) {
    const auto seen = harness.play(chance_probe{}, chance_probe{});
    CHECK(seen.process.too_large == 0);
    REQUIRE(seen.process.counts.size() == chance_probe::faces_most);
    CHECK(seen.process.counts[0][0] == chance_probe::draws);
    for (const auto& faces : seen.process.counts)
        for (const std::size_t count : faces)
            if (harness.fair_dice) CHECK((count > 840 && count < 1160));   // five deviations
}

struct listener_probe : probe_base {
    bool talkative = true;
    std::vector<std::size_t> senses{};

    void say(int what, auto& env) {
        if (talkative) env.report(what);
        senses.push_back(env.degree());
    }
    void start(caucus::listener<int> auto& env) {
        say(3, env);
        env.send(caucus::port{0}, 7);
        say(1, env);
        say(1, env);
        env.broadcast(8);
        say(2, env);
    }
    void on(int, caucus::port, auto&) {}
};

/// Outcomes are heard in the order of reports; whoever reports sees and does the same as whoever
/// does not.
void listener_laws(auto harness) {
    listener_probe silent;
    silent.talkative = false;
    const auto heard = harness.play(listener_probe{}, silent);
    const auto unheard = harness.play(silent, silent);
    const std::vector<std::pair<caucus::ticks, int>> said{{0, 3}, {0, 1}, {0, 1}, {0, 2}};
    CHECK(heard.reported == said);
    CHECK(unheard.reported.empty());
    CHECK(heard.sent == unheard.sent);
    CHECK(heard.process.senses == unheard.process.senses);
}

struct memory_probe : probe_base {
    using kept = int;
    int keeps = 0;                                       // how many values, before the crash
    std::optional<caucus::recovered<int>> recovery{};
    bool started = false;

    void start(caucus::memory<int> auto& env) {
        started = true;
        for (int i = 1; i <= keeps; ++i) {
            env.keep(10 * i);
            env.broadcast(i);
        }
    }
    void on(const caucus::recovered<int>& r, auto&) { recovery = r; }
    using probe_base::on;
};

/// The last value kept before a crash is the one recovered; the next life is a new one.
void memory_laws(auto harness) {
    for (const int keeps : {0, 1, 3}) {
        memory_probe first;
        first.keeps = keeps;
        const auto seen = harness.play_twice(first, memory_probe{}, memory_probe{});
        CAPTURE(keeps);
        CHECK(seen.sent.size() == static_cast<std::size_t>(keeps) * neighbours);
        CHECK_FALSE(seen.process.started);
        REQUIRE(seen.process.recovery);
        CHECK(seen.process.recovery->incarnation == caucus::incarnation{1});
        CHECK(seen.process.recovery->last ==
              (keeps == 0 ? std::nullopt : std::optional<int>{10 * keeps}));
    }
}

}  // namespace laws
