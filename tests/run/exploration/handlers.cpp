// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/handlers.hpp>

#include <caucus/election/complete/bully.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

struct dicer {
    struct ball { int colour = 0; };
    struct bell {};
    using message = ball;
    using timer = bell;
    using outcome = ball;
    int sum = 0;

    void start(auto& env) {
        env.arm(bell{}, 4);
        env.broadcast(ball{1});
    }
    void on(ball b, port from, auto& env) {
        sum += b.colour;
        // The second toss is only made where the first fell on its last side.
        if (env.choose(3) == 2) sum += 10 * static_cast<int>(env.choose(2));
        env.send(from, ball{sum});
        env.disarm(bell{});
    }
    void on(bell, auto& env) { env.report(ball{sum}); }
};

/// Writes down what its detector says, in two steps.
struct scribbler {
    using message = int;
    using timer = nothing;
    using outcome = int;
    int written = 0;
    std::uint32_t dead = 9;
    std::uint32_t back = 9;

    void start(auto& env) {
        env.send(port{0}, ++written);
        env.report(++written);
        ++written;
    }
    void on(int, port, auto&) {}
    void on(suspect s, auto&) { dead = s.life.value().number; }
    void on(trust t, auto&) { back = t.life.value().number; }
};

struct undecided {
    struct act { static constexpr bool is_decision = true; };
    struct dusk {};
    using message = nothing;
    using timer = std::variant<act, dusk>;
    using outcome = nothing;
    int none = 0;
    void start(auto& env) {
        env.arm(act{}, 4);
        env.arm(dusk{}, never - 1);
    }
    void on(act, auto&) {}
    void on(dusk, auto&) {}
};

struct fickle {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    int value = 0;
    static inline int calls = 0;
    void start(auto&) { value = ++calls; }
    void on(int, port, auto&) {}
};

}  // namespace

TEST_CASE("handlers: one ending for each way the coins can fall, tosses within tosses included") {
    handlers<dicer> all{[](node) { return dicer{}; }};
    const std::uint32_t fresh = all.made(node{0});
    const std::uint32_t ball = all.values().messages.index_of({5});
    const stimulus in{stimulus::kind::arrival, 1, ball};
    CHECK(all.endings(fresh, 2, in, false) == nullptr);
    const auto* endings = all.endings(fresh, 2, in, true);
    REQUIRE(endings->size() == 4);
    std::set<std::vector<std::uint32_t>> coins;
    for (const ending& e : *endings) {
        coins.insert(e.coins);
        CHECK(e.sends == 1);
        REQUIRE(e.effects.size() == 2);
        CHECK(e.effects[0].port == 1);
        CHECK(e.effects[1].what == effect::kind::disarm);
        CHECK(all.values().messages[e.effects[0].value].colour ==
              all.values().processes[e.process].sum);
    }
    CHECK(coins == std::set<std::vector<std::uint32_t>>{{0}, {1}, {2, 0}, {2, 1}});
    CHECK_FALSE(all.is_nondeterministic());
}

TEST_CASE("handlers: each is run once, and by those that look the same, and never again") {
    handlers<dicer> all{[](node) { return dicer{}; }};
    const std::uint32_t fresh = all.made(node{0});
    const auto* first = all.endings(fresh, 3, {stimulus::kind::start}, true);
    REQUIRE(first->size() == 1);
    CHECK(first->front().effects.size() == 4);   // the timer, and a ball to each of three
    CHECK(first->front().effects[0].delay == 4);
    CHECK(first->front().sends == 3);
    // Its own run, that of another make of it, and that of what it is after a start.
    CHECK(all.runs() == 3);
    CHECK(all.endings(fresh, 3, {stimulus::kind::start}, false) == first);
    CHECK(all.runs() == 3);
    CHECK(all.endings(fresh, 2, {stimulus::kind::start}, true)->front().sends == 2);
}

TEST_CASE("handlers: one that does two things for one input is found out") {
    handlers<fickle> all{[](node) { return fickle{}; }};
    all.endings(all.made(node{0}), 1, {stimulus::kind::start}, true);
    CHECK(all.is_nondeterministic());
}

TEST_CASE("handlers: a detector's word names a life, and each life is another word") {
    handlers<scribbler> all{[](node) { return scribbler{}; }};
    const std::uint32_t fresh = all.made(node{0});
    const auto after = [&](stimulus in) {
        return all.values().processes[all.endings(fresh, 1, in, true)->front().process];
    };
    CHECK(after({stimulus::kind::suspect, 0, 0, 0}).dead == 0);
    CHECK(after({stimulus::kind::suspect, 0, 0, 2}).dead == 2);
    CHECK(after({stimulus::kind::trust, 0, 0, 1}).back == 1);
}

TEST_CASE("handlers: what a process was when it asked for something is noted on request") {
    for (const bool noted : {false, true}) {
        handlers<scribbler> all{[](node) { return scribbler{}; }, noted};
        const std::uint32_t fresh = all.made(node{0});
        const ending e = all.endings(fresh, 1, {stimulus::kind::start}, true)->front();
        REQUIRE(e.effects.size() == 2);
        CHECK(all.values().processes[e.process].written == 3);
        for (const int i : {0, 1}) {
            const std::uint32_t asker = e.effects[static_cast<std::size_t>(i)].asker;
            CHECK((asker != 0) == noted);
            if (noted) CHECK(all.values().processes[asker - 1].written == i + 1);
        }
        CHECK(all.values().processes.size() == (noted ? 4 : 2));
    }
}

TEST_CASE("handlers: a decision may come whenever it likes, and nothing else may") {
    handlers<undecided> all{[](node) { return undecided{}; }};
    CHECK(all.is().decides);
    CHECK_FALSE(handlers<dicer>{{}}.is().decides);
    const ending& e = all.endings(all.made(node{0}), 1, {stimulus::kind::start}, true)->front();
    REQUIRE(e.effects.size() == 2);
    CHECK(all.is_decision(e.effects[0].value));
    CHECK(e.effects[0].delay == whenever);
    CHECK_FALSE(all.is_decision(e.effects[1].value));
    CHECK(e.effects[1].delay == whenever - 1);   // a long time is no decision
}

TEST_CASE("handlers: say what kind of process it is, and print what it is made of") {
    handlers<dicer> all{[](node v) { return dicer{static_cast<int>(v.index)}; }};
    CHECK(all.is().has_timers);
    CHECK_FALSE(all.is().keeps);
    CHECK_FALSE(all.is().hears_suspicions);
    CHECK_FALSE(handlers<fickle>{[](node) { return fickle{}; }}.is().has_timers);
    CHECK(handlers<bully<int>>{{}}.is().hears_suspicions);
    CHECK(all.made(node{1}) != all.made(node{2}));
    CHECK(all.made(node{1}) == all.made(node{1}));
    std::string line;
    all.print_process(line, all.made(node{4}));
    CHECK(line.find("4") != std::string::npos);
    line.clear();
    all.print_message(line, all.values().messages.index_of({7}));
    CHECK(line.find("7") != std::string::npos);
    line.clear();
    all.print_timer(line, all.values().timer_values.index_of({}));
    CHECK(line.find("bell") != std::string::npos);
}
