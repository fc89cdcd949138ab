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
    all[1].now = life_records::stage::crashed;
    all[1].incarnation = {4};
    all[2].paused = true;
    CHECK_FALSE(all.all_usual());
    CHECK(all.size() == 3);
    CHECK_FALSE(all.alive(1));
    CHECK(all.incarnation(1) == incarnation{4});
    CHECK(all.paused(2));
    CHECK(all.alive(2));
}

TEST_CASE("life_records: who is absent is not alive, and not gone; who has left is gone") {
    using stage = life_records::stage;
    life_records all{4};
    CHECK(all.alive_now() == 4);
    for (const std::size_t v : {0u, 1u, 2u, 3u}) all[v].now = static_cast<stage>(v);
    CHECK(all.stage_of(0) == stage::absent);
    CHECK_FALSE(all.alive(0));
    CHECK_FALSE(all.gone(0));
    CHECK(all.alive(1));
    CHECK_FALSE(all.gone(1));
    CHECK(all.gone(2));
    CHECK(all.gone(3));
    CHECK(all.alive_now() == 1);
}
