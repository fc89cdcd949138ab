// SPDX-License-Identifier: MIT
struct broken_promise {};
#define CAUCUS_ASSERT(condition) ((condition) ? void() : throw broken_promise{})
#include <caucus/core/storage.hpp>

#include <doctest/doctest.h>

#include <caucus/core/fields.hpp>

#include <string>

using caucus::heap_storage;
using caucus::inplace_sequence;
using caucus::inplace_storage;

static_assert(!heap_storage::bounded && inplace_storage<3>::bounded);
static_assert(heap_storage::holds(0) && heap_storage::holds(1'000'000));
static_assert(inplace_storage<3>::holds(3) && !inplace_storage<3>::holds(4));
static_assert(inplace_storage<0>::holds(0) && !inplace_storage<0>::holds(1));
static_assert(inplace_storage<3>::capacity == 3);
static_assert(inplace_storage<3>::sequence<int>::capacity() == 3);
static_assert(std::is_same_v<heap_storage::sequence<int>, std::vector<int>>);
static_assert(std::is_same_v<inplace_storage<3>::sequence<int>, inplace_sequence<int, 3>>);
static_assert(std::is_same_v<heap_storage::decides, caucus::storage>);
static_assert(std::is_same_v<inplace_storage<3>::decides, caucus::storage>);
static_assert(sizeof(inplace_sequence<std::uint32_t, 3>) == 16);
static_assert(std::is_empty_v<inplace_sequence<std::uint8_t, 0>>);
static_assert(std::is_trivially_copyable_v<inplace_sequence<int, 3>>);
static_assert(caucus::overflow{}.needed == 0);

static_assert(std::is_same_v<caucus::storage_for<std::vector<int>>, heap_storage>);
static_assert(std::is_same_v<caucus::storage_for<std::array<int, 3>>, inplace_storage<3>>);
static_assert(std::is_same_v<caucus::storage_for<inplace_sequence<int, 3>>, inplace_storage<3>>);
static_assert(caucus::surely_holds<heap_storage, std::vector<int>>());
static_assert(caucus::surely_holds<heap_storage, std::array<int, 3>>());
static_assert(caucus::surely_holds<inplace_storage<3>, std::array<int, 3>>());
static_assert(!caucus::surely_holds<inplace_storage<3>, std::array<int, 4>>());
static_assert(!caucus::surely_holds<inplace_storage<3>, std::vector<int>>());

static_assert([] {   // in constant evaluation too
    inplace_sequence<int, 4> s;
    s.push_back(1);
    s.resize(3, 7);
    s[0] = 2;
    return s.size() == 3 && s[0] == 2 && s[2] == 7 && s.end() - s.begin() == 3;
}());

template <class T>
static bool equal(const inplace_sequence<T, 6>& ours, const std::vector<T>& theirs) {
    bool all = ours.size() == theirs.size() &&
               ours.begin() + ours.size() == ours.end();
    for (std::size_t i = 0; all && i < theirs.size(); ++i)
        all = ours[i] == theirs[i] && *(ours.begin() + i) == theirs[i];
    return all;
}

TEST_CASE("inplace_sequence: as std::vector, over 20,000 random operations") {
    inplace_sequence<std::string, 6> ours;
    std::vector<std::string> theirs;
    caucus::random_source r{3};
    bool same_all_along = true;
    int full = 0;
    for (int step = 0; step < 20'000; ++step) {
        const std::string value = "a word too long to be kept in place " + std::to_string(step);
        const std::size_t at = static_cast<std::size_t>(r.below(7));
        switch (r.below(8)) {
            case 0: ours.clear(), theirs.clear(); break;
            case 1: ours.resize(at, value), theirs.resize(at, value); break;
            case 2: if (at < theirs.size()) ours[at] = theirs[at] = value; break;
            case 3: for (auto& word : ours) word += "!";
                    for (auto& word : theirs) word += "!";
                    break;
            default: if (theirs.size() < 6) ours.push_back(value), theirs.push_back(value);
        }
        full += theirs.size() == 6 ? 1 : 0;
        same_all_along = same_all_along && equal(ours, theirs);
        const auto copy = ours;
        same_all_along = same_all_along && equal(copy, theirs) && caucus::same(copy, ours);
    }
    CHECK(same_all_along);
    CHECK(full > 100);
}

TEST_CASE("inplace_sequence: what was removed is given up at once") {
    static int alive = 0;
    struct counted {
        bool held = false;
        counted() = default;
        explicit counted(int) : held(true) { ++alive; }
        counted(const counted& other) : held(other.held) { alive += held ? 1 : 0; }
        counted& operator=(const counted& other) {
            alive += (other.held ? 1 : 0) - (held ? 1 : 0);
            held = other.held;
            return *this;
        }
        ~counted() { alive -= held ? 1 : 0; }
    };
    inplace_sequence<counted, 4> s;
    s.resize(4, counted{1});
    CHECK(alive == 4);
    s.resize(1, counted{});
    CHECK(alive == 1);
    s.clear();
    CHECK(alive == 0);
}

TEST_CASE("inplace_sequence: what a caller must not do is caught") {
    inplace_sequence<int, 3> s;
    s.resize(2, 5);
    const auto& constant = s;
    CHECK(constant[1] == 5);
    CHECK_THROWS_AS(s[2] = 1, broken_promise);
    CHECK_THROWS_AS(static_cast<void>(constant[2]), broken_promise);
    s.push_back(6);
    CHECK_THROWS_AS(s.push_back(7), broken_promise);
    CHECK_THROWS_AS(s.resize(4, 7), broken_promise);
    CHECK((s.size() == 3 && s[2] == 6));
}
