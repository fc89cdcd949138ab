// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/disturbances.hpp>

#include "../../laws/topology.hpp"

#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/path.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace caucus;
using namespace caucus::simulation;
using laws::refusal;

namespace {

/// Sends its number on every tick, and writes down what it hears and when.
struct ticker {
    struct number { int value; };
    struct due {};
    using message = number;
    using timer = due;
    using outcome = number;

    int last = 100;
    int sent = 0;
    std::vector<int> heard{};

    void start(auto& env) { env.arm(due{}, 1); }
    void on(due, auto& env) {
        env.broadcast(number{++sent});
        if (sent < last) env.arm(due{}, 1);
    }
    void on(number m, port, auto& env) {
        heard.push_back(m.value);
        env.report(m);
    }
};
/// Nodes other than 0 only listen.
const auto make = [](node) { return ticker{}; };

/// Says what its clock shows when a million ticks are over.
struct sleeper {
    struct alarm {};
    using message = nothing;
    using timer = alarm;
    using outcome = ticks;
    void start(auto& env) { env.arm(alarm{}, 1'000'000); }
    void on(alarm, auto& env) { env.report(env.now()); }
};

/// Keeps one number, and says what it recovers.
struct diary {
    using message = nothing;
    using timer = nothing;
    using outcome = int;
    using kept = int;
    void start(auto& env) { env.keep(7); }
    void on(const recovered<int>& r, auto& env) { env.report(r.last.value_or(0)); }
};

auto ticking(events_options options, std::size_t nodes = 2) {
    events net{path{nodes}, make, std::move(options)};
    net.start(0);
    return net;
}
std::vector<int> from_to(int first, int last) {
    std::vector<int> all_of_them;
    for (int i = first; i <= last; ++i) all_of_them.push_back(i);
    return all_of_them;
}
bool sorted(const std::vector<int>& v) {
    for (std::size_t i = 1; i < v.size(); ++i)
        if (v[i] < v[i - 1]) return false;
    return true;
}

}  // namespace

TEST_CASE("cut: what is sent meanwhile and what would arrive is lost, one way only") {
    // Sent at 1 … 100, under way for 10 ticks: 21 … 40 die when sent, 11 … 20 on arrival.
    auto net = ticking({.delay = uniform{10, 10}, .faults = fault_plan{}.cut(0, 1, 21, 41)});
    const report r = net.run();
    CHECK(r.messages == 100);
    CHECK(r.lost == 30);
    std::vector<int> expected = from_to(1, 10);
    for (const int i : from_to(41, 100)) expected.push_back(i);
    CHECK(net[1].heard == expected);

    auto other_way = ticking({.faults = fault_plan{}.cut(1, 0, 1, 50)});
    CHECK(other_way.run().lost == 0);
}

TEST_CASE("cut and mend by hand") {
    auto net = ticking({.delay = unit{}});
    net.run_for(10);
    net.cut(0, 1);
    net.run_for(10);
    net.mend(0, 1);
    CHECK(net.run().lost == 11);   // one more was under way
    CHECK(net[1].heard.size() == 89);
}

TEST_CASE("clog: everything waits and then comes at once, in order") {
    for (const bool fifo : {true, false}) {
        auto net = ticking({.delay = unit{}, .fifo = fifo,
                            .faults = fault_plan{}.clog(0, 1, 10, 60)});
        net.run_for(59);
        CHECK(net[1].heard == from_to(1, 8));
        net.run_for(1);
        CHECK(net[1].heard == from_to(1, 59));
        CHECK(net.run().lost == 0);
        CHECK(net[1].heard == from_to(1, 100));
    }
    auto for_good = ticking({.faults = fault_plan{}.clog(0, 1, 0)});
    const report r = for_good.run();
    CHECK(r.lost == 0);
    CHECK(r.in_flight_most == 100);
    CHECK(for_good[1].heard.empty());
    for_good.unclog(0, 1);
    static_cast<void>(for_good.run());
    CHECK(for_good[1].heard == from_to(1, 100));
}

TEST_CASE("partition: nothing passes between the sides, everything within; then they unite") {
    const auto silent_nodes = [](node v) { return ticker{.last = v == 0 ? 100 : 0}; };
    events net{complete{4}, silent_nodes, {.delay = unit{},
               .faults = fault_plan{}.partition({0, 2}, 11, 51)}};
    net.start(0);
    const report r = net.run();
    CHECK(net[2].heard == from_to(1, 100));
    CHECK(net[1].heard.size() == 59);
    CHECK(net[3].heard == net[1].heard);
    CHECK(r.lost == 82);

    events by_hand_too{complete{3}, silent_nodes, {.delay = unit{}}};
    by_hand_too.start(0);
    by_hand_too.partition({0});
    by_hand_too.run_for(50);
    CHECK(by_hand_too[1].heard.empty());
    by_hand_too.partition({0, 1});   // another one, instead
    by_hand_too.run_for(10);
    CHECK(by_hand_too[1].heard.size() > 0);
    CHECK(by_hand_too[2].heard.empty());
    by_hand_too.unite();
    static_cast<void>(by_hand_too.run());
    CHECK(by_hand_too[2].heard == from_to(61, 100));
}

static std::vector<int> heard(fault_plan plan) {
    auto net = ticking({.delay = unit{}, .faults = std::move(plan)});   // i is sent at i
    static_cast<void>(net.run());
    return net[1].heard;
}

TEST_CASE("intervals that overlap: the end of one does not end another") {
    std::vector<int> later = from_to(1, 18);
    for (const int i : from_to(60, 100)) later.push_back(i);
    CHECK(heard(fault_plan{}.cut(0, 1, 20, 40).cut(0, 1, 30, 60)) == later);
    CHECK(heard(fault_plan{}.cut(0, 1, 30, 50).cut(0, 1, 20, 60)) == later);
    CHECK(heard(fault_plan{}.partition({0}, 20, 40).partition({1}, 30, 60)) == later);
    CHECK(heard(fault_plan{}.partition({0}, 20, 80).partition({1}, 30, 60)) == later);
    CHECK(heard(fault_plan{}.partition({0}, 20, 80).partition({1}, 20, 60)) == later);

    for (const bool clogs : {true, false}) {
        fault_plan plan;
        if (clogs) plan.clog(0, 1, 20, 40).clog(0, 1, 30, 60);
        else plan.pause(1, 20, 40).pause(1, 30, 60);
        auto net = ticking({.delay = unit{}, .faults = plan});
        net.run_for(59);
        CHECK(net[1].heard == from_to(1, 18));
        net.run_for(1);
        CHECK(net[1].heard == from_to(1, 59));
    }
}

TEST_CASE("heal ends every interval that began before it: what is planned later ends on time") {
    std::vector<int> gaps = from_to(1, 8);   // what arrives at 10 … 29 and at 40 … 59 does not
    for (const int i : from_to(30, 38)) gaps.push_back(i);
    for (const int i : from_to(60, 100)) gaps.push_back(i);
    CHECK(heard(fault_plan{}.cut(0, 1, 10).heal(30).cut(0, 1, 40, 60)) == gaps);
    CHECK(heard(fault_plan{}.cut(0, 1, 10, 90).heal(30).cut(0, 1, 40, 60)) == gaps);
    CHECK(heard(fault_plan{}.cut(0, 1, 40, 60).heal(30).cut(0, 1, 10)) == gaps);
    CHECK(heard(fault_plan{}.partition({0}, 10).heal(30).partition({1}, 40, 60)) == gaps);
    CHECK(heard(fault_plan{}.partition({0}, 10, 50).heal(30).partition({1}, 40, 60)) == gaps);
    // Of one tick, in the order written: this cut begins after the healing, and that before.
    CHECK(heard(fault_plan{}.heal(30).cut(0, 1, 30, 60)) ==
          heard(fault_plan{}.cut(0, 1, 30, 60)));
    CHECK(heard(fault_plan{}.cut(0, 1, 30, 60).heal(30)) == from_to(1, 100));

    for (const bool clogs : {true, false}) {
        fault_plan plan;
        if (clogs) plan.clog(0, 1, 10).heal(30).clog(0, 1, 40, 60);
        else plan.pause(1, 10).heal(30).pause(1, 40, 60);
        auto net = ticking({.delay = unit{}, .faults = plan});
        net.run_for(29);
        CHECK(net[1].heard == from_to(1, 8));
        net.run_for(30);
        CHECK(net[1].heard == from_to(1, 38));
        net.run_for(1);
        CHECK(net[1].heard == from_to(1, 59));
    }

    auto by_hand_too = ticking({.delay = unit{},
                                .faults = fault_plan{}.cut(0, 1, 10).cut(0, 1, 40, 60)});
    by_hand_too.run_for(30);
    by_hand_too.heal();
    static_cast<void>(by_hand_too.run());
    gaps.erase(gaps.begin() + 8);   // 30: a plan heals before anything is sent, and we after it
    CHECK(by_hand_too[1].heard == gaps);
}

TEST_CASE("chance: losses and copies come as often as planned, and never after healing") {
    const auto long_run = [](node) { return ticker{.last = 20'000}; };
    events net{path{2}, long_run, {.delay = unit{}, .faults = fault_plan{}.links(
                   {.loss = 0.1, .duplication = 0.2}).heal(10'001)}};
    net.start(0);
    const report r = net.run();
    const double losses = static_cast<double>(r.lost);
    const double copies = static_cast<double>(r.doubled);
    CHECK(std::abs(losses - 1000) < 4 * std::sqrt(10'000 * 0.1 * 0.9));
    CHECK(std::abs(copies - 1800) < 4 * std::sqrt(9000 * 0.2 * 0.8));
    CHECK(net[1].heard.size() == 20'000 - r.lost + r.doubled);
    std::size_t late = 0;
    for (const int i : net[1].heard) late += i > 10'000;
    CHECK(late == 10'000);
    CHECK(r.messages == 20'000);   // a message counts when it is sent
}

TEST_CASE("chance: certain loss and certain doubling") {
    auto deaf = ticking({.faults = fault_plan{}.links({.loss = 1})});
    CHECK(deaf.run().lost == 100);
    auto twice = ticking({.faults = fault_plan{}.links({.duplication = 1})});
    CHECK(twice.run().doubled == 100);
    CHECK(twice[1].heard.size() == 200);
}

TEST_CASE("chance: reordering breaks fifo by at most late_max, and nothing else does") {
    auto orderly = ticking({.delay = uniform{1, 30}, .faults = fault_plan{}.links(
                                {.loss = 0.2, .duplication = 0.2})});
    static_cast<void>(orderly.run());
    CHECK(sorted(orderly[1].heard));
    auto mixed = ticking({.delay = unit{}, .faults = fault_plan{}.links(
                              {.reordering = 0.3, .late_max = 5})});
    CHECK(mixed.run().lost == 0);
    const std::vector<int>& heard = mixed[1].heard;
    CHECK(heard.size() == 100);
    CHECK_FALSE(sorted(heard));
    for (std::size_t i = 0; i < heard.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) CHECK(heard[i] + 5 >= heard[j]);
}

TEST_CASE("chance: one link can be worse than the others, in one direction, with its own delays") {
    events net{complete{3}, make, {.delay = unit{}, .faults = fault_plan{}
                   .links({.loss = 0}).link(0, 1, {.loss = 1})
                   .link(0, 2, {.delay = uniform{50, 50}})}};
    net.start(0);
    net.run_for(51);
    CHECK(net[1].heard.empty());
    CHECK(net[2].heard == std::vector{1});
}

TEST_CASE("chance: faults change nothing of the delays; the same seed gives the same run") {
    const auto times = [](fault_plan plan, std::uint64_t seed) {
        auto net = ticking({.seed = seed, .delay = exponential{20}, .fifo = false,
                            .faults = std::move(plan)});
        static_cast<void>(net.run());
        return net[1].heard;
    };
    const std::vector<int> calm = times({}, 3);
    CHECK(times(fault_plan{}.links({.loss = 0}), 3) == calm);
    const auto lossy = [] { return fault_plan{}.links({.loss = 0.5}); };
    CHECK(times(lossy(), 3) == times(lossy(), 3));
    CHECK(times(lossy(), 3) != times(lossy(), 4));
    CHECK_FALSE(sorted(calm));
}

TEST_CASE("pause: a crash ends it, and the next life stands still only if another one begins") {
    const auto net_with = [](fault_plan plan) {
        return ticking({.delay = unit{}, .faults = std::move(plan)});
    };
    auto net = net_with(fault_plan{}.pause(1, 10, 90).crash(1, 20).restart(1, 30).pause(1, 40, 60));
    const auto paused_at = [&](ticks at) {
        net.run_for(at - net.now());
        return net.paused(1);
    };
    CHECK(paused_at(19));
    CHECK_FALSE(paused_at(20));
    CHECK_FALSE(paused_at(39));
    CHECK(paused_at(59));
    CHECK_FALSE(paused_at(60));             // the first pause ended with the first life
    CHECK_FALSE(paused_at(95));

    // Two that overlap, and the crash ends both; one that begins while the node is dead is void.
    net = net_with(fault_plan{}.pause(1, 10, 80).pause(1, 15, 90).crash(1, 20).pause(1, 25, 70)
                       .restart(1, 30).pause(1, 40, 60).pause(1, 50, 65));
    CHECK(paused_at(19));
    CHECK_FALSE(paused_at(30));
    CHECK(paused_at(64));
    CHECK_FALSE(paused_at(65));

    // By hand and by the plan: what began by hand does not end with an interval.
    net = net_with(fault_plan{}.pause(1, 10, 20));
    CHECK(paused_at(15));
    net.pause(1);
    CHECK(paused_at(30));
    net.resume(1);
    CHECK_FALSE(paused_at(31));
}

TEST_CASE("cut and partition: what began by hand does not end with an interval, and vice versa") {
    auto net = ticking({.delay = unit{}, .faults = fault_plan{}.cut(0, 1, 10, 20)});
    net.run_for(15);
    net.cut(0, 1);
    net.cut(0, 1);
    net.run_for(15);
    CHECK(net[1].heard == from_to(1, 8));
    net.mend(0, 1);                         // once is enough
    net.run_for(5);
    CHECK(net[1].heard.back() == 34);
    net.partition({0});
    net.run_for(5);
    net.unite();
    static_cast<void>(net.run());
    CHECK(net[1].heard.back() == 100);
}

TEST_CASE("chance: comes and goes by intervals, and comes back after healing") {
    const auto lost = [](fault_plan plan) {
        auto net = ticking({.delay = unit{}, .faults = std::move(plan)});   // i is sent at i
        return net.run().lost;
    };
    CHECK(lost(fault_plan{}.links({.loss = 1}, 10, 20)) == 10);
    CHECK(lost(fault_plan{}.links({.loss = 1}).heal(11).links({.loss = 1}, 50, 60)) == 20);
    CHECK(lost(fault_plan{}.links({.loss = 1}).heal(11).links({.loss = 1}, 91)) == 20);
    CHECK(lost(fault_plan{}.link(0, 1, {.loss = 1}, 10, 20)) == 10);
    CHECK(lost(fault_plan{}.link(0, 1, {.loss = 1}).heal(11).link(0, 1, {.loss = 1}, 91)) == 20);
    CHECK(lost(fault_plan{}.link(1, 0, {.loss = 1}, 10, 20)) == 0);
    // The one that began last holds; then the one before again. A link's own goes first.
    CHECK(lost(fault_plan{}.links({.loss = 1}, 10, 50).links({}, 20, 30)) == 30);
    CHECK(lost(fault_plan{}.links({}, 20, 30).links({.loss = 1}, 10, 50)) == 30);
    CHECK(lost(fault_plan{}.links({.loss = 1}).link(0, 1, {}, 11, 91)) == 20);
    CHECK(lost(fault_plan{}.links({.loss = 1}).links({})) == 0);

    auto struck = ticking({.delay = unit{}, .faults = fault_plan{}
                               .crashes({.probability = 1, .downtime_max = 1}, 10, 20)
                               .heal(30).crashes({.probability = 1}, 50)});
    struck.run_for(40);
    CHECK(struck.alive(1));
    CHECK(struck.incarnation(1).number == 10);   // struck at 10 … 19, alive again a tick later
    static_cast<void>(struck.run());
    CHECK_FALSE(struck.alive(1));
    CHECK(struck.incarnation(1).number == 10);
}

TEST_CASE("crashes by chance: whoever crashes comes back within the downtime, remembering or not") {
    events net{complete{3}, make, {.faults = fault_plan{}.crashes(
                   {.probability = 0.05, .downtime_max = 10})}};
    net.start_all();
    const report r = net.run();
    std::uint32_t lives = 0;
    for (std::size_t v = 0; v < 3; ++v) {
        CHECK(net.alive(v));
        lives += net.incarnation(v).number;
    }
    CHECK(lives > 0);
    CHECK(r.lost >= lives);
}

TEST_CASE("crashes by chance: what waits before a clogged link keeps its order") {
    bool any_crash = false;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        // 0 tells 1 and 2; 1 is struck now and then, while 2's link is clogged.
        events net{complete{3}, make, {.seed = seed, .delay = unit{},
                                       .faults = fault_plan{}.clog(0, 2, 0, 300)
                                           .crashes({.probability = 0.1, .downtime_max = 3})}};
        net.start(0);
        net.run_for(299);
        any_crash = any_crash || net.incarnation(1) != incarnation{};
        net.heal();
        static_cast<void>(net.run());
        CHECK(sorted(net[2].heard));
        CHECK(net[2].heard.size() == 100);
    }
    CHECK(any_crash);
}

TEST_CASE("faults: what makes no sense is refused, with the culprit's name") {
    CHECK(refusal([] { ticking({.faults = fault_plan{}.links({.loss = 1.5})}); }) ==
          "link_faults: a probability is not from 0 to 1");
    CHECK(refusal([] { ticking({.faults = fault_plan{}.links({.duplication = -0.5})}); }) ==
          "link_faults: a probability is not from 0 to 1");
    CHECK(refusal([] {
              ticking({.faults = fault_plan{}.links({.reordering = 0.5, .late_max = 0})});
          }) == "link_faults: reordering needs a late_max of at least 1");
    CHECK(refusal([] { ticking({.faults = fault_plan{}.links({.late_max = 0})}); }) ==
          "not refused");
    CHECK(refusal([] { ticking({.faults = fault_plan{}.crashes({.probability = 2})}); }) ==
          "random_crashes: the probability is not from 0 to 1");
    CHECK(refusal([] { ticking({}, 3).cut(0, 2); }) ==
          "faults: there is no link from node 0 to node 2");
    CHECK(refusal([] { ticking({}).cut(0, 7); }) == "faults: there is no node 7 among 2");
    CHECK(refusal([] { ticking({}).partition({7}); }) == "faults: there is no node 7 among 2");
    CHECK(refusal([] { ticking({.faults = fault_plan{}.link(0, 1, {.delay = uniform{0, 1}})}); }) ==
          "uniform: delays from 0 to 1; need 1 <= least <= most");
}

TEST_CASE("faults: a plan that makes no sense is refused before the run begins") {
    const auto planned = [](const fault_plan& plan) {
        return refusal([&] { ticking({.faults = plan}, 3); });
    };
    CHECK(planned(fault_plan{}.cut(0, 2, 9)) == "faults: there is no link from node 0 to node 2");
    CHECK(planned(fault_plan{}.clog(0, 3, 9)) == "simulation: there is no node 3 among 3");
    CHECK(planned(fault_plan{}.partition({0, 7}, 9)) == "simulation: there is no node 7 among 3");
    CHECK(planned(fault_plan{}.drift(3, 1)) == "simulation: there is no node 3 among 3");
    CHECK(planned(fault_plan{}.links({.loss = 2}, 9, 99)) ==
          "link_faults: a probability is not from 0 to 1");
    CHECK(planned(fault_plan{}.link(0, 2, {}, 9)) ==
          "faults: there is no link from node 0 to node 2");
    CHECK(planned(fault_plan{}.crashes({.probability = -1}, 9)) ==
          "random_crashes: the probability is not from 0 to 1");
    CHECK(planned(fault_plan{}.links({.delay = by_hand{}}, 9)) == "by_hand: there is no rule");
    CHECK(refusal([] { fault_plan{}.cut(0, 1, 20, 10); }) ==
          "fault_plan: an interval from 20 until 10 ends before it begins");
    CHECK(fault_plan{}.pause(0, 20, 20).faults().empty());   // no time at all
}

TEST_CASE("pause: messages and timers wait, nothing is lost, and then all happens in order") {
    auto net = ticking({.delay = unit{}, .faults = fault_plan{}.pause(1, 20, 40).pause(0, 60, 80)});
    net.run_for(39);
    CHECK(net.paused(1));
    CHECK(net[1].heard == from_to(1, 18));
    net.run_for(1);
    CHECK(net[1].heard == from_to(1, 39));
    net.run_for(39);                       // at 79: the sender stands still since 60
    CHECK(net[0].sent == 59);
    const report r = net.run();
    CHECK(r.rounds == 121);                // 20 ticks late
    CHECK(r.lost == 0);
    CHECK(net[1].heard == from_to(1, 100));
    net.pause(1);
    CHECK(net.call(1, request::start{}) == answer::not_running);
    CHECK(refusal([&] { net.suspect(1, port{0}); }) ==
          "events: node 1 is paused and hears nothing");
    net.start(1);                          // this waits, as everything does
    CHECK(net.run().messages == 100);
    net.resume(1);
    CHECK(net.run().messages == 200);
}

TEST_CASE("pause: whoever crashes while paused is dead, and what waited for it is lost") {
    auto net = ticking({.delay = unit{}});
    net.run_for(10);
    net.pause(1);
    net.run_for(10);
    net.crash(1);
    CHECK_FALSE(net.paused(1));
    CHECK(net.run().lost == 91);
    net.resume(1);                          // nothing to resume
    net.restart(1);
    CHECK(net.run().messages == 100);
}

TEST_CASE("drift: a fast clock's timers are early, a slow one's late; true time is nobody's") {
    const auto end_with = [](std::int32_t drift) {
        auto net = ticking({.delay = unit{}, .faults = fault_plan{}.drift(0, drift)});
        return net.run().rounds;
    };
    const auto wakes = [](std::int32_t drift) {
        events net{path{2}, [](node) { return sleeper{}; },
                   {.faults = fault_plan{}.drift(0, drift)}};
        net.start(0);
        static_cast<void>(net.run());
        return std::pair{net.outcomes()[0].at, net.outcomes()[0].outcome};
    };
    CHECK(end_with(0) == 101);
    CHECK(wakes(0) == std::pair<ticks, ticks>{1'000'000, 1'000'000});
    CHECK(wakes(100'000) == std::pair<ticks, ticks>{909'091, 1'000'000});
    CHECK(wakes(-200'000) == std::pair<ticks, ticks>{1'250'000, 1'000'000});
    for (const std::int32_t drift : {-999'999, -500'000, -7, 7, 333'333, 2'000'000'000})
        CHECK(wakes(drift).second >= 1'000'000);     // never early by its own clock
    CHECK(refusal([] { ticking({.faults = fault_plan{}.drift(0, -1'000'000)}); }) ==
          "events: the clock of node 0 would stand still, or run backwards");
}

TEST_CASE("amnesia in a plan: a restart with nothing; a restart of the living changes nothing") {
    events net{path{2}, [](node) { return diary{}; },
               {.faults = fault_plan{}.amnesia(0, 4).crash(0, 5).restart(0, 6).crash(0, 7)
                              .amnesia(0, 8).restart(1, 9)}};
    net.start_all();
    static_cast<void>(net.run());
    REQUIRE(net.outcomes().size() == 2);
    CHECK(net.outcomes()[0].outcome == 7);
    CHECK(net.outcomes()[1].outcome == 0);
    CHECK(net.incarnation(0).number == 2);
    CHECK(net.incarnation(1).number == 0);
}
