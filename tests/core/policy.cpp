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

// What is no policy is not accepted, whatever else it is.
struct limits { int limit = 0; };
struct finished final {
    constexpr bool operator()(int a, int b) const { return a < b; }
};
using caucus::detail::is_policy;
static_assert(is_policy<red> && is_policy<unrelated> && is_policy<big>);
static_assert(is_policy<nearest> && is_policy<least> && is_policy<finished>);
static_assert(is_policy<bool (*)(int, int)> && is_policy<decltype([](auto, auto) { return 1; })>);
static_assert(!is_policy<int> && !is_policy<colouring> && !is_policy<limits>);
static_assert(!is_policy<std::string> && !is_policy<int*>);
static_assert(!accepted<limits> && !accepted<red, limits> && !accepted<int>);

// What may be given for the policies that a type was named with.
template <class T>
constexpr bool fits = caucus::detail::fits_one_of<T, blue, bool (*)(int, int)>;
static_assert(fits<blue> && !fits<red> && !fits<big> && !fits<limits>);
static_assert(fits<bool (*)(int, int)> && fits<decltype([](int, int) { return true; })>);
static_assert(!fits<nearest> && !caucus::detail::fits_one_of<blue>);

namespace {

/// As the header tells a class with options to be written.
template <class P, class... Policies>
class patient {
    static_assert(caucus::roles<preference, colouring>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, nearest, Policies...>;

public:
    template <class... Given>
        requires(... && caucus::detail::fits_one_of<Given, Policies...>)
    constexpr explicit patient(P process, limits options = {}, Given... policies)
        : process_(process), options_(options), prefer_(pick<preference, prefer>(policies...)) {}
    template <caucus::detail::fits_one_of<Policies...> First,
              caucus::detail::fits_one_of<Policies...>... Rest>
    constexpr explicit patient(P process, First first, Rest... rest)
        : patient(process, {}, first, rest...) {}

    constexpr bool has(P process, int limit, int target) const {
        return process_ == process && options_.limit == limit && prefer_.target == target;
    }

private:
    P process_;
    limits options_;
    prefer prefer_;
};
template <class P, class... Policies>
patient(P, limits = {}, Policies...) -> patient<P, Policies...>;
template <class P, caucus::detail::other_than<limits> First, class... Rest>
patient(P, First, Rest...) -> patient<P, First, Rest...>;

}  // namespace

TEST_CASE("a class with options: they or policies or both may be left out, policies in any order") {
    CHECK(patient{7}.has(7, 0, 0));
    CHECK(patient{7, {}}.has(7, 0, 0));
    CHECK(patient{7, limits{3}}.has(7, 3, 0));
    CHECK(patient{7, {.limit = 3}}.has(7, 3, 0));
    const limits three{3};
    CHECK(patient{7, three}.has(7, 3, 0));
    CHECK(patient{7, red{}, nearest{4}}.has(7, 0, 4));
    CHECK(patient{7, nearest{4}, red{}}.has(7, 0, 4));
    CHECK(patient{7, red{}}.has(7, 0, 0));
    CHECK(patient{7, {}, nearest{4}}.has(7, 0, 4));
    CHECK(patient{7, {.limit = 3}, red{}, nearest{4}}.has(7, 3, 4));
    CHECK(patient{7, three, nearest{4}, red{}}.has(7, 3, 4));
    static_assert(std::is_same_v<decltype(patient{7, red{}}), patient<int, red>>);
}

TEST_CASE("a class with options, named with its policies: they need not be given again") {
    using named = patient<int, red, nearest>;
    CHECK(named{7}.has(7, 0, 0));
    CHECK(named{7, {}}.has(7, 0, 0));
    CHECK(named{7, {.limit = 3}}.has(7, 3, 0));
    CHECK(named{7, nearest{4}}.has(7, 0, 4));
    CHECK(named{7, nearest{4}, red{}}.has(7, 0, 4));
    CHECK(named{7, {.limit = 3}, nearest{4}, red{}}.has(7, 3, 4));
    static_assert(!std::is_constructible_v<named, int, blue>);
    static_assert(!std::is_constructible_v<named, int, limits, blue>);
    static_assert(!std::is_constructible_v<named, int, red, limits>);
}

TEST_CASE("chooses: the policy that plays a role, or the default") {
    static_assert(caucus::chooses<red, red> && !caucus::chooses<red, blue>);
    static_assert(caucus::chooses<red, blue, big, red>);
    static_assert(!caucus::chooses<red, red, nearest, blue>);
    static_assert(caucus::announces<red> && !caucus::announces<red, caucus::silent>);
}

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
