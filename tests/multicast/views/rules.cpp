// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/rules.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace caucus;

TEST_CASE("rules: every rule is obeyed, and that costs nothing") {
    static_assert(std::is_empty_v<every_rule>);
    static_assert(every_rule::has(rule::P1) && every_rule::has(rule::I3));
    CHECK(every_rule::has(rule::J4));
}
