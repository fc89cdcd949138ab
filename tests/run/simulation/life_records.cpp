// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/life_records.hpp>

#include <doctest/doctest.h>

using namespace caucus;
using namespace caucus::simulation;

TEST_CASE("life_records: nothing is stored of nodes that live their first life") {
    life_records all{3};
    CHECK(all.all_usual());
    CHECK(all.all_clocks_right());
    CHECK(all.size() == 0);
    CHECK(all.alive(2));
    CHECK_FALSE(all.paused(2));
    CHECK(all.incarnation(2) == incarnation{0});
    all[1].alive = false;
    all[1].incarnation = {4};
    all[2].paused = true;
    CHECK_FALSE(all.all_usual());
    CHECK(all.size() == 3);
    CHECK_FALSE(all.alive(1));
    CHECK(all.incarnation(1) == incarnation{4});
    CHECK(all.paused(2));
    CHECK(all.alive(2));
}
