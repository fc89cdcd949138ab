// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/agenda.hpp>

#include <doctest/doctest.h>

#include <caucus/core/random.hpp>

#include <cstddef>
#include <map>
#include <vector>

using namespace caucus;
using namespace caucus::simulation;

namespace {

constexpr ticks horizon = agenda<int>::horizon;

/// What is due at that tick.
template <class T>
constexpr std::vector<T> taken(agenda<T>& a, ticks at) {
    std::vector<T> due;
    a.take(at, due);
    return due;
}

/// An agenda that anyone believes: a multimap keeps equal keys in order of insertion.
class oracle {
public:
    void add(ticks at, int thing) { things_.emplace(at, thing); }
    std::size_t size() const { return things_.size(); }
    ticks next() const { return things_.empty() ? never : things_.begin()->first; }
    std::vector<int> take(ticks at) {
        std::vector<int> due;
        for (auto [i, end] = things_.equal_range(at); i != end; ++i) due.push_back(i->second);
        things_.erase(at);
        return due;
    }

private:
    std::multimap<ticks, int> things_;
};

/// Random additions with delays below `spread`, and steps to the next tick or a little towards it.
void compare_with_oracle(std::uint64_t seed, ticks spread, std::size_t crowd) {
    CAPTURE(seed);
    CAPTURE(spread);
    random_source random{seed};
    agenda<int> subject;
    oracle expected;
    std::vector<int> due;
    ticks now = 0;
    for (int i = 0; i < 5000; ++i) {
        if (random.below(500) == 0) {
            subject.clear();
            expected = {};
        }
        for (std::size_t more = random.below(crowd); more > 0; --more) {
            const ticks at = now + random.below(spread);
            subject.add(at, i);
            expected.add(at, i);
        }
        REQUIRE(subject.size() == expected.size());
        REQUIRE(subject.empty() == (expected.size() == 0));
        REQUIRE(subject.next() == expected.next());
        if (subject.empty()) continue;
        const bool whole_way = random.below(4) != 0;
        now = whole_way ? subject.next() : now + random.below(subject.next() - now + 1);
        subject.take(now, due);
        REQUIRE(due == expected.take(now));
    }
}

}  // namespace

static_assert([] {
    agenda<int> a;
    a.add(3, 30);
    a.add(horizon + 3, 60);
    a.add(3, 31);
    const bool before = a.next() == 3 && a.size() == 3;
    const bool first = taken(a, 3) == std::vector{30, 31} && a.next() == horizon + 3;
    return before && first && taken(a, horizon + 3) == std::vector{60} && a.empty();
}());

TEST_CASE("agenda: agrees with a multimap, delays within and far beyond the horizon") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        compare_with_oracle(seed, 3, 4);
        compare_with_oracle(seed, horizon, 4);
        compare_with_oracle(seed, horizon + 2, 3);
        compare_with_oracle(seed, 3 * horizon, 6);
        compare_with_oracle(seed, 100 * horizon, 3);
        compare_with_oracle(seed, horizon * horizon * horizon, 3);
    }
}

TEST_CASE("agenda: what came through the heap keeps its place before what came later") {
    agenda<int> a;
    a.add(horizon + 5, 1);               // beyond the horizon
    a.add(horizon + 5, 2);
    CHECK(a.next() == horizon + 5);
    CHECK(taken(a, 6).empty());          // within reach from here on
    a.add(horizon + 5, 3);
    a.add(horizon + 4, 0);
    CHECK(taken(a, horizon + 4) == std::vector{0});
    a.add(horizon + 5, 4);
    CHECK(taken(a, horizon + 5) == std::vector{1, 2, 3, 4});
}

TEST_CASE("agenda: the last tick within the horizon and the first beyond are told apart") {
    for (const ticks start : {ticks{0}, ticks{1}, ticks{63}, ticks{64}, ticks{1000}, horizon}) {
        CAPTURE(start);
        agenda<int> a;
        CHECK(taken(a, start).empty());
        a.add(start + horizon, 2);
        a.add(start + horizon - 1, 1);
        a.add(start, 0);
        CHECK(a.next() == start);
        CHECK(taken(a, start) == std::vector{0});
        CHECK(a.next() == start + horizon - 1);
        CHECK(taken(a, start + horizon - 1) == std::vector{1});
        CHECK(a.next() == start + horizon);
        CHECK(taken(a, start + horizon) == std::vector{2});
        CHECK(a.next() == never);
    }
}

TEST_CASE("agenda: taking a tick too early takes nothing and loses nothing") {
    agenda<int> a;
    a.add(10, 1);
    a.add(10 * horizon, 2);
    for (ticks at = 0; at < 10; ++at) CHECK(taken(a, at).empty());
    CHECK(taken(a, 10) == std::vector{1});
    for (ticks at = 11; at < 10 * horizon; at += 97) CHECK(taken(a, at).empty());
    CHECK(a.size() == 1);
    CHECK(taken(a, 10 * horizon) == std::vector{2});
}

TEST_CASE("agenda: what was due before is cleared from the buffer handed in") {
    agenda<int> a;
    std::vector due{7, 8, 9};
    a.take(0, due);
    CHECK(due.empty());
    a.add(1, 1);
    due = {7};
    a.take(1, due);
    CHECK(due == std::vector{1});
}

TEST_CASE("agenda: buffers go round instead of being allocated anew") {
    agenda<int> a;
    std::vector<int> due;
    std::vector<const int*> buffers;
    for (ticks at = 1; at <= 3 * horizon; ++at) {
        a.add(at, 1);
        a.take(at, due);
        bool known = false;
        for (const int* b : buffers) known = known || b == due.data();
        if (!known) buffers.push_back(due.data());
    }
    CHECK(buffers.size() <= 2);
}

TEST_CASE("agenda: a moment that never comes waits for ever and hides nothing") {
    agenda<int> a;
    a.add(never, 1);
    CHECK(a.next() == never);
    CHECK_FALSE(a.empty());
    a.add(5000, 2);
    CHECK(a.next() == 5000);
    CHECK(taken(a, 5000) == std::vector{2});
    CHECK(a.next() == never);
    CHECK(a.size() == 1);
}

TEST_CASE("agenda: cleared, it has nothing to do, and goes on from the same tick") {
    agenda<int> a;
    CHECK(taken(a, 100).empty());
    for (const ticks at : {ticks{100}, ticks{163}, ticks{164}, 99 + horizon, 5 * horizon})
        a.add(at, 1);
    a.clear();
    CHECK(a.empty());
    CHECK(a.next() == never);
    a.add(99 + horizon, 2);
    a.add(100 + horizon, 3);
    CHECK(a.size() == 2);
    CHECK(taken(a, 99 + horizon) == std::vector{2});
    CHECK(taken(a, 100 + horizon) == std::vector{3});
    a.clear();
    CHECK(a.empty());
}

TEST_CASE("planned: what is due comes out by time, then as it was added, also what is overdue") {
    caucus::simulation::planned<int> plan;
    std::vector<int> due{1, 2, 3};
    CHECK(plan.next() == caucus::never);
    plan.take(5, due);
    CHECK(due.empty());
    plan.add(7, 71);
    plan.add(3, 31);
    plan.add(7, 72);
    plan.add(4000, 99);
    plan.add(3, 32);
    plan.add(5, 51);
    CHECK(plan.next() == 3);
    plan.take(2, due);
    CHECK(due.empty());
    plan.take(6, due);
    CHECK(due == std::vector{31, 32, 51});
    plan.add(7, 73);
    CHECK(plan.next() == 7);
    plan.take(7, due);
    CHECK(due == std::vector{71, 72, 73});
    CHECK(plan.next() == 4000);
    plan.take(caucus::never, due);
    CHECK(due == std::vector{99});
    CHECK(plan.next() == caucus::never);
}

TEST_CASE("due_heap: numbers come out in order, whatever the order in which they came") {
    caucus::simulation::due_heap heap;
    for (std::size_t i = 0; i < 500; ++i) heap.push(i * 7919 % 97, i);
    caucus::ticks last = 0;
    std::size_t last_number = 0;
    for (std::size_t i = 0; i < 500; ++i) {
        const caucus::ticks at = heap.next();
        const std::size_t number = heap.pop();
        CHECK(at == number * 7919 % 97);
        CHECK((i == 0 || last < at || (last == at && last_number < number)));
        last = at;
        last_number = number;
    }
    CHECK(heap.empty());
    heap.push(4, 1);
    heap.clear();
    CHECK(heap.next() == caucus::never);
}
