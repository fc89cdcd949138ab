// SPDX-License-Identifier: MIT
#include <caucus/run/random_ids.hpp>

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <vector>

using namespace caucus;

static_assert(random_ids(1, 5) == std::vector{1});
static_assert(random_ids<long>(0, 5).empty());

TEST_CASE("random_ids: each of 1 to n once, the same for the same seed") {
    for (const std::size_t n : {2u, 17u, 1000u}) {
        const std::vector<int> ids = random_ids(n, 7);
        const std::set<int> distinct(ids.begin(), ids.end());
        CHECK(ids.size() == n);
        CHECK(distinct.size() == n);
        CHECK(*distinct.begin() == 1);
        CHECK(*distinct.rbegin() == static_cast<int>(n));
        CHECK(ids == random_ids(n, 7));
    }
    CHECK(random_ids(17, 7) != random_ids(17, 8));
    CHECK(random_ids<std::uint8_t>(255, 1).size() == 255);
    CHECK_THROWS_AS(random_ids<std::uint8_t>(256, 1), error);
    CHECK_THROWS_AS(random_ids<signed char>(128, 1), error);
}

TEST_CASE("random_ids: all orders, about equally often") {
    std::map<std::vector<int>, int> seen;
    for (std::uint64_t seed = 0; seed < 6000; ++seed) ++seen[random_ids(3, seed)];
    CHECK(seen.size() == 6);
    for (const auto& [order, times] : seen) {
        CHECK(times > 850);
        CHECK(times < 1150);
    }
}
