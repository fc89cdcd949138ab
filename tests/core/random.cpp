// SPDX-License-Identifier: MIT
#include <caucus/core/random.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using caucus::random_source;

// The reference implementation's first draws from seed 1234567.
static_assert([] {
    random_source source{1234567};
    return source.bits() == 6457827717110365317u && source.bits() == 3203168211198807973u &&
           source.bits() == 9817491932198370423u;
}());

static_assert(caucus::mix(1, 2) != caucus::mix(2, 1));
static_assert(caucus::mix(0) == 0 && caucus::mix(1) == 6238072747940578789u);
static_assert(caucus::mix(1, 2) == 7235116703822611636u);
static_assert(caucus::mix(0, 0) == 5197578548964807871u);

// Fixed draws: what a seed gives must never change, or every recorded seed tells another story.
static_assert([] {
    random_source source{42};
    return source.below(10) == 3 && source.below(1000) == 291 && source.below(1u << 20) == 1023826;
}());
static_assert([] {
    random_source source{42};
    std::array order{0, 1, 2, 3, 4, 5, 6, 7};
    source.shuffle(order);
    return order == std::array{3, 1, 6, 2, 4, 0, 7, 5};
}());

TEST_CASE("below: every result under the bound comes up, about equally often") {
    random_source source{1};
    std::array<int, 7> count{};
    constexpr int draws = 70'000;
    for (int i = 0; i < draws; ++i) ++count[source.below(count.size())];
    for (const int c : count) CHECK(std::abs(c - draws / 7) < 400);   // four standard deviations
    CHECK(source.below(1) == 0);
}

TEST_CASE("below: a bound of 3 * 2^62 favours no third, as a bare remainder would") {
    random_source source{2};
    std::array<int, 3> count{};
    constexpr std::uint64_t third = std::uint64_t{1} << 62;
    for (int i = 0; i < 30'000; ++i) ++count[source.below(3 * third) / third];
    for (const int c : count) CHECK(std::abs(c - 10'000) < 330);
}

TEST_CASE("shuffle: every order of four comes up, about equally often") {
    random_source source{3};
    std::map<std::array<int, 4>, int> count;
    for (int i = 0; i < 24'000; ++i) {
        std::array order{0, 1, 2, 3};
        source.shuffle(order);
        ++count[order];
    }
    CHECK(count.size() == 24);
    for (const auto& [order, c] : count) {
        CHECK(std::is_permutation(order.begin(), order.end(), std::array{0, 1, 2, 3}.begin()));
        CHECK(std::abs(c - 1000) < 130);
    }
}

TEST_CASE("below: any bound is kept, the largest too, and thrown away draws are drawn again") {
    random_source source{4};
    for (const std::uint64_t bound : {1ull, 2ull, 3ull, 1ull << 32, (1ull << 63) + 1, ~0ull})
        for (int i = 0; i < 200; ++i) CHECK(source.below(bound) < bound);
    // Just over half of all: nearly every second draw is thrown away, by hand on the right.
    constexpr std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
    random_source ours{5}, theirs{5};
    for (int i = 0; i < 100; ++i) {
        std::uint64_t draw = theirs.bits();
        while (draw < bound - 2) draw = theirs.bits();   // 2^64 mod bound
        CHECK(ours.below(bound) == draw % bound);
    }
}

TEST_CASE("below: where every draw is fair, none is thrown away, not even the least") {
    random_source zero_first{0 - 0x9e3779b97f4a7c15u}, same{0 - 0x9e3779b97f4a7c15u};
    REQUIRE(same.bits() == 0);
    CHECK(zero_first.below(4) == 0);
    CHECK(zero_first.bits() == same.bits());
}

TEST_CASE("shuffle: nothing and one element need no draw") {
    random_source shuffled{6}, untouched{6};
    std::array<int, 0> none{};
    std::array one{7};
    shuffled.shuffle(none);
    shuffled.shuffle(one);
    CHECK(one[0] == 7);
    CHECK(shuffled.bits() == untouched.bits());
}

TEST_CASE("random_source: what has a probability happens that often; the impossible draws none") {
    random_source source{7};
    int hits = 0;
    for (int i = 0; i < 10'000; ++i) hits += source.happens(0.3);
    CHECK(hits > 3000 - 4 * 46);   // 4 standard deviations
    CHECK(hits < 3000 + 4 * 46);
    for (int i = 0; i < 1000; ++i) CHECK(source.happens(1));
    random_source drawn{9};
    random_source untouched{9};
    CHECK_FALSE(drawn.happens(0));
    CHECK(drawn.bits() == untouched.bits());
}
