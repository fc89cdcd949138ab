// SPDX-License-Identifier: MIT
#include <caucus/multicast/total_order/rules.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace caucus;

TEST_CASE("order_rules: every rule is obeyed, and that costs nothing") {
    static_assert(std::is_empty_v<every_order_rule>);
    CHECK(every_order_rule::has(order_rule::V1));
    CHECK(every_order_rule::has(order_rule::A6));
}
