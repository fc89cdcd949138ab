// SPDX-License-Identifier: MIT
#include <caucus/wave/steering.hpp>

#include <doctest/doctest.h>

#include <array>
#include <type_traits>
#include <vector>

using namespace caucus;

namespace {

template <class Steering, class Store = typename Steering::own_storage>
auto stop_at(const Steering& known) {
    return stopover<Steering, Store>{known};
}

/// An environment that only hears reports.
template <class Outcome>
struct ear {
    std::size_t ports = 0;
    std::vector<Outcome> heard{};
    std::size_t degree() const { return ports; }
    void report(const Outcome& o) { heard.push_back(o); }
};
using bounded_outcome = std::variant<completed<int>, overflow>;

}  // namespace

static_assert(std::is_same_v<by_colour::own_storage, heap_storage>);
static_assert(std::is_same_v<decltype(by_path{1, std::vector{2, 3}})::own_storage, heap_storage>);
static_assert(std::is_same_v<decltype(by_path{1, std::array{2, 3}})::own_storage,
                             inplace_storage<3>>);
static_assert(std::is_empty_v<by_colour::guide<heap_storage>::trail>);
static_assert(by_colour::names == naming::anonymous);
static_assert(by_path<int, std::vector<int>>::names == naming::distinct);
static_assert(by_colour::links_walked({.nodes = 4, .links = 6}) == 6);
static_assert(by_path<int, std::vector<int>>::links_walked({.nodes = 4, .links = 6}) == 3);
static_assert(sizeof(stopover<by_colour, inplace_storage<8>>) <= 32);

TEST_CASE("by_colour: every port is taken once, in order, but for those the token came by") {
    auto here = stop_at(by_colour{});
    decltype(here)::trail visited;
    here.enter(visited, port{1});
    CHECK(here.parent() == port{1});
    CHECK(here.way_on(visited, 4) == port{0});
    CHECK(here.awaits(port{0}));
    CHECK_FALSE(here.awaits(port{1}));
    CHECK(here.turn_back(port{2}));         // comes round by 2: coloured, and sent back
    CHECK_FALSE(here.turn_back(port{2}));   // repetitions
    CHECK_FALSE(here.turn_back(port{1}));
    CHECK(here.way_on(visited, 4) == port{3});
    CHECK_FALSE(here.way_on(visited, 4));
    for (const port p : ports(4)) {
        CHECK_FALSE(here.awaits(p));
        CHECK_FALSE(here.turn_back(p));
    }
}

TEST_CASE("by_colour: a new token finds all ports uncoloured; where it starts there is no parent") {
    auto here = stop_at(by_colour{});
    decltype(here)::trail visited;
    here.enter(visited, port{1});
    CHECK(here.way_on(visited, 2) == port{0});
    here.enter(visited, std::nullopt);
    CHECK_FALSE(here.parent());
    CHECK_FALSE(here.awaits(port{0}));
    CHECK(here.way_on(visited, 2) == port{0});
    CHECK(here.way_on(visited, 2) == port{1});
}

TEST_CASE("by_colour: storage for 64 ports is never asked for a 65th") {
    auto here = stop_at<by_colour, inplace_storage<64>>({});
    decltype(here)::trail visited;
    here.enter(visited, port{0});
    for (std::size_t p = 1; p < 64; ++p) CHECK(here.way_on(visited, 64) == port{p});
    CHECK_FALSE(here.way_on(visited, 64));
}

TEST_CASE("by_path: the ways lead to those that are not in the list, in order of ports") {
    auto here = stop_at(by_path{7, std::vector{1, 2, 3, 4}});
    CHECK(here.guide().id() == 7);
    CHECK(here.guide().peers() == std::vector{1, 2, 3, 4});
    std::vector<int> visited{2};
    here.enter(visited, port{1});
    CHECK(visited == std::vector{2, 7});
    CHECK(here.way_on(visited, 4) == port{0});
    visited.push_back(1);
    visited.push_back(3);   // the token has met 3 behind 1
    CHECK(here.way_on(visited, 4) == port{3});
    CHECK_FALSE(here.turn_back(port{2}));
    visited.push_back(4);
    CHECK_FALSE(here.way_on(visited, 4));
}

TEST_CASE("by_path: a port behind which nobody is known is never taken") {
    auto here = stop_at(by_path{7, std::vector{1}});
    std::vector<int> visited;
    here.enter(visited, std::nullopt);
    CHECK(here.way_on(visited, 2) == port{0});
    CHECK_FALSE(here.way_on(visited, 2));
}

TEST_CASE("stopover: says so when there is no room for its ports, or for its id in the list") {
    ear<bounded_outcome> env{2};
    const auto narrow = stop_at<by_colour, inplace_storage<1>>({});
    CHECK(narrow.overflows<bounded_outcome>({}, env));
    CHECK(std::get<overflow>(env.heard.at(0)).needed == 2);
    env.ports = 1;
    CHECK_FALSE(narrow.overflows<bounded_outcome>({}, env));
    CHECK(env.heard.size() == 1);

    const auto known = by_path{7, std::vector{1, 2}};
    const auto small = stop_at<decltype(known), inplace_storage<2>>(known);
    CHECK(small.guide().peers().size() == 2);
    inplace_sequence<int, 2> visited;
    visited.push_back(1);
    CHECK_FALSE(small.overflows<bounded_outcome>(visited, env));
    visited.push_back(2);
    CHECK(small.overflows<bounded_outcome>(visited, env));
    CHECK(std::get<overflow>(env.heard.at(1)).needed == 3);
}

TEST_CASE("stopover: on the heap there is always room") {
    ear<completed<int>> env{1000};
    CHECK_FALSE(stop_at(by_colour{}).overflows<completed<int>>({}, env));
    const std::vector<int> visited(1000, 1);
    CHECK_FALSE(stop_at(by_path{7, std::vector{1}}).overflows<completed<int>>(visited, env));
    CHECK(env.heard.empty());
}

TEST_CASE("by_path: more peers than there is room for are refused") {
    const by_path known{7, std::vector{1, 2, 3}};
    using guide = by_path<int, std::vector<int>>::guide<inplace_storage<2>>;
    CHECK_THROWS_WITH(guide{known}, "by_path: there is no room for 3 peers");
}
