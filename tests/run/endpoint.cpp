// SPDX-License-Identifier: MIT
#define CAUCUS_ASSERT(condition) ((condition) ? void() : throw #condition)
#include <caucus/run/endpoint.hpp>

#include <doctest/doctest.h>

#include "../laws/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;
using laws::refusal;

namespace {

struct ask { int question; };

/// Writes down every input with its time; its timers do what `arms` says when started.
struct witness {
    struct word { int number; };
    struct alarm { int number; };
    struct seen { char what; int number; ticks at; };
    using message = word;
    using timer = alarm;
    using outcome = seen;
    using kept = int;
    static constexpr bool tosses_coins = true;
    static constexpr std::size_t timers(std::size_t) { return 4; }
    using storage_type = inplace_storage<4>;

    void start(auto& env) {
        for (const auto& [number, delay] : arms) env.arm(alarm{number}, delay);
        env.report(seen{'s', static_cast<int>(env.choose(3)), env.now()});
    }
    void on(word m, port from, auto& env) {
        env.report(seen{'w', m.number * 10 + static_cast<int>(from.index()), env.now()});
        if (m.number == 1) env.broadcast(word{2});
        if (m.number == 3) env.keep(33);
        if (m.number == 4) env.disarm(alarm{4});
        if (m.number == 5) env.send(next, word{6});
    }
    void on(alarm t, auto& env) {
        env.report(seen{'a', t.number, env.now()});
        if (t.number == 7) env.arm(t, 0);
        if (t.number == 8) env.disarm(alarm{9});
    }
    void on(suspect s, auto& env) {
        env.report(seen{'-', static_cast<int>(s.whom.index()), env.now()});
    }
    void on(trust t, auto& env) {
        env.report(seen{'+', static_cast<int>(t.whom.index()), env.now()});
    }
    int on(ask a, auto& env) {
        env.report(seen{'?', a.question, env.now()});
        return a.question + 1;
    }
    void on(const recovered<int>& r, auto& env) {
        env.report(seen{'r', r.last.value_or(-1), env.now()});
    }

    std::vector<std::pair<int, ticks>> arms = {};
};

struct plain_channel {
    static constexpr std::size_t degree() { return 2; }
    void send(port p, witness::word m) { sent.emplace_back(p.index(), m.number); }
    std::vector<std::pair<std::size_t, int>> sent = {};
};
struct radio : plain_channel {
    void broadcast(witness::word m) { sent.emplace_back(99, m.number); }
};
struct counting_clock {
    ticks now() { ++asked; return time; }
    ticks time = 0;
    int asked = 0;
};
struct ear {
    void report(const witness::seen& s) { heard.emplace_back(s.what, s.number, s.at); }
    std::vector<std::tuple<char, int, ticks>> heard = {};
};
struct dice {
    std::size_t choose(std::size_t k) { return k - 1; }
};
struct drawer {
    void keep(int value) { kept = value; }
    int kept = 0;
};

using heard = std::vector<std::tuple<char, int, ticks>>;

/// An endpoint with all its parts.
template <class Channel = plain_channel>
struct desk {
    explicit desk(std::vector<std::pair<int, ticks>> arms = {}) : self(make(std::move(arms))) {}
    auto make(std::vector<std::pair<int, ticks>> arms) {
        return endpoint{witness{std::move(arms)}, channel, clock, listener, memory, chance};
    }
    heard news() { return std::exchange(listener.heard, {}); }

    Channel channel = {};
    counting_clock clock = {};
    ear listener = {};
    drawer memory = {};
    dice chance = {};
    endpoint<witness, Channel, counting_clock, ear, drawer, dice> self;
};

}  // namespace

TEST_CASE("endpoint: every entry point asks the clock once, and not at all when told the time") {
    desk<> d;
    const recovered<int> life{{1}, 5};
    const auto asked = [&](auto enter) {
        const int before = d.clock.asked;
        enter();
        return d.clock.asked - before;
    };
    d.clock.time = 10;
    CHECK(asked([&] { d.self.start(); }) == 1);
    CHECK(asked([&] { d.self.receive(next, {0}); }) == 1);
    CHECK(asked([&] { d.self.advance(); }) == 1);
    CHECK(asked([&] { d.self.suspect(next); }) == 1);
    CHECK(asked([&] { d.self.trust(prev); }) == 1);
    CHECK(asked([&] { d.self.recover(life); }) == 1);
    CHECK(asked([&] { CHECK(d.self.call(ask{4}) == 5); }) == 1);
    CHECK(d.news() == heard{{'s', 2, 10}, {'w', 0, 10}, {'-', 0, 10}, {'+', 1, 10}, {'r', 5, 10},
                            {'?', 4, 10}});
    CHECK(asked([&] {
        d.self.start(11);
        d.self.receive(prev, {0}, 12);
        d.self.advance(13);
        d.self.suspect(prev, 14);
        d.self.trust(next, 15);
        d.self.recover({{2}, std::nullopt}, 16);
        CHECK(d.self.call(ask{7}, 17) == 8);
        static_cast<void>(d.self.next_deadline());
    }) == 0);
    CHECK(d.news() == heard{{'s', 2, 11}, {'w', 1, 12}, {'-', 1, 14}, {'+', 0, 15}, {'r', -1, 16},
                            {'?', 7, 17}});
}

TEST_CASE("endpoint: chance and memory are found among the rest, in any order") {
    desk<> d;
    d.self.receive(next, {3}, 1);
    CHECK(d.memory.kept == 33);
    d.self.start(1);
    CHECK(d.news().back() == std::tuple{'s', 2, ticks{1}});
}

TEST_CASE("endpoint: early calls do nothing, timers fire in order of time, then value") {
    desk<> d{{{3, 30}, {2, 20}, {1, 30}, {4, 40}}};
    d.self.start(100);
    d.news();
    CHECK(d.self.next_deadline() == 120);
    d.self.advance(100);
    d.self.advance(119);
    CHECK(d.news().empty());
    d.self.advance(120);
    CHECK(d.news() == heard{{'a', 2, 120}});
    CHECK(d.self.next_deadline() == 130);
    d.self.advance(1000);                  // late: all that is due, once
    CHECK(d.news() == heard{{'a', 1, 1000}, {'a', 3, 1000}, {'a', 4, 1000}});
    CHECK_FALSE(d.self.next_deadline().has_value());
    d.self.advance(2000);
    CHECK(d.news().empty());
}

TEST_CASE("endpoint: arming again replaces, disarming silences") {
    desk<> d{{{4, 50}, {5, 9}, {5, 11}, {4, 10}}};
    d.self.start(0);
    CHECK(d.self.next_deadline() == 10);
    d.self.receive(next, {4}, 5);          // disarms 4
    CHECK(d.self.next_deadline() == 11);
    d.news();
    d.self.advance(60);
    CHECK(d.news() == heard{{'a', 5, 60}});
}

TEST_CASE("endpoint: a timer disarmed by an earlier one of the same call does not fire") {
    desk<> d{{{9, 10}, {8, 10}}};
    d.self.start(0);
    d.news();
    d.self.advance(50);
    CHECK(d.news() == heard{{'a', 8, 50}});
}

TEST_CASE("endpoint: a timer that arms itself again keeps neither us nor others waiting") {
    desk<> d{{{7, 0}, {9, 5}}};
    d.self.start(0);
    d.news();
    d.self.advance(5);
    CHECK(d.news() == heard{{'a', 7, 5}, {'a', 9, 5}});
    CHECK(d.self.next_deadline() == 6);    // at least one tick from now
    d.self.advance(never);                 // even where there is no later tick
    CHECK(d.news() == heard{{'a', 7, never}});
}

TEST_CASE("endpoint: time never runs backwards") {
    desk<> d{{{1, 10}}};
    d.self.receive(next, {0}, 100);
    d.self.start(90);
    CHECK(d.news() == heard{{'w', 0, 100}, {'s', 2, 100}});
    CHECK(d.self.next_deadline() == 110);
    d.self.advance(50);
    CHECK(d.news().empty());
}

TEST_CASE("endpoint: a message or word by a port that is not there changes nothing") {
    desk<> d;
    CHECK_FALSE(d.self.receive(port{2}, {1}, 7));
    d.self.suspect(port{2}, 7);
    d.self.trust(port{2}, 7);
    CHECK(d.news().empty());
    CHECK(d.channel.sent.empty());
    CHECK(d.self.receive(prev, {0}, 3));   // nor has time passed
    CHECK(d.news() == heard{{'w', 1, 3}});
}

TEST_CASE("endpoint: a broadcast goes by the channel's own, or to every port") {
    desk<> wired;
    wired.self.receive(next, {1}, 1);
    CHECK(wired.channel.sent == std::vector<std::pair<std::size_t, int>>{{0, 2}, {1, 2}});
    desk<radio> wireless;
    wireless.self.receive(next, {1}, 1);
    wireless.self.receive(next, {5}, 1);
    CHECK(wireless.channel.sent == std::vector<std::pair<std::size_t, int>>{{99, 2}, {0, 6}});
}

TEST_CASE("endpoint: any listener with a call operator will do") {
    plain_channel channel;
    counting_clock clock;
    drawer memory;
    dice chance;
    int outcomes = 0;
    auto listener = [&](const witness::seen&) { ++outcomes; };
    endpoint self{witness{}, channel, clock, listener, chance, memory};
    self.start();
    CHECK(outcomes == 1);
    CHECK(self.process().arms.empty());
}

TEST_CASE("endpoint: more timers than the process said are refused, re-arming never is") {
    desk<> full{{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {1, 5}}};
    CHECK(refusal([&] { full.self.start(0); }) == "not refused");
    desk<> over{{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}};
    CHECK(refusal([&] { over.self.start(0); }) ==
          "endpoint: more than 4 timers armed; see the process's timers()");
    desk<> never_due{{{1, never}}};
    never_due.self.start(5);
    never_due.self.advance(never - 1);
    CHECK(never_due.news().size() == 1);
}

namespace {

/// Hands what is sent straight back to its own endpoint: forbidden.
struct echoing_channel {
    static constexpr std::size_t degree() { return 1; }
    void send(port, witness::word);
    endpoint<witness, echoing_channel, counting_clock, ear, drawer, dice>* self = nullptr;
};
void echoing_channel::send(port, witness::word m) { self->receive(next, m, 0); }

}  // namespace

TEST_CASE("endpoint: a channel that calls back during a handler is refused, by name") {
    echoing_channel channel;
    counting_clock clock;
    ear listener;
    drawer memory;
    dice chance;
    endpoint self{witness{}, channel, clock, listener, memory, chance};
    channel.self = &self;
    CHECK(self.receive(next, {0}, 1));
    CHECK(refusal([&] { self.receive(next, {5}, 2); }) ==
          "endpoint: called back by its own channel, listener or memory; "
          "note it down and call when this call has returned");
    CHECK(self.receive(next, {0}, 3));     // and the endpoint is not left busy
}

TEST_CASE("endpoint: a listener that calls back is refused whatever it calls, and loses no timer") {
    using self_type = endpoint<witness, plain_channel, counting_clock,
                               std::function<void(const witness::seen&)>, drawer, dice>;
    plain_channel channel;
    counting_clock clock;
    drawer memory;
    dice chance;
    self_type* self = nullptr;
    std::function<void()> wish;
    std::size_t refused = 0;
    std::function<void(const witness::seen&)> listener = [&](const witness::seen& s) {
        if (s.what != 'w') return;
        try {
            wish();
        } catch (const error&) {
            ++refused;
        }
    };
    self_type it{witness{{{1, 5}}}, channel, clock, listener, memory, chance};
    self = &it;
    it.begin({});
    const std::function<void()> wishes[] = {
        [&] { self->start(10); }, [&] { self->call(ask{1}, 10); }, [&] { self->advance(10); },
        [&] { self->receive(next, {0}, 10); }, [&] { self->suspect(next, 10); },
        [&] { self->trust(next, 10); }, [&] { self->recover({{1}, 5}, 10); },
        [&] { self->begin({1}, 5, 10); }};
    for (const auto& each : wishes) {
        wish = each;
        it.receive(next, {0}, 1);
    }
    CHECK(refused == std::size(wishes));
    CHECK(it.next_deadline() == 5);
}

TEST_CASE("endpoint: begin starts the first life, and tells later ones which they are") {
    desk<> first;
    first.clock.time = 3;
    first.self.begin({});
    CHECK(first.news() == heard{{'s', 2, 3}});
    desk<> again;
    again.self.begin({}, std::nullopt, 4);
    CHECK(again.news() == heard{{'s', 2, 4}});
    desk<> later;
    later.self.begin({1}, 33);
    CHECK(later.news() == heard{{'r', 33, 0}});
    desk<> last;
    last.self.begin({2}, std::nullopt, 7);   // died before anything was kept
    CHECK(last.news() == heard{{'r', -1, 7}});
}

TEST_CASE("endpoint: begin refuses a later life without what was kept, and a first one with it") {
    desk<> d;
    CHECK(refusal([&] { d.self.begin({3}); }) ==
          "endpoint: the process keeps something: in life 3 begin(life, kept) must say what, "
          "or std::nullopt if that was nothing yet");
    CHECK(refusal([&] { d.self.begin({0}, 33); }) ==
          "endpoint: something was kept, and yet this is said to be the first life");
    CHECK(d.news().empty());
    d.self.begin({3}, 33);
    CHECK(refusal([&] { d.self.begin({4}, 33); }) ==
          "endpoint: begin is a life's first call, before any message or start");
    CHECK(d.news() == heard{{'r', 33, 0}});
}

TEST_CASE("endpoint: begin after anything else is refused: that was taken for another life's") {
    const auto late = [](auto first) {
        desk<> d;
        first(d.self);
        return refusal([&] { d.self.begin({1}, 33); });
    };
    const std::string first_call =
        "endpoint: begin is a life's first call, before any message or start";
    CHECK(late([](auto& self) { self.receive(next, {0}, 1); }) == first_call);
    CHECK(late([](auto& self) { self.start(1); }) == first_call);
    CHECK(late([](auto& self) { self.recover({{1}, 5}, 1); }) == first_call);
    CHECK(late([](auto& self) { self.advance(1); }) == "not refused");   // nothing was due
}

namespace {

/// Has no ear for `recovered`, and says how often it was started.
struct forgetful {
    using message = nothing;
    using timer = nothing;
    using outcome = int;
    void start(auto& env) { env.report(++starts); }
    int starts = 0;
};

}  // namespace

TEST_CASE("endpoint: a process that keeps nothing and has no ear for its lives starts in each") {
    plain_channel channel;
    counting_clock clock;
    for (const std::uint32_t life : {0u, 1u, 2u}) {
        std::vector<int> told;
        const auto listener = [&](int n) { told.push_back(n); };
        endpoint self{forgetful{}, channel, clock, listener};
        if (life == 1) self.begin({life}, 9);
        else self.begin({life});
        CHECK(told == std::vector{1});
    }
}

namespace {

/// As many alarms as it was made with: only the instance knows how many timers it needs.
struct clockmaker {
    struct alarm { std::size_t number; };
    using message = nothing;
    using timer = alarm;
    using outcome = std::size_t;
    constexpr std::size_t timers(std::size_t degree) const { return clocks + degree; }

    void start(auto& env) {
        for (std::size_t i = 0; i < armed; ++i) env.arm(alarm{i}, 1000 - i);
    }
    void on(alarm a, auto& env) { env.report(a.number); }

    std::size_t clocks = 0;
    std::size_t armed = 0;
};
struct silent_channel {
    static constexpr std::size_t degree() { return 2; }
};

}  // namespace

TEST_CASE("endpoint: how many timers there are may be known to the instance only") {
    silent_channel channel;
    counting_clock clock;
    std::vector<std::size_t> order;
    auto listener = [&](std::size_t number) { order.push_back(number); };
    endpoint self{clockmaker{98, 100}, channel, clock, listener};
    self.start(0);
    CHECK(self.next_deadline() == 901);
    self.advance(1000);
    REQUIRE(order.size() == 100);
    for (std::size_t i = 0; i < 100; ++i) CHECK(order[i] == 99 - i);
    endpoint more{clockmaker{97, 100}, channel, clock, listener};
    CHECK(refusal([&] { more.start(0); }) ==
          "endpoint: more than 99 timers armed; see the process's timers()");
}
