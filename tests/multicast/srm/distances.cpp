// SPDX-License-Identifier: MIT
#include <caucus/multicast/srm/distances.hpp>

#include <doctest/doctest.h>

#include "../../archetypes.hpp"

#include <array>
#include <cstddef>
#include <vector>

using namespace caucus;

namespace {

using table = measured_distances::table<int, heap_storage>;
using listed = given_distances<>::distance;
static_assert(measured_distances::reads_clock && !given_distances<>::reads_clock);

}  // namespace

TEST_CASE("given_distances: as listed, or the same for all others") {
    const given_distances all{7};
    CHECK(all.to(1) == 7);
    const given_distances<> some{std::vector<listed>{{1, 3}, {2, 4}}, 9};
    CHECK(some.to(1) == 3);
    CHECK(some.to(2) == 4);
    CHECK(some.to(3) == 9);
    CHECK(given_distances<>{}.to(5) == 1);
    CHECK(given_distances<>{0}.to(5) == 1);
    CHECK(given_distances<>{never}.to(5) == ticks{1} << 30);
    CHECK(given_distances<>{std::vector<listed>{{1, never}}}.to(1) == ticks{1} << 30);
    using small = given_distances<int, inplace_storage<2>>;
    CHECK(small{std::array{small::distance{1, 3}, small::distance{2, 4}}}.to(2) == 4);
}

TEST_CASE("measured_distances: nonsense is refused") {
    CHECK_THROWS_AS(measured_distances({.unknown = 11, .most = 10}), error);
    CHECK_THROWS_AS(measured_distances({.unknown = 0}), error);
    CHECK_THROWS_AS(measured_distances({.unknown = 0, .most = 0}), error);
    CHECK_THROWS_AS(measured_distances({.most = never}), error);
    CHECK_NOTHROW(measured_distances({.unknown = 10, .most = 10}));
    CHECK_NOTHROW(measured_distances({.most = ticks{1} << 30}));
}

TEST_CASE("measured_distances: half of the round trip, without what the other has held it for") {
    table mine{measured_distances{{.unknown = 5, .most = 100}}, 2};
    archetype::watch clock;
    CHECK(mine.to(1) == 5);
    clock.time = 1000;   // the other's clock says 40
    mine.hear(1, {40, {}}, 0, clock);
    CHECK(mine.to(1) == 5);
    CHECK_FALSE(mine.knows(1));
    clock.time = 1010;
    const table::stamps said = mine.stamped(clock);
    CHECK(said.at == 1010);
    REQUIRE(said.echoes.size() == 1);
    CHECK(said.echoes[0].whose == 1);
    CHECK(said.echoes[0].at == 40);
    CHECK(said.echoes[0].held == 10);
    // Under way for 20 ticks, held for 300, back in 30; and it has heard others, too.
    clock.time = 1010 + 350;
    mine.hear(1, {777, {{2, 4, 4}, {0, 1010, 300}}}, 0, clock);
    CHECK(mine.knows(1));
    CHECK(mine.to(1) == 25);
    CHECK(mine.stamped(clock).echoes[0].at == 777);
    mine.hear(1, {778, {{0, 1360, 0}}}, 0, clock);   // the last one counts
    CHECK(mine.to(1) == 1);   // less than a tick counts for one
    mine.hear(1, {779, {{0, 0, 0}}}, 0, clock);
    CHECK(mine.to(1) == 100);   // no more than that
}
TEST_CASE("measured_distances: echoes from the future say nothing; there is room for so many") {
    table mine{measured_distances{}, 2};
    archetype::watch clock{100};
    mine.hear(1, {1, {{0, 101, 0}}}, 0, clock);
    mine.hear(1, {1, {{0, 60, 41}}}, 0, clock);
    CHECK_FALSE(mine.knows(1));
    mine.hear(1, {1, {{0, 60, 40}}}, 0, clock);
    CHECK(mine.knows(1));
    mine.hear(2, {1, {}}, 0, clock);
    mine.hear(3, {1, {{0, 60, 20}}}, 0, clock);
    CHECK_FALSE(mine.knows(3));
    CHECK(mine.stamped(clock).echoes.size() == 2);
    mine.forget();
    CHECK_FALSE(mine.knows(1));
    CHECK(mine.stamped(clock).echoes.size() == 0);
}
