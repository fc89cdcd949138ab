// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/clock.hpp>

#include <doctest/doctest.h>

#include <caucus/core/random.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/path.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace caucus;
using namespace caucus::simulation;

namespace {

/// Arms one timer when started, and says what its clock shows then and when the timer fires.
struct sleeper {
    struct alarm {};
    using message = nothing;
    using timer = alarm;
    using outcome = ticks;
    ticks delay;
    void start(auto& env) {
        env.report(env.now());
        env.arm(alarm{}, delay);
    }
    void on(alarm, auto& env) { env.report(env.now()); }
};
auto asleep(ticks delay, events_options options = {}) {
    events net{path{2}, [delay](node) { return sleeper{delay}; }, std::move(options)};
    net.start(0);
    return net;
}
/// When it fires, by true time and by its own clock.
std::pair<ticks, ticks> wakes(auto& net) {
    static_cast<void>(net.run());
    REQUIRE(net.outcomes().size() == 2);
    return {net.outcomes()[1].at, net.outcomes()[1].outcome};
}
using moment = std::pair<ticks, ticks>;

drifting_clock running(std::int32_t parts_per_million) {
    drifting_clock c;
    c.drift(0, parts_per_million);
    return c;
}

constexpr std::int32_t fastest = 2'147'483'647, slowest = -999'999;

static_assert(drifting_clock{}.local(never - 1) == never - 1);
static_assert(drifting_clock{}.due(7, 0).at == 8);

}  // namespace

TEST_CASE("drifting_clock: exact for all ticks, and never when there are no more") {
    const ticks huge = ticks{1} << 63;
    CHECK(running(0).local(huge) == huge);
    CHECK(running(-500'000).local(huge) == huge / 2);
    CHECK(running(-500'000).local(never - 1) == huge - 1);
    CHECK(running(1'000'000).local(huge - 1) == never - 1);
    CHECK(running(1'000'000).local(huge) == never);
    CHECK(running(fastest).local(huge) == never);
    CHECK(running(slowest).local(huge) == huge / 1'000'000);
    CHECK(running(1).local(1'000'000'000'000'000'000) == 1'000'001'000'000'000'000);
    CHECK(running(1).local(999'999) == 999'999);
    CHECK(running(1).local(1'000'000) == 1'000'001);

    CHECK(running(0).due(5, huge).at == huge + 5);
    CHECK(running(1'000'000).due(5, huge).at == huge / 2 + 5);
    CHECK(running(1'000'000).due(5, never).at == huge + 5);
    CHECK(running(-500'000).due(5, huge).at == never);
    CHECK(running(-500'000).due(5, huge / 2).at == huge + 5);
    CHECK(running(slowest).due(0, 7).at == 7'000'000);
    CHECK(running(fastest).due(0, 1).at == 1);
    CHECK(running(fastest).due(never - 1, 1).at == never);
    CHECK(running(fastest).due(never - 2, 1).at == never - 1);
}

TEST_CASE("drifting_clock: no fraction is lost, however often the pace changes") {
    drifting_clock c;
    for (ticks now = 0; now < 1000; ++now) c.drift(now, now % 2 == 0 ? -300'000 : -700'000);
    CHECK(c.local(1000) == 500);
    drifting_clock::deadline due = c.due(1000, 1000);
    for (ticks now = 1000; due.at > now; ++now) {
        drifting_clock changed = c;
        changed.drift(now, now % 2 == 0 ? -300'000 : -700'000);
        due = c.moved_to(changed, now, due);
        c = changed;
    }
    CHECK(due.at == 3000);
    CHECK(c.local(3000) == 1500);
}

TEST_CASE("drift: a timer armed before runs at the new pace from then on") {
    auto net = asleep(1000);
    net.run_for(400);
    net.drift(0, 1'000'000);                           // 600 are left, and take 300
    CHECK(wakes(net) == moment{700, 1000});

    auto twice = asleep(1000, {.faults = fault_plan{}.drift(0, 1'000'000)});
    twice.run_for(100);                                // 200 by its clock
    twice.drift(0, -900'000);
    twice.run_for(1000);                               // another 100
    twice.drift(0, 0);
    CHECK(wakes(twice) == moment{1800, 1000});

    auto at_once = asleep(0);
    at_once.drift(0, -900'000);
    CHECK(wakes(at_once) == moment{1, 0});             // no time at all, at any pace
}

TEST_CASE("drift: delays beyond 2^40 drift as all others do, and clocks do not overflow") {
    const ticks huge = ticks{1} << 62;
    auto fast = asleep(huge, {.faults = fault_plan{}.drift(0, 1'000'000)});
    CHECK(wakes(fast) == moment{huge / 2, huge});
    auto slow = asleep(huge, {.faults = fault_plan{}.drift(0, -500'000)});
    CHECK(wakes(slow) == moment{2 * huge, huge});
    auto faster = asleep(ticks{1} << 41, {.faults = fault_plan{}.drift(0, fastest)});
    CHECK(wakes(faster).second >= ticks{1} << 41);
}

TEST_CASE("drift: a paused node's timers take the new pace too, and fire when it resumes") {
    auto net = asleep(1000);
    net.run_for(400);
    net.pause(0);
    net.run_for(100);
    net.drift(0, 1'000'000);                           // 500 are left, and take 250
    net.run_for(50);
    net.resume(0);
    CHECK(wakes(net) == moment{750, 1000});

    auto late = asleep(1000);
    late.run_for(400);
    late.pause(0);
    late.drift(0, -400'000);                           // 600 are left: until 1400
    late.run_for(1500);
    late.drift(0, 7);
    late.resume(0);
    CHECK(wakes(late).first == 1900);
}

TEST_CASE("drift: whoever looks at its clock when a timer fires never finds it too soon") {
    // Nor later than it must be: a true tick earlier its clock had just got there, or not yet.
    random_source bits{7};
    std::size_t changed = 0, looked = 0;
    const auto some_drift = [&] {
        switch (bits.below(4)) {
            case 0: return static_cast<std::int32_t>(bits.below(2'000)) - 1'000;
            case 1: return static_cast<std::int32_t>(bits.below(1'000'000)) - 999'999;
            case 2: return static_cast<std::int32_t>(bits.below(2'147'483'648));
            default: return static_cast<std::int32_t>(bits.below(2'000'000)) - 999'999;
        }
    };
    for (int run = 0; run < 3000; ++run) {
        CAPTURE(run);
        const ticks delay = bits.bits() >> (1 + bits.below(63));
        const ticks begin = bits.bits() >> (2 + bits.below(60));
        events net{path{2}, [&](node) { return sleeper{delay}; }};
        drifting_clock twin;
        const auto drift = [&](std::int32_t parts_per_million) {
            net.drift(0, parts_per_million);
            twin.drift(net.now(), parts_per_million);
        };
        drift(some_drift());
        net.run_for(begin);
        net.start(0);
        bool paused = false;
        for (std::uint64_t left = bits.below(4); left != 0; --left) {
            net.run_for(1 + (bits.bits() >> (8 + bits.below(56))));
            if (net.outcomes().size() == 2) break;
            if (bits.below(3) == 0) {
                net.pause(0);
                paused = true;
            }
            drift(some_drift());
            ++changed;
            if (bits.below(2) == 0) net.resume(0);
        }
        net.resume(0);
        static_cast<void>(net.run());
        if (net.outcomes().size() != 2) continue;      // not before the end of time
        const ticks at = net.outcomes()[1].at;
        const ticks armed = net.outcomes()[0].outcome, fired = net.outcomes()[1].outcome;
        if (fired == never) continue;                  // its clock has come to its end
        ++looked;
        CHECK(fired == twin.local(at));
        CHECK(fired - armed >= delay);
        if (!paused) CHECK(twin.local(at - 1) <= armed + delay);
    }
    CHECK(changed > 2000);
    CHECK(looked > 1500);
}
