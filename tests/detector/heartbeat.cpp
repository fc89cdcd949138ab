// SPDX-License-Identifier: MIT
#include <caucus/detector/heartbeat.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <archetypes.hpp>
#include <laws/detector.hpp>
#include <support/least.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using support::bystander;
using support::greeter;

namespace {

using watcher = heartbeat<bystander>;

auto watching(ticks beat, fixed_timeout judge) {
    return [=](node) { return heartbeat{bystander{}, {.beat = beat}, judge}; };
}

struct by_timeout {
    uniform delays{1, 5};
    ticks notices = 60;
    ticks step = 0;
    auto make() const { return heartbeat{bystander{}, {.beat = 20}, fixed_timeout{45, step}}; }
};

constexpr bool finds_out_at_compile_time() {
    rounds sim{path{3}, [](node) {
        return heartbeat{greeter{7}, {.beat = 5}, fixed_timeout{12}, inplace_storage<2>{}};
    }};
    sim.start(1);
    const report r = sim.run_for(20);
    return !sim[0].suspects(port{0}) && sim[2].process().heard.size() == 1 && r.messages > 4;
}

}  // namespace

// Shape

static_assert(process<watcher> && perpetual<watcher> && !reads_clock<watcher>);
static_assert(judge<fixed_timeout>);
static_assert(std::is_same_v<watcher::message, std::variant<watcher::beat>>);
static_assert(std::is_same_v<watcher::outcome, nothing>);
static_assert(std::is_same_v<heartbeat<bystander, inplace_storage<3>>::outcome,
                             std::variant<overflow>>);
static_assert(finds_out_at_compile_time());
static_assert(watcher::timers(4) == 5);
static_assert(heartbeat<heartbeat<bystander>>::timers(4) == 5 + 5);
static_assert(std::is_same_v<decltype(heartbeat{bystander{}, fixed_timeout{600}}),
                             heartbeat<bystander, fixed_timeout>>);

TEST_CASE("heartbeat: nonsense is refused") {
    CHECK_THROWS_WITH((heartbeat{bystander{}, {.beat = 100}, fixed_timeout{100}}),
                      "heartbeat: 100 ticks of silence are too many, and a beat comes every 100: "
                      "all would be suspected");
    CHECK_THROWS_WITH((heartbeat{bystander{}, {.beat = 0}}),
                      "heartbeat: no time between two beats");
    CHECK_NOTHROW(heartbeat{bystander{}, {.beat = 100}, fixed_timeout{101}});
}

TEST_CASE("heartbeat: what the process inside objects to, it does") {
    struct fussy : greeter, support::three_ports_only {};
    CHECK(heartbeat{fussy{}}.objection(3) == nullptr);
    CHECK(heartbeat{fussy{}}.objection(2) == fussy::words);
    CHECK(heartbeat{bystander{}}.objection(2) == nullptr);
}

// Safety and liveness

TEST_CASE("heartbeat: the laws of detectors, with a fixed timeout") {
    laws::detector(by_timeout{});
}
TEST_CASE("heartbeat: the laws of detectors, with a timeout that grows") {
    laws::detector(by_timeout{.step = 30});
}

TEST_CASE("heartbeat: delays beyond the timeout: a growing one learns, a fixed one flaps") {
    const auto wrong = [](ticks step, ticks from, ticks to) {
        events net{complete{3}, watching(10, {11, step}), {.seed = 5, .delay = uniform{1, 40}}};
        net.start_all();
        net.run_for(from);
        const std::size_t before = laws::words_in(net);
        net.run_for(to - from);
        laws::check_alternate(net);
        return laws::words_in(net) - before;
    };
    CHECK(wrong(0, 0, 5'000) > 100);
    CHECK(wrong(0, 5'000, 10'000) > 100);
    CHECK(wrong(5, 0, 5'000) > 10);
    CHECK(wrong(5, 0, 100'000) <= 2 * 6 * 8);   // each of 6 grows from 11 past 10+40-1 at most
    CHECK(wrong(5, 50'000, 100'000) == 0);
}

TEST_CASE("heartbeat: detection takes timeout-beat+least delay to timeout+most, both reached") {
    constexpr ticks beat = 20, timeout = 50, least = 2, most = 9;
    ticks soonest = never, latest = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const ticks crash_at = 200 + seed % beat;
        for (const delay_model& delay : {delay_model{uniform{least, most}},
                                         delay_model{uniform{least, least}},
                                         delay_model{uniform{most, most}}}) {
            events net{complete{2}, watching(beat, {timeout}), {.seed = seed, .delay = delay}};
            net.start_all();
            net.run_for(crash_at);
            net.crash(0);   // after what it does at that tick
            net.run_until([&] { return net[1].suspects(port{0}); });
            const ticks took = net.now() - crash_at;
            soonest = std::min(soonest, took);
            latest = std::max(latest, took);
        }
    }
    CHECK(soonest == timeout - beat + least + 1);   // it died in the tick before the next beat
    CHECK(latest == timeout + most);
}

TEST_CASE("heartbeat: a beat of a former life is stale") {
    events net{path{2}, watching(10, {25}),
               {.delay = by_hand{[](const hop& h, random_source&) -> ticks {
                    return h.from == node{1} && h.sent < 20 ? 100 : 1;   // the first life's
                }}, .fifo = false}};
    net.start_all();
    net.run_for(20);
    net.crash(1);
    net.restart(1);
    net.run_for(10);
    net.crash(1);
    net.run_for(60);   // to 90
    CHECK(net[0].suspects(port{0}));
    net.run_for(60);   // two beats of the first life came in
    CHECK(net[0].suspects(port{0}));
    CHECK(laws::words_on(net[0], port{0}) == std::vector{true, false, true});
}

TEST_CASE("heartbeat: the process inside greets, is heard, and sleeps on where it is not started") {
    events net{complete{3}, [](node v) {
        return heartbeat{greeter{static_cast<int>(v.index)}, {.beat = 30}, fixed_timeout{90}};
    }};
    net.start(1);
    const report r = net.run_for(100);
    CHECK(r.by_kind("carried") == 2);
    CHECK(net[0].process().heard == std::vector{1});
    CHECK(net[2].process().heard == std::vector{1});
    CHECK(net[1].process().heard.empty());
    for (std::size_t v = 0; v < 3; ++v)
        for (const port p : ports(2)) CHECK_FALSE(net[v].suspects(p));
}

TEST_CASE("heartbeat: bully inside re-elects when its leader falls silent or returns") {
    const auto check = [](auto policy) {
        events net{complete{4}, [](node v) {
            return heartbeat{laws::quick_bully<decltype(policy)>(v), {.beat = 50},
                             fixed_timeout{120}};
        }};
        laws::check_follows_the_best(net);
        net.restart(0);
        net.run_for(500);
        for (std::size_t v = 0; v < 4; ++v) CHECK(net[v].process().leader() == 4);
        CHECK(net.outcomes().size() > 8);
    };
    check(ask_all{});
    check(skip_suspected{});   // the beats of whoever returns make it known
}

TEST_CASE("heartbeat: every schedule of n <= 3, crashes, losses: the truth is known") {
    const auto truth = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; u < g.nodes(); ++u)
                if (u != v && g.alive(v) &&
                    g[v].suspects(support::way(v, u, g.nodes())) == g.alive(u))
                    return false;
        return true;
    };
    const auto wrong = [](const auto& g) {
        return g.alive(0) && g.alive(1) && g[0].suspects(port{0});
    };
    const auto deaf = [](node) {
        return heartbeat{archetype::process{}, {.beat = 2}, fixed_timeout{3}};
    };
    const verdict pair = explore(complete{2}, deaf,
                                 {.properties = {finally(truth), sometimes(wrong)},
                                  .faults = {.crashes = 1, .losses = 2}, .max_states = 30'000});
    CHECK(pair.verified());
    const verdict three = explore(complete{3}, deaf,
                                  {.properties = {finally(truth)},
                                   .faults = {.crashes = 2}, .max_states = 30'000});
    CHECK(three.verified());
    CHECK(pair.states == 140);
    CHECK(three.states == 370);
}

// Cost

TEST_CASE("heartbeat: a period costs n(n-1) on a complete network, 2|E| elsewhere") {
    const auto cost = [](auto topology) {
        events net{topology, watching(20, {60}), {.delay = uniform{1, 5}}};
        net.start_all();
        net.run_for(99);
        CHECK(laws::words_in(net) == 0);
        return net.run_for(0).messages;   // beats at 0, 20, 40, 60, 80
    };
    for (std::size_t n = 1; n <= 9; ++n) CHECK(cost(complete{n}) == 5 * n * (n - 1));
    for (std::size_t n = 2; n <= 9; ++n) CHECK(cost(two_way_ring{n}) == 5 * 2 * n);
    for (std::size_t n = 2; n <= 9; ++n) CHECK(cost(star{n}) == 5 * 2 * (n - 1));
}

// Outside the model

TEST_CASE("heartbeat: too many neighbours for its storage: it says so once and stays out") {
    events net{complete{4}, [](node) {
        return heartbeat{greeter{}, {}, fixed_timeout{}, inplace_storage<2>{}};
    }};
    net.start_all();
    net.start_all();
    CHECK(net.run_for(1'000).messages == 0);
    REQUIRE(net.outcomes().size() == 4);
    CHECK(std::get<overflow>(net.outcomes()[0].outcome).needed == 3);
}

template <class Detector>
struct one_neighbour {
    int sent = 0;
    int armed = 0;
    std::size_t degree() const { return 1; }
    void send(port, const typename Detector::message&) { ++sent; }
    void broadcast(const typename Detector::message&) { ++sent; }
    void arm(const typename Detector::timer&, ticks) { ++armed; }
    void disarm(const typename Detector::timer&) {}
};

TEST_CASE("heartbeat: a repeated beat is as good as one; a stale or strange one is nothing") {
    watcher self{bystander{}, {.beat = 10}};
    one_neighbour<watcher> env;
    self.start(env);
    self.on(watcher::silence{port{0}}, env);
    self.on(watcher::beat{{3}}, port{0}, env);
    self.on(watcher::beat{{3}}, port{0}, env);
    const int armed = env.armed;
    self.on(watcher::beat{{2}}, port{0}, env);
    self.on(watcher::beat{{3}}, port{1}, env);
    CHECK(env.armed == armed);
    CHECK(laws::words_on(self, port{0}) == std::vector{true, false});
}

TEST_CASE("heartbeat: what comes first sets the heart going, be it a message for the one inside") {
    using greeting = heartbeat<greeter>;
    greeting self{greeter{1}, {.beat = 10}};
    one_neighbour<greeting> env;
    self.on(greeting::carried{{5}}, port{0}, env);
    CHECK(env.sent == 1);
    CHECK(env.armed == 2);   // the next beat, and the neighbour's silence
    CHECK(self.process().heard == std::vector{5});
}
