// SPDX-License-Identifier: MIT
#include <caucus/core/sort.hpp>

#include <doctest/doctest.h>

#include <caucus/core/random.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

namespace {

struct card {
    int rank;
    std::size_t dealt;
    friend bool operator==(const card&, const card&) = default;
};
constexpr bool lower(const card& a, const card& b) { return a.rank < b.rank; }

std::vector<card> deal(std::size_t count, std::uint64_t ranks, caucus::random_source& r) {
    std::vector<card> cards;
    for (std::size_t i = 0; i < count; ++i) cards.push_back({static_cast<int>(r.below(ranks)), i});
    return cards;
}

}  // namespace

static_assert([] {
    std::vector<int> v{3, 1, 2, 1, 0};
    caucus::stable_sort(v, [](int a, int b) { return a < b; });
    return v == std::vector<int>{0, 1, 1, 2, 3};
}());

static_assert([] {
    std::array v{3, 1, 2, 1, 0};
    caucus::sort_in_place(v, [](int a, int b) { return a < b; });
    return v == std::array{0, 1, 1, 2, 3};
}());

TEST_CASE("sort_in_place: as std::sort, all sizes to 70 and 5000, few and many equal elements") {
    caucus::random_source r{12};
    const auto check = [&](std::size_t count, std::uint64_t ranks) {
        std::vector<int> ours;
        for (const card& c : deal(count, ranks, r)) ours.push_back(c.rank);
        std::vector<int> theirs = ours;
        std::size_t looks = 0;
        caucus::sort_in_place(ours, [&](int a, int b) { ++looks; return a < b; });
        std::sort(theirs.begin(), theirs.end());
        CHECK(ours == theirs);
        CHECK(looks <= 2 * count * std::bit_width(count));
    };
    for (std::size_t count = 0; count <= 70; ++count)
        for (const std::uint64_t ranks : {1u, 2u, 5u, 1000u}) check(count, ranks);
    check(5000, 100'000);
}

TEST_CASE("stable_sort: as std::stable_sort, all sizes to 70, few and many equal elements") {
    caucus::random_source r{11};
    for (std::size_t count = 0; count <= 70; ++count)
        for (const std::uint64_t ranks : {1u, 2u, 5u, 1000u}) {
            std::vector<card> ours = deal(count, ranks, r);
            std::vector<card> theirs = ours;
            caucus::stable_sort(ours, lower);
            std::stable_sort(theirs.begin(), theirs.end(), lower);
            CAPTURE(count);
            CAPTURE(ranks);
            CHECK(ours == theirs);
        }
}

TEST_CASE("stable_sort: what is in order already costs one look at each pair of neighbours") {
    std::vector<int> v{1, 2, 2, 3, 9};
    int looks = 0;
    caucus::stable_sort(v, [&](int a, int b) { ++looks; return a < b; });
    CHECK(looks == 4);
    CHECK(v == std::vector<int>{1, 2, 2, 3, 9});
}

TEST_CASE("stable_sort: moves its elements, and never copies them") {
    std::vector<std::unique_ptr<int>> v;
    for (const int i : {2, 0, 1}) v.push_back(std::make_unique<int>(i));
    caucus::stable_sort(v, [](const auto& a, const auto& b) { return *a < *b; });
    CHECK((*v[0] == 0 && *v[1] == 1 && *v[2] == 2));
}

TEST_CASE("erase_where: takes out what is meant, the others stay in their order") {
    std::vector<int> v{1, 2, 3, 4, 5, 6};
    caucus::erase_where(v, [](int i) { return i % 2 == 0; });
    CHECK(v == std::vector<int>{1, 3, 5});
    caucus::erase_where(v, [](int) { return false; });
    CHECK(v.size() == 3);
    std::vector<std::unique_ptr<int>> owned;
    for (int i = 0; i < 3; ++i) owned.push_back(std::make_unique<int>(i));
    caucus::erase_where(owned, [](const auto& p) { return *p == 0; });
    REQUIRE(owned.size() == 2);
    CHECK(*owned[0] == 1);
    caucus::erase_where(v, [](int) { return true; });
    CHECK(v.empty());
}
