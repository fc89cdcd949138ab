// SPDX-License-Identifier: MIT
#include <caucus/core/policy.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>

using caucus::greatest;
using caucus::least;
using caucus::pick;
using caucus::policy;
using caucus::preference;
using caucus::storage;

namespace {

struct colouring {};
struct red { using decides = colouring; };
struct blue { using decides = colouring; };
struct big { using decides = storage; int size = 7; };
struct unrelated { using decides = struct nobodys_role; };

template <class... Policies>
constexpr bool accepted = caucus::roles<preference, storage, colouring>::cover<Policies...>;

struct nearest {   // a preference with a state; names no role, so it is the algorithm's own
    int target = 0;
    constexpr bool operator()(int a, int b) const { return distance(a) < distance(b); }
    constexpr int distance(int x) const { return x < target ? target - x : x - target; }
};

}  // namespace

// Any order, defaults where left out.
static_assert(std::is_same_v<policy<colouring, red>, red>);
static_assert(std::is_same_v<policy<colouring, red, big, blue>, blue>);
static_assert(std::is_same_v<policy<colouring, red, blue, big>, blue>);
static_assert(std::is_same_v<policy<storage, void, blue, nearest, big>, big>);
static_assert(std::is_same_v<policy<preference, greatest, big, nearest>, nearest>);
static_assert(std::is_same_v<policy<preference, greatest, big, blue>, greatest>);
static_assert(caucus::announces<> && caucus::announces<big, caucus::announce, blue>);
static_assert(!caucus::announces<big, caucus::silent>);

// None twice, none unknown.
static_assert(accepted<> && accepted<red> && accepted<red, big, least>);
static_assert(accepted<nearest, red> && accepted<big, nearest, blue>);
static_assert(!accepted<red, blue> && !accepted<red, red> && !accepted<least, nearest>);
static_assert(!accepted<red, big, big> && !accepted<unrelated> && !accepted<red, unrelated>);
static_assert(!accepted<red, blue, unrelated>);
static_assert(!caucus::roles<>::cover<red> && caucus::roles<>::cover<>);

// What may stand where options are left out: no other options.
template <class T>
constexpr bool is_policy_for_sure = caucus::detail::stands_for_no_options<T, int>;
static_assert(is_policy_for_sure<red> && is_policy_for_sure<unrelated>);
static_assert(is_policy_for_sure<nearest> && is_policy_for_sure<least>);
static_assert(!is_policy_for_sure<int> && !is_policy_for_sure<colouring>);
static_assert(!caucus::detail::stands_for_no_options<nearest, std::string>);
static_assert(caucus::detail::names_its_role<red> && !caucus::detail::names_its_role<nearest>);

TEST_CASE("pick: the value of the policy, wherever it stands, or a default one") {
    static_assert(std::is_same_v<decltype(pick<colouring, red>()), red>);
    static_assert(std::is_same_v<decltype(pick<colouring, red>(big{}, blue{})), blue>);
    CHECK(pick<storage, big>().size == 7);
    CHECK(pick<storage, big>(red{}, nearest{}).size == 7);
    CHECK(pick<storage, big>(red{}, nearest{}, big{9}).size == 9);
    CHECK(pick<storage, big>(big{9}, red{}).size == 9);
    CHECK(pick<preference, greatest>(big{}, nearest{40}).target == 40);
}

TEST_CASE("pick: a function object that names no role is the algorithm's own, a lambda too") {
    const auto shorter = [](const std::string& a, const std::string& b) {
        return a.size() < b.size();
    };
    const auto prefer = pick<preference, greatest>(red{}, shorter);
    CHECK(prefer("ab", "abc"));
    CHECK_FALSE(prefer("abc", "ab"));
    CHECK(pick<preference, greatest>(nearest{10})(9, 12));
}

TEST_CASE("greatest and least: strict, and each other's opposite") {
    for (const int a : {-1, 0, 5})
        for (const int b : {-1, 0, 5}) {
            CHECK(greatest{}(a, b) == (a > b));
            CHECK(least{}(a, b) == (a < b));
        }
    static_assert(std::is_same_v<greatest::decides, preference>);
    static_assert(std::is_same_v<least::decides, preference>);
}

TEST_CASE("maximum and sum: folds in the type of their arguments") {
    CHECK(caucus::maximum{}(3, 8) == 8);
    CHECK(caucus::maximum{}(8, 3) == 8);
    CHECK(caucus::maximum{}(std::string{"b"}, std::string{"ab"}) == "b");
    CHECK(caucus::sum{}(3, 8) == 11);
    using byte = unsigned char;
    static_assert(std::is_same_v<decltype(caucus::sum{}(byte{200}, byte{100})), byte>);
    CHECK(caucus::sum{}(byte{200}, byte{100}) == 44);   // wraps as the type does
    static_assert(std::is_same_v<caucus::maximum::decides, caucus::folding>);
    static_assert(std::is_same_v<caucus::sum::decides, caucus::folding>);
}
