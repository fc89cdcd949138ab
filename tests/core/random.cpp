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
