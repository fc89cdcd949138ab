// SPDX-License-Identifier: MIT
#define CAUCUS_ASSERT(condition) ((condition) ? void() : throw #condition)
#include <caucus/core/timer_table.hpp>

#include <caucus/core/print.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <new>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;

namespace {
std::size_t allocations = 0;
}
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* room = std::malloc(size)) return room;
    throw std::bad_alloc{};
}
[[gnu::noinline]] void operator delete(void* room) noexcept { std::free(room); }
[[gnu::noinline]] void operator delete(void* room, std::size_t) noexcept { std::free(room); }

namespace {

struct retry {
    std::uint32_t number = 0;
};
struct give_up {};
using timer = std::variant<retry, give_up>;

/// All that are armed, as they become due.
template <class Table>
constexpr auto drained(Table table) {
    std::vector<std::pair<ticks, std::uint32_t>> due;
    while (!table.empty()) {
        const ticks at = table.first().at;
        const timer t = table.take_first();
        const retry* r = std::get_if<retry>(&t);
        due.emplace_back(at, r == nullptr ? 999 : r->number);
    }
    return due;
}
using deadlines = std::vector<std::pair<ticks, std::uint32_t>>;

/// One that has nothing but ==.
class opaque {
public:
    opaque() = default;
    explicit opaque(int value) : value_(value) {}
    friend bool operator==(const opaque&, const opaque&) = default;

private:
    int value_ = 0;
};
struct opaque_timer {
    opaque name;
};

}  // namespace

// Room for few timers has none for an index.
static_assert(sizeof(timer_table<retry, inplace_storage<4>>) == 4 * 16 + 8);
static_assert(sizeof(timer_table<retry, inplace_storage<32>>) == 32 * 16 + 8);
static_assert(sizeof(timer_table<retry, inplace_storage<33>>) > 33 * 16 + 128 * 4);
static_assert(sizeof(timer_table<nothing, inplace_storage<0>>) <= 2);

TEST_CASE_TEMPLATE("timer_table: due by time, then value; arming again replaces", table,
                   timer_table<timer>, timer_table<timer, inplace_storage<4>>,
                   timer_table<timer, inplace_storage<50>>) {
    table armed;
    CHECK(armed.empty());
    armed.arm(retry{2}, 7);
    armed.arm(give_up{}, 7);
    armed.arm(retry{1}, 7);
    armed.arm(retry{3}, 5);
    CHECK(drained(armed) == deadlines{{5, 3}, {7, 1}, {7, 2}, {7, 999}});
    armed.arm(retry{3}, 8);
    armed.arm(retry{2}, 6);
    CHECK(drained(armed) == deadlines{{6, 2}, {7, 1}, {7, 999}, {8, 3}});
    CHECK(armed.disarm(retry{1}));
    CHECK_FALSE(armed.disarm(retry{1}));
    CHECK(armed.count() == 3);
    CHECK(armed.find(retry{1}) == nullptr);
    CHECK(armed.find(give_up{})->at == 7);
    armed.clear();
    CHECK(armed.empty());
    CHECK(armed.find(give_up{}) == nullptr);
}

TEST_CASE_TEMPLATE("timer_table: agrees with a map, few timers and many, random operations", table,
                   timer_table<timer>, timer_table<timer, inplace_storage<300>>,
                   timer_table<opaque_timer, inplace_storage<300>>, timer_table<opaque_timer>) {
    const auto named = [](std::uint32_t n) {
        if constexpr (requires(table t) { t.arm(retry{}, 1); }) return timer{retry{n}};
        else return opaque_timer{opaque{static_cast<int>(n)}};
    };
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        random_source bits{seed};
        table armed;
        std::map<std::uint32_t, ticks> expected;
        for (std::size_t step = 0; step < 1500; ++step) {
            // Waves: towards many timers, then back to few, across every size in between.
            const bool flood = step / 250 % 2 == 0;
            const auto n = static_cast<std::uint32_t>(bits.below(seed % 3 == 0 ? 45 : 300));
            if (bits.below(8) < (flood ? 7u : 2u)) {
                const ticks at = bits.below(50);
                armed.arm(named(n), at);
                expected[n] = at;
            } else if (bits.below(2) == 0) {
                CHECK(armed.disarm(named(n)) == (expected.erase(n) == 1));
            } else if (!expected.empty()) {
                ticks least = never;
                for (const auto& each : expected) least = each.second < least ? each.second : least;
                REQUIRE(armed.first().at == least);
                const auto due = armed.take_first();
                for (const auto& [name, at] : std::map(expected))
                    if (caucus::same(due, named(name))) {
                        CHECK(at == least);
                        expected.erase(name);
                    }
            }
            REQUIRE(armed.count() == expected.size());
        }
        for (std::uint32_t n = 0; n < 300; ++n) {
            const auto* found = armed.find(named(n));
            REQUIRE((found != nullptr) == (expected.count(n) == 1));
            if (found != nullptr) CHECK(found->at == expected[n]);
        }
    }
}

TEST_CASE("timer_table: many timers come out in order") {
    timer_table<timer> armed;
    random_source bits{7};
    for (std::uint32_t n = 0; n < 1000; ++n) armed.arm(retry{n}, bits.below(100));
    const deadlines due = drained(armed);
    CHECK(due.size() == 1000);
    for (std::size_t i = 1; i < due.size(); ++i) REQUIRE(due[i - 1] < due[i]);
}

TEST_CASE("timer_table: nothing is left of many timers that were cleared") {
    timer_table<timer> armed;
    for (std::uint32_t n = 0; n < 50; ++n) armed.arm(retry{n}, 9);
    armed.clear();
    for (std::uint32_t n = 0; n < 50; ++n) CHECK(armed.find(retry{n}) == nullptr);
    armed.arm(retry{3}, 5);
    CHECK(drained(armed) == deadlines{{5, 3}});
}

TEST_CASE("timer_table: two timers are two, whatever their hashes") {
    std::map<std::uint32_t, std::uint32_t> by_hash;   // as much of the hash as a table looks at
    std::uint32_t one = 0;
    std::uint32_t other = 0;
    for (bool found = false; !found; ++other) {
        const auto hash = static_cast<std::uint32_t>(caucus::hash(timer{retry{other + 1}}));
        const auto [at, is_new] = by_hash.try_emplace(hash, other + 1);
        one = at->second;
        found = !is_new;
    }
    timer_table<timer> armed;
    for (std::uint32_t n = 0; n < 50; ++n) armed.arm(retry{1'000'000 + n}, 9);
    armed.arm(retry{one}, 1);
    armed.arm(retry{other}, 2);
    CHECK(armed.count() == 52);
    CHECK(armed.find(retry{one})->at == 1);
    CHECK(armed.find(retry{other})->at == 2);
    CHECK(armed.disarm(retry{one}));
    CHECK(armed.find(retry{one}) == nullptr);
    CHECK(armed.find(retry{other}) != nullptr);
}

TEST_CASE("timer_table: the same timers are the same table, whatever was armed before") {
    timer_table<timer> one;
    timer_table<timer> other;
    for (std::uint32_t n = 0; n < 50; ++n) one.arm(retry{n}, 70 - n);
    for (std::uint32_t n = 50; n-- != 3;) other.arm(retry{n}, 70 - n);
    CHECK_FALSE(caucus::same(one, other));
    for (std::uint32_t n = 0; n < 3; ++n) CHECK(one.disarm(retry{n}));
    CHECK(caucus::same(one, other));
    CHECK(caucus::hash(one) == caucus::hash(other));
    for (std::uint32_t n = 4; n < 50; ++n) CHECK(one.disarm(retry{n}));
    timer_table<timer> fresh;
    fresh.arm(retry{3}, 67);
    CHECK(caucus::same(one, fresh));
    CHECK(caucus::hash(one) == caucus::hash(fresh));
    fresh.arm(retry{3}, 68);
    CHECK_FALSE(caucus::same(one, fresh));
}

TEST_CASE("timer_table: what else is remembered of a timer goes with it") {
    timer_table<timer, heap_storage, int> armed;
    for (std::uint32_t n = 0; n < 40; ++n) armed.arm(retry{n}, 90 - n, static_cast<int>(n));
    armed.arm(retry{5}, 1, 55);
    CHECK(armed.first().extra == 55);
    for (const auto& e : armed.all()) {
        const std::uint32_t n = std::get<retry>(e.timer).number;
        CHECK(e.extra == (n == 5 ? 55 : static_cast<int>(n)));
    }
}

TEST_CASE("timer_table: one timer too many for its place is an assertion") {
    timer_table<timer, inplace_storage<2>> armed;
    armed.arm(retry{1}, 1);
    armed.arm(retry{2}, 1);
    armed.arm(retry{2}, 2);
    CHECK_THROWS(armed.arm(retry{3}, 1));
}

TEST_CASE("timer_table: allocates nothing for as many timers as were reserved, nor in place") {
    timer_table<timer> armed;
    armed.reserve(100);
    timer_table<timer, inplace_storage<100>> in_place;
    const std::size_t before = allocations;
    for (std::uint32_t turn = 0; turn < 3; ++turn) {
        for (std::uint32_t n = 0; n < 100; ++n) {
            armed.arm(retry{n}, 1000 - n);
            in_place.arm(retry{n}, 1000 - n);
        }
        for (std::uint32_t n = 0; n < 99; ++n) {
            armed.disarm(retry{n});
            in_place.disarm(retry{n});
        }
    }
    CHECK(allocations == before);
}

constexpr bool works_in_constant_evaluation() {
    timer_table<timer, inplace_storage<40>> armed;
    timer_table<timer> on_heap;
    for (std::uint32_t n = 0; n < 40; ++n) {
        armed.arm(retry{n}, 90 - n);
        on_heap.arm(retry{n}, 90 - n);
    }
    for (std::uint32_t n = 0; n < 40; n += 2) armed.disarm(retry{n});
    return armed.count() == 20 && armed.first().at == 51 && on_heap.first().at == 51 &&
           on_heap.find(retry{4})->at == 86;
}
static_assert(works_in_constant_evaluation());
