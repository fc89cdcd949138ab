// SPDX-License-Identifier: MIT
#include <caucus/logical/hybrid_clock.hpp>

#include <caucus/core/fields.hpp>
#include <caucus/core/random.hpp>
#include <caucus/logical/lamport_clock.hpp>

#include <support/event_graph.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using namespace caucus;

namespace {

constexpr std::uint32_t last = std::numeric_limits<std::uint32_t>::max();

/// An execution whose processes have clocks of their own.
struct timed_execution {
    support::execution run;
    std::vector<ticks> physical{};   // what the clock showed at each event
    std::vector<hybrid_stamp> stamps{};
    std::size_t refused = 0;

    /// `shows(process, real time)`
    timed_execution(support::execution r, ticks drift_max, auto shows) : run(r) {
        std::vector<hybrid_clock> clocks(run.processes, hybrid_clock{{.drift_max = drift_max}});
        for (const support::event& e : run.events) {
            hybrid_clock& c = clocks[e.process];
            physical.push_back(shows(e.process, e.at));
            if (!e.received) c.tick(physical.back());
            else refused += !c.learn(stamps[*e.received], physical.back());
            stamps.push_back(c.now());
        }
    }

    bool respects_causes() const {
        const auto leads = run.reachability();
        for (std::size_t a = 0; a < stamps.size(); ++a)
            for (std::size_t b = 0; b < stamps.size(); ++b)
                if (leads[a][b] && !(stamps[a] < stamps[b])) return false;
        return true;
    }
    /// The latest that was shown at a cause, or at itself.
    bool times_are_the_latest_shown() const {
        const auto leads = run.reachability();
        for (std::size_t b = 0; b < stamps.size(); ++b) {
            ticks latest = physical[b];
            for (std::size_t a = 0; a < b; ++a)
                if (leads[a][b]) latest = std::max(latest, physical[a]);
            if (stamps[b].time != latest) return false;
        }
        return true;
    }
};

/// Clocks that are ahead of real time by up to `drift`, each by as much all the time.
auto ahead_by(std::size_t processes, ticks drift, std::uint64_t seed) {
    random_source bits{mix(seed, 1)};
    std::vector<ticks> offsets{0, drift};   // so that two are that far apart
    while (offsets.size() < processes) offsets.push_back(bits.below(drift + 1));
    return [=](std::size_t p, std::size_t at) { return 1 + at + offsets[p]; };
}

/// The paper's rule, as it is printed there.
constexpr hybrid_stamp as_printed(hybrid_stamp own, hybrid_stamp sent, ticks pt) {
    const ticks l = std::max({own.time, sent.time, pt});
    if (l == own.time && l == sent.time) return {l, std::max(own.count, sent.count) + 1};
    if (l == own.time) return {l, own.count + 1};
    if (l == sent.time) return {l, sent.count + 1};
    return {l, 0};
}

}  // namespace

// Shape

using mark = hybrid_stamp;
static_assert(hybrid_clock_options{}.drift_max == 0);   // as good as one clock
static_assert(mark{3, 9} < mark{4, 0} && !(mark{4, 0} < mark{3, 9}));
static_assert(mark{3, 1} < mark{3, 2} && !(mark{3, 2} < mark{3, 2}));
static_assert(mark{3, 1} == mark{3, 1} && !(mark{3, 1} == mark{3, 2}));
static_assert([] {
    hybrid_clock c{{.drift_max = 5}};
    const bool own = c.tick(10) == hybrid_stamp{10, 0} && c.tick(10) == hybrid_stamp{10, 1} &&
                     c.tick(9) == hybrid_stamp{10, 2} && c.tick(11) == hybrid_stamp{11, 0};
    return own && c.learn({16, 7}, 11) && c.now() == hybrid_stamp{16, 8} && !c.learn({17, 0}, 11);
}());

TEST_CASE("hybrid_clock: described by its stamp") {
    hybrid_clock a{{.drift_max = 5}};
    const hybrid_clock b = a;
    CHECK(same(a, b));
    a.tick(3);
    CHECK_FALSE(same(a, b));
}

// Paper

TEST_CASE("hybrid_clock: receipts are stamped as printed, in all cases") {
    for (ticks time = 0; time < 4; ++time)
        for (std::uint32_t count = 0; count < 3; ++count)
            for (ticks sent_time = 0; sent_time < 4; ++sent_time)
                for (std::uint32_t sent_count = 0; sent_count < 3; ++sent_count)
                    for (ticks pt = 0; pt < 4; ++pt) {
                        hybrid_clock c{{.drift_max = 9}};
                        REQUIRE((count == 0 || c.learn({time, count - 1}, 0)));
                        if (count == 0 && time != 0) c.tick(time);
                        if (!(c.now() == hybrid_stamp{time, count})) continue;   // unreachable
                        const hybrid_stamp sent{sent_time, sent_count};
                        CHECK(c.learn(sent, pt));
                        CHECK(c.now() == as_printed({time, count}, sent, pt));
                    }
}

TEST_CASE("hybrid_clock: a cause has a smaller stamp; its time is the latest shown; with clocks "
          "no further apart than stated nothing is refused, no stamp is further ahead, and no "
          "count exceeds n(drift+1)") {
    std::uint32_t most = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        const std::size_t n = 2 + seed % 4;
        const ticks drift = seed % 7;
        const timed_execution t{support::random_execution(n, 40, seed), drift,
                                ahead_by(n, drift, seed)};
        CHECK(t.refused == 0);
        CHECK(t.respects_causes());
        CHECK(t.times_are_the_latest_shown());
        bool near = true;
        bool small = true;
        for (std::size_t e = 0; e < t.stamps.size(); ++e) {
            near = near && t.stamps[e].time >= t.physical[e] &&
                   t.stamps[e].time - t.physical[e] <= drift;
            small = small && t.stamps[e].count <= n * (drift + 1);
            most = std::max(most, t.stamps[e].count);
        }
        CHECK(near);
        CHECK(small);
    }
    CHECK(most > 3);   // else there was nothing to count
}

TEST_CASE("hybrid_clock: where physical time stands still it is a Lamport clock") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(seed);
        for (const ticks still : {ticks{0}, ticks{77}}) {
            const timed_execution t{support::random_execution(4, 40, seed), 0,
                                    [=](std::size_t, std::size_t) { return still; }};
            std::vector<lamport_clock> clocks(4);
            std::vector<std::uint64_t> numbers;
            bool agree = true;
            for (const support::event& e : t.run.events) {
                if (e.received) CHECK(clocks[e.process].learn(numbers[*e.received]));
                numbers.push_back(clocks[e.process].tick());
                const hybrid_stamp& s = t.stamps[numbers.size() - 1];
                // The first event of all shows a new time, unless that is 0.
                agree = agree && s.time == still && s.count + (still != 0) == numbers.back();
            }
            CHECK(agree);
        }
    }
}

// Outside the model

TEST_CASE("hybrid_clock: clocks may step backwards: causes keep the smaller stamps") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        random_source bits{seed};
        bool stepped_back = false;
        ticks before = 0;
        const timed_execution t{support::random_execution(3, 40, seed), 100,
                                [&](std::size_t, std::size_t at) {
            const ticks shown = 50 + at - bits.below(20);
            stepped_back = stepped_back || shown < before;
            return before = shown;
        }};
        CHECK(stepped_back);
        CHECK(t.refused == 0);
        CHECK(t.respects_causes());
        CHECK(t.times_are_the_latest_shown());
    }
}

TEST_CASE("hybrid_clock: a time that no clock can show is refused, and changes nothing") {
    hybrid_clock c{{.drift_max = 20}};
    c.tick(100);
    CHECK_FALSE(c.learn({121, 0}, 100));
    CHECK_FALSE(c.learn({never, last}, 100));
    CHECK(c.now() == hybrid_stamp{100, 0});
    CHECK(c.learn({120, 3}, 100));
    CHECK(c.now() == hybrid_stamp{120, 4});
    CHECK(c.learn({121, 0}, 101));
}

TEST_CASE("hybrid_clock: a clock that leapt ahead and back is refused until time has caught up") {
    hybrid_clock leapt{{.drift_max = 20}};
    hybrid_clock other{{.drift_max = 20}};
    leapt.tick(1000);
    const hybrid_stamp sent = leapt.tick(100);   // set right again
    CHECK(sent == hybrid_stamp{1000, 1});
    CHECK_FALSE(other.learn(sent, 100));
    CHECK_FALSE(other.learn(sent, 979));
    CHECK(other.learn(sent, 980));
    CHECK(other.tick(981) == hybrid_stamp{1000, 3});
}

TEST_CASE("hybrid_clock: a count at its end goes on in the next tick, once in 2^32 events") {
    hybrid_clock c{{.drift_max = 20}};
    CHECK(c.learn({120, last - 1}, 100));
    CHECK(c.now() == hybrid_stamp{120, last});
    CHECK(c.tick(100) == hybrid_stamp{121, 0});   // one further ahead than clocks can be
    CHECK(c.tick(100) == hybrid_stamp{121, 1});
    CHECK_FALSE(c.learn({121, last}, 100));       // so a stranger cannot do it again at once
    CHECK(c.learn({120, last}, 100));
    CHECK(c.now() == hybrid_stamp{121, 2});
    CHECK(c.learn({121, last}, 101));
    CHECK(c.now() == hybrid_stamp{122, 0});
}

TEST_CASE("hybrid_clock: at the end of time it stays") {
    hybrid_clock c{{.drift_max = 20}};
    CHECK(c.learn({never, last}, never - 5));
    CHECK(c.now() == hybrid_stamp{never, last});
    CHECK(c.tick(never) == hybrid_stamp{never, last});
    CHECK(c.tick(0) == hybrid_stamp{never, last});
}
