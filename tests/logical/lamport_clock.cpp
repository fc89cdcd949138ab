// SPDX-License-Identifier: MIT
#include <caucus/logical/lamport_clock.hpp>

#include <doctest/doctest.h>

using namespace caucus;

static_assert(stamp<int>{8, 3} < stamp<int>{12, 1} && !(stamp<int>{12, 1} < stamp<int>{8, 3}));
static_assert(stamp<int>{8, 1} < stamp<int>{8, 3} && !(stamp<int>{8, 3} < stamp<int>{8, 3}));
static_assert(stamp<int>{8, 3} == stamp<int>{8, 3} && !(stamp<int>{8, 3} == stamp<int>{8, 1}));
static_assert(!(stamp<int>{8, 3} == stamp<int>{9, 3}));

TEST_CASE("lamport_clock: never behind what it has heard") {
    lamport_clock c;
    CHECK(c.now() == 0);
    CHECK(c.tick() == 1);
    c.learn(7);
    CHECK(c.now() == 7);
    c.learn(3);
    CHECK(c.now() == 7);
    CHECK(c.tick() == 8);
}
