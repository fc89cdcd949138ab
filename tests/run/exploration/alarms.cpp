// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/alarms.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using namespace caucus;
using namespace caucus::exploration;

TEST_CASE("alarms: armed in any order it is the same set, armed anew it replaces, disarmed none") {
    alarms sets{true};
    const std::uint32_t one = *sets.changed(0, 7, 10, true);
    const std::uint32_t both = *sets.changed(one, 3, 5, true);
    REQUIRE(sets[both].size() == 2);
    CHECK(sets[both][0].timer == 3);
    CHECK(sets[both][0].left == 5);
    CHECK(sets.changed(*sets.changed(0, 3, 5, true), 7, 10, true) == both);
    const std::uint32_t later = *sets.changed(both, 3, 8, true);
    CHECK(sets[later].size() == 2);
    CHECK(sets[later][0].left == 8);
    CHECK(sets.changed(both, 3, 0, true) == one);
    CHECK(sets.changed(one, 7, 0, true) == 0u);
    CHECK(sets.changed(0, 7, 0, false) == 0u);   // nothing to disarm, nothing to learn
}

TEST_CASE("alarms: time passes for all of a set") {
    alarms sets{true};
    const std::uint32_t both = *sets.changed(*sets.changed(0, 7, 10, true), 3, 5, true);
    const std::uint32_t aged = *sets.aged(both, 4, true);
    CHECK(sets[aged][0].left == 1);
    CHECK(sets[aged][1].left == 6);
    CHECK(sets.aged(0, 4, false) == 0u);
}

TEST_CASE("alarms: no time brings a decision nearer") {
    alarms sets{true};
    const std::uint32_t both = *sets.changed(*sets.changed(0, 7, whenever, true), 3, 5, true);
    const std::uint32_t aged = *sets.aged(both, 4, true);
    CHECK(sets[aged][0].left == 1);
    CHECK(sets[aged][1].left == whenever);
}

TEST_CASE("alarms: where time means nothing delays are forgotten") {
    alarms sets{false};
    CHECK(sets.changed(0, 7, 10, true) == sets.changed(0, 7, 99, true));
}

TEST_CASE("alarms: what is not known yet is learned only if that is allowed") {
    alarms sets{true};
    CHECK_FALSE(sets.changed(0, 7, 10, false).has_value());
    const std::uint32_t one = *sets.changed(0, 7, 10, true);
    CHECK(sets.changed(0, 7, 10, false) == one);
    CHECK_FALSE(sets.aged(one, 3, false).has_value());
    const std::uint32_t aged = *sets.aged(one, 3, true);
    CHECK(sets.aged(one, 3, false) == aged);
}
