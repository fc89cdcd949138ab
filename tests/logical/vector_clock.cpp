// SPDX-License-Identifier: MIT
// Broken promises throw here, so that tests can see them.
#define CAUCUS_ASSERT(condition) ((condition) ? void() : throw #condition)
#include <caucus/logical/vector_clock.hpp>

#include <caucus/core/fields.hpp>

#include <support/event_graph.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <tuple>
#include <vector>

using namespace caucus;

namespace {

/// What a codec would read: any numbers at all.
template <class Storage = heap_storage>
constexpr vector_clock<Storage> reading(std::initializer_list<std::uint64_t> counts) {
    vector_clock<Storage> v;
    for (const std::uint64_t each : counts)
        std::get<0>(vector_clock<Storage>::fields(v)).push_back(each);
    return v;
}

/// What each event is stamped with. By the papers a receipt is an event, too.
template <class Storage>
std::vector<vector_clock<Storage>> stamped(const support::execution& run, Storage) {
    std::vector<vector_clock<Storage>> clocks(run.processes);
    std::vector<vector_clock<Storage>> stamps;
    for (const support::event& e : run.events) {
        vector_clock<Storage>& c = clocks[e.process];
        if (e.received) REQUIRE(c.learn(stamps[*e.received], e.process));
        c.tick(e.process);
        stamps.push_back(c);
    }
    return stamps;
}

/// Their order is that of the paths, for all pairs.
template <class Storage>
void check_exact(const support::execution& run, Storage storage) {
    const auto leads = run.reachability();
    const auto stamps = stamped(run, storage);
    bool exact = true;
    std::size_t causes = 0;
    std::size_t independent = 0;
    for (std::size_t a = 0; a < run.events.size(); ++a)
        for (std::size_t b = 0; b < run.events.size(); ++b) {
            const bool neither = a != b && !leads[a][b] && !leads[b][a];
            exact = exact && (stamps[a] < stamps[b]) == leads[a][b];
            exact = exact && (stamps[a] > stamps[b]) == leads[b][a];
            exact = exact && (stamps[a] == stamps[b]) == (a == b);
            exact = exact && concurrent(stamps[a], stamps[b]) == neither;
            causes += leads[a][b];
            independent += neither;
        }
    CHECK(exact);
    CHECK(causes > 0);
    if (run.processes > 1) CHECK(independent > 0);
}

}  // namespace

// Shape

static_assert(sizeof(vector_clock<inplace_storage<4>>) <= 40);
static_assert(vector_clock{} == vector_clock{} && vector_clock{}.size() == 0);
static_assert([] {
    vector_clock<inplace_storage<3>> a;
    vector_clock<inplace_storage<3>> b;
    const bool counted = a.tick(0) == 1 && b.tick(2) == 1 && b.tick(2) == 2;
    const bool apart = concurrent(a, b) && !(a < b) && !(b < a) && !(a == b);
    const auto sent = b;
    return counted && apart && a.learn(sent, 0) && sent < a && a[2] == 2 && a.size() == 3;
}());
static_assert([] {
    vector_clock a;
    vector_clock b{heap_storage{}};
    a.tick(1);
    b.tick(0);
    return b.learn(a, 0) && a < b && a <= b && b >= a && a != b && b[7] == 0;
}());

TEST_CASE("vector_clock: described by its counts") {
    vector_clock a;
    vector_clock b;
    a.tick(1);
    CHECK_FALSE(same(a, b));
    b.tick(1);
    CHECK(same(a, b));
    CHECK(hash(a) == hash(b));
}

// Paper

TEST_CASE("vector_clock: one clock is less if and only if a path leads from event to event") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const support::execution run = support::random_execution(1 + seed % 5, 40, seed);
        check_exact(run, heap_storage{});
        check_exact(run, inplace_storage<5>{});
    }
}

TEST_CASE("vector_clock: so also while processes join, and clocks have many lengths") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const support::execution run = support::random_execution(5, 60, seed, 10);
        check_exact(run, heap_storage{});
        check_exact(run, inplace_storage<5>{});
        std::size_t lengths = 0;   // a bit for each that there is
        for (const auto& each : stamped(run, heap_storage{}))
            lengths |= std::size_t{1} << each.size();
        CHECK(lengths > 2 + 4);
    }
}

TEST_CASE("vector_clock: counts the events that a path leads from, each process for itself") {
    const support::execution run = support::random_execution(4, 40, 7);
    const auto leads = run.reachability();
    const auto stamps = stamped(run, heap_storage{});
    for (std::size_t b = 0; b < run.events.size(); ++b)
        for (std::size_t p = 0; p < run.processes; ++p) {
            std::uint64_t known = run.events[b].process == p;
            for (std::size_t a = 0; a < b; ++a) known += leads[a][b] && run.events[a].process == p;
            CHECK(stamps[b][p] == known);
        }
}

TEST_CASE("vector_clock: what a clock does not reach to, it knows no event of") {
    CHECK(reading({1, 2}) == reading({1, 2, 0, 0}));
    CHECK(reading({1, 2}) < reading({1, 2, 0, 1}));
    CHECK(reading({1, 2, 0}) <= reading({1, 2}));
    CHECK(concurrent(reading({2}), reading({1, 1})));
    CHECK(reading({0, 0}) == vector_clock{});
    CHECK(reading({1, 2, 0, 0}).size() == 2);
    CHECK(reading({1, 2})[9] == 0);
}

TEST_CASE("vector_clock: learning is the least clock that knows all that both did") {
    vector_clock a = reading({3, 0, 2});
    const vector_clock b = reading({1, 4});
    CHECK(a.learn(b, 0));
    CHECK(a == reading({3, 4, 2}));
    CHECK(a.learn(b, 0));   // once more: nothing new
    CHECK(a == reading({3, 4, 2}));
    vector_clock c = reading({1, 4});
    CHECK(c.learn(reading({1, 3, 9}), 1));
    CHECK(same(c, reading({1, 4, 9})));
    vector_clock grown;
    CHECK(grown.learn(reading({0, 5, 0, 0}), 0));
    CHECK(same(grown, reading({0, 5})));   // no longer than it need be
}

// Outside the model

TEST_CASE("vector_clock: nobody else knows of more events of a process than itself") {
    constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    vector_clock mine = reading({2, 5});
    CHECK_FALSE(mine.learn(reading({9, 6}), 1));
    CHECK_FALSE(mine.learn(reading({0, last}), 1));
    CHECK(mine == reading({2, 5}));   // and nothing of it is believed
    CHECK(mine.learn(reading({9, 5}), 1));
    CHECK(mine == reading({9, 5}));
    CHECK(mine.tick(1) == 6);

    vector_clock forgetful;   // in its former life it had counted to 6
    CHECK_FALSE(forgetful.learn(mine, 1));
}

TEST_CASE("vector_clock: a process that has no room, and one event too many, are the caller's") {
    vector_clock<inplace_storage<2>> full;
    CHECK(full.tick(1) == 1);
    CHECK_THROWS(full.tick(2));
    CHECK_FALSE(inplace_storage<2>::holds(2 + 1));   // as whoever lets in a third can ask
    vector_clock old = reading({std::numeric_limits<std::uint64_t>::max() - 1});
    CHECK(old.tick(0) == std::numeric_limits<std::uint64_t>::max());
    CHECK_THROWS(old.tick(0));
}
