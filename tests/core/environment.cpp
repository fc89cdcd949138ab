// SPDX-License-Identifier: MIT
#include <caucus/core/environment.hpp>

#include <doctest/doctest.h>

#include <caucus/run/endpoint.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/star.hpp>

#include <archetypes.hpp>
#include <laws/environment.hpp>

using caucus::node;
using caucus::nothing;
using caucus::port;
using caucus::ticks;
using laws::played;

namespace {

/// Writes down what the hub of a star sends.
template <class P>
struct watcher : caucus::observer {
    std::vector<std::pair<std::size_t, typename P::message>> sent_by_hub{};
    void sent(ticks, node v, port p, const auto& m) {
        if (v == node{0}) sent_by_hub.push_back({p.index(), m});
    }
};

template <class P>
played<P> seen_at_hub(auto& sim) {
    played<P> all{sim[0], sim.watcher().sent_by_hub};
    for (const auto& each : sim.outcomes())
        if (each.node == node{0}) all.reported.push_back({each.at, each.outcome});
    return all;
}

struct in_rounds {
    static constexpr bool keeps_time = true;
    static constexpr bool fair_dice = true;
    template <class P>
    played<P> play(P probe, P neighbour) const {
        const auto make = [&](node v) { return v == node{0} ? probe : neighbour; };
        caucus::rounds sim{caucus::star{laws::neighbours + 1}, make, {}, watcher<P>{}};
        sim.start(0);
        sim.run({.max_rounds = 1000});
        return seen_at_hub<P>(sim);
    }
};

struct in_events {
    static constexpr bool keeps_time = true;
    static constexpr bool fair_dice = true;
    caucus::delay_model delay = caucus::uniform{1, 10};
    bool fifo = true;

    template <class P>
    played<P> play(P probe, P neighbour) const {
        const auto make = [&](node v) { return v == node{0} ? probe : neighbour; };
        caucus::events sim{caucus::star{laws::neighbours + 1}, make,
                           {.delay = delay, .fifo = fifo}, watcher<P>{}};
        sim.start(0);
        sim.run({.max_rounds = 1000});
        return seen_at_hub<P>(sim);
    }
    template <class P>
    played<P> play_twice(P probe, P neighbour, P next_life) const {
        bool crashed = false;
        const auto make = [&](node v) {
            return v != node{0} ? neighbour : crashed ? next_life : probe;
        };
        caucus::events sim{caucus::star{laws::neighbours + 1}, make,
                           {.delay = delay, .fifo = fifo}, watcher<P>{}};
        sim.start(0);
        sim.run();
        crashed = true;
        sim.crash(0);
        sim.restart(0);
        sim.run();
        return seen_at_hub<P>(sim);
    }
};

template <class Message, bool Broadcasts>
struct medium {
    static constexpr caucus::guarantee guarantees = caucus::perfect_links;
    std::vector<std::pair<std::size_t, Message>> sent{};
    std::size_t degree() const { return laws::neighbours; }
    void send(port p, const Message& m) { sent.push_back({p.index(), m}); }
    void broadcast(const Message& m) requires Broadcasts {
        for (const port p : caucus::ports(degree())) sent.push_back({p.index(), m});
    }
};
struct honest_dice {
    caucus::random_source bits{5};
    std::size_t choose(std::size_t k) { return static_cast<std::size_t>(bits.below(k)); }
};
/// Jumps to and fro about the right time, every time somebody looks.
struct erratic_watch : archetype::watch {
    mutable ticks looks = 0;
    ticks now() const { return time + 50 + 5 * (++looks % 2); }
};

template <class Watch = archetype::watch, class Dice = honest_dice, bool Broadcasts = false>
struct in_endpoint {
    static constexpr bool keeps_time = std::is_same_v<Watch, archetype::watch>;
    static constexpr bool fair_dice = std::is_same_v<Dice, honest_dice>;

    /// Everything outside the endpoint: the parts, and a loop that looks at the clock every tick.
    template <class P>
    struct surroundings {
        medium<typename P::message, Broadcasts> channel{};
        Watch watch{};
        Dice dice{};
        archetype::memory<caucus::kept_by<P>> memory{};
        std::vector<std::pair<ticks, typename P::outcome>> reported{};

        P live(P process, std::optional<caucus::incarnation> life) {
            const auto listener = [&](const typename P::outcome& o) {
                reported.push_back({watch.time, o});
            };
            caucus::endpoint self{process, channel, watch, listener, dice, memory};
            std::size_t answered = channel.sent.size();
            if (life) self.recover({*life, memory.last});
            else self.start();
            for (int tick = 0; tick < 200; ++tick, ++watch.time) {
                self.advance();
                for (; answered != channel.sent.size(); ++answered) {
                    const auto [p, m] = channel.sent[answered];
                    self.receive(port{p}, m);
                }
            }
            return self.process();
        }
    };

    template <class P>
    played<P> play(P probe, P) const {
        surroundings<P> around;
        P last = around.live(probe, std::nullopt);
        return {last, around.channel.sent, around.reported};
    }
    template <class P>
    played<P> play_twice(P probe, P, P next_life) const {
        surroundings<P> around;
        around.live(probe, std::nullopt);
        P last = around.live(next_life, caucus::incarnation{1});
        return {last, around.channel.sent, around.reported};
    }
};
using loaded = in_endpoint<archetype::watch, archetype::loaded_dice>;

void all_laws(auto harness) {
    laws::channel_laws(harness);
    laws::clock_laws(harness);
    laws::timepiece_laws(harness);
    laws::chance_laws(harness);
    laws::listener_laws(harness);
    laws::memory_laws(harness);
}

}  // namespace

// Shape: each concept by the type that just has it, and one that just has not.
using sends = archetype::channel<int>;
struct arms { void arm(int, ticks) {} void disarm(int) {} };
struct only_arms { void arm(int, ticks) {} };
struct only_sends { std::size_t degree() const { return 0; } void send(port, int) {} };
static_assert(caucus::channel<sends, int> && !caucus::channel<only_sends, int>);
static_assert(caucus::channel<only_sends, nothing> && !caucus::channel<arms, nothing>);
static_assert(caucus::clock<arms, int> && !caucus::clock<only_arms, int>);
static_assert(caucus::clock<only_arms, nothing>);
static_assert(caucus::timepiece<archetype::watch> && !caucus::timepiece<sends>);
static_assert(caucus::chance<archetype::loaded_dice> && !caucus::chance<sends>);
static_assert(caucus::listener<archetype::listener<int>, int> && !caucus::listener<sends, int>);
static_assert(caucus::listener<sends, nothing> && caucus::memory<sends, nothing>);
static_assert(caucus::memory<archetype::memory<int>, int> && !caucus::memory<sends, int>);

template <class P>
using least = archetype::environment<P>;
static_assert(caucus::environment_for<least<laws::channel_probe>, laws::channel_probe>);
static_assert(!caucus::environment_for<least<laws::channel_probe>, laws::clock_probe>);
static_assert(caucus::environment_for<least<laws::clock_probe>, laws::clock_probe>);
static_assert(!caucus::environment_for<least<laws::chance_probe>, laws::chance_probe>);
static_assert(!caucus::environment_for<least<laws::timepiece_probe>, laws::timepiece_probe>);
static_assert(!caucus::environment_for<least<laws::memory_probe>, laws::memory_probe>);
static_assert(!caucus::environment_for<archetype::channel<int>, laws::listener_probe>);
struct declines { static constexpr bool perpetual = false, tosses_coins = false; };
struct accepts { static constexpr bool perpetual = true; };
static_assert(caucus::perpetual<accepts> && !caucus::perpetual<declines>);
static_assert(!caucus::tosses_coins<declines> && caucus::tosses_coins<laws::chance_probe>);
static_assert(caucus::reads_clock<laws::timepiece_probe> && !caucus::reads_clock<declines>);

TEST_CASE("environment: all the laws hold in rounds") {
    laws::channel_laws(in_rounds{});
    laws::clock_laws(in_rounds{});
    laws::timepiece_laws(in_rounds{});
    laws::chance_laws(in_rounds{});
    laws::listener_laws(in_rounds{});
    CHECK(in_rounds{}.play(laws::memory_probe{{}, 2}, laws::memory_probe{}).sent.size() == 6);
}

TEST_CASE("environment: all the laws hold in events, whatever the delays, fifo or not") {
    const in_events all[] = {{}, {.delay = caucus::unit{}}, {.fifo = false},
                             {.delay = caucus::exponential{5}, .fifo = false}};
    for (const in_events& harness : all) all_laws(harness);
}

TEST_CASE("environment: all the laws hold in an endpoint, on a medium that broadcasts or not") {
    all_laws(in_endpoint<>{});
    all_laws(in_endpoint<archetype::watch, honest_dice, true>{});
    laws::chance_laws(loaded{});
    laws::timepiece_laws(in_endpoint<erratic_watch>{});   // lawful even where the watch is not
}
