// SPDX-License-Identifier: MIT
#include <caucus/logical/lamport_clock.hpp>

#include <caucus/core/fields.hpp>

#include <support/event_graph.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

using namespace caucus;

namespace {

constexpr std::uint64_t leap = lamport_clock::leap_max;
constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();

constexpr lamport_clock at(std::uint64_t number) {
    lamport_clock c;
    while (c.now() != number)
        static_cast<void>(c.learn(number - c.now() > leap ? c.now() + leap : number));
    return c;
}

/// What each event is stamped with. By the paper a receipt is an event that has its own number; or
/// it is stamped with what is known by then.
std::vector<std::uint64_t> stamped(const support::execution& run, bool receipts_count) {
    std::vector<lamport_clock> clocks(run.processes);
    std::vector<std::uint64_t> stamps;
    for (const support::event& e : run.events) {
        lamport_clock& c = clocks[e.process];
        if (e.received) REQUIRE(c.learn(stamps[*e.received]));
        stamps.push_back(e.received && !receipts_count ? c.now() : c.tick());
    }
    return stamps;
}

}  // namespace

// Shape

static_assert(sizeof(lamport_clock) == 8);
static_assert(lamport_clock{}.now() == 0 && !lamport_clock{}.is_used_up());
static_assert(stamp<int>{}.clock == 0 && stamp<int>{}.id == 0);
static_assert(stamp<int>{8, 3} < stamp<int>{12, 1} && !(stamp<int>{12, 1} < stamp<int>{8, 3}));
static_assert(stamp<int>{8, 1} < stamp<int>{8, 3} && !(stamp<int>{8, 3} < stamp<int>{8, 3}));
static_assert(stamp<int>{8, 3} == stamp<int>{8, 3} && !(stamp<int>{8, 3} == stamp<int>{8, 1}));
static_assert(!(stamp<int>{8, 3} == stamp<int>{9, 3}));
static_assert([] {
    lamport_clock c;
    return c.tick() == 1 && c.learn(7) && c.now() == 7 && c.learn(3) && c.tick() == 8;
}());

TEST_CASE("lamport_clock: described by its number") {
    CHECK(same(at(3), at(3)));
    CHECK_FALSE(same(at(3), at(4)));
}

// Paper

TEST_CASE("lamport_clock: never behind what it has heard") {
    lamport_clock c;
    CHECK(c.now() == 0);
    CHECK(c.tick() == 1);
    CHECK(c.learn(7));
    CHECK(c.now() == 7);
    CHECK(c.learn(3));
    CHECK(c.now() == 7);
    CHECK(c.tick() == 8);
}

TEST_CASE("lamport_clock: a cause has a smaller stamp than its effect, not the other way round") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const support::execution run = support::random_execution(2 + seed % 4, 40, seed);
        const auto leads = run.reachability();
        const auto stamps = stamped(run, true);
        bool smaller_without_cause = false;
        bool agree = true;
        for (std::size_t a = 0; a < run.events.size(); ++a)
            for (std::size_t b = 0; b < run.events.size(); ++b) {
                if (leads[a][b]) agree = agree && stamps[a] < stamps[b];
                else if (stamps[a] < stamps[b]) smaller_without_cause = true;
            }
        CHECK(agree);
        CHECK(smaller_without_cause);
    }
}

TEST_CASE("lamport_clock: stamps with ids are one order that no cause contradicts") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const support::execution run = support::random_execution(2 + seed % 4, 40, seed);
        const auto leads = run.reachability();
        const auto stamps = stamped(run, true);
        bool equal_clocks = false;
        bool total = true;
        const auto of = [&](std::size_t e) {
            return stamp<std::size_t>{stamps[e], run.events[e].process};
        };
        for (std::size_t a = 0; a < run.events.size(); ++a)
            for (std::size_t b = 0; b < run.events.size(); ++b) {
                if (a == b) continue;
                equal_clocks = equal_clocks || stamps[a] == stamps[b];
                total = total && (of(a) < of(b)) != (of(b) < of(a)) && !(of(a) == of(b));
                if (leads[a][b]) total = total && of(a) < of(b);
            }
        CHECK(total);
        CHECK(equal_clocks);   // else ids had nothing to decide
    }
}

TEST_CASE("lamport_clock: where receipts are no events, a cause has no greater stamp, and an event "
          "of one's own a greater one than all its causes") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const support::execution run = support::random_execution(2 + seed % 4, 40, seed);
        const auto leads = run.reachability();
        const auto stamps = stamped(run, false);
        bool agree = true;
        for (std::size_t a = 0; a < run.events.size(); ++a)
            for (std::size_t b = 0; b < run.events.size(); ++b)
                if (leads[a][b])
                    agree = agree &&
                            (run.events[b].received ? stamps[a] <= stamps[b]
                                                    : stamps[a] < stamps[b]);
        CHECK(agree);
    }
}

// Outside the model

TEST_CASE("lamport_clock: a stamp too far ahead is refused, and changes nothing") {
    lamport_clock c = at(5);
    CHECK_FALSE(c.learn(last));
    CHECK_FALSE(c.learn(5 + leap + 1));
    CHECK(c.now() == 5);
    CHECK(c.learn(5 + leap));
    CHECK(c.now() == 5 + leap);
    CHECK(c.tick() == 6 + leap);
}

TEST_CASE("lamport_clock: who has missed too much does not learn it: its stamps fall behind") {
    const std::uint64_t cause = leap + 1;
    lamport_clock returned;
    CHECK_FALSE(returned.learn(cause));
    CHECK(returned.tick() < cause);
}

TEST_CASE("lamport_clock: hostile stamps use up the numbers only in 2^32 messages") {
    lamport_clock c;
    for (int i = 0; i < 1000; ++i) {
        CHECK_FALSE(c.learn(last));
        CHECK(c.learn(c.now() + leap));   // the most that one can do
    }
    CHECK(c.now() == 1000 * leap);
    CHECK((last / leap) + 1 == leap);
    CHECK_FALSE(c.is_used_up());
}

TEST_CASE("lamport_clock: at the last number it stays, and does not begin anew") {
    // Number by number that is out of reach; fields are what a codec would write.
    lamport_clock c;
    std::get<0>(lamport_clock::fields(c)) = last - 1;
    CHECK(c.tick() == last);
    CHECK(c.is_used_up());
    CHECK(c.tick() == last);
    CHECK(c.learn(last));
    CHECK(c.learn(0));
    CHECK(c.now() == last);
}
