// SPDX-License-Identifier: MIT
#include <caucus/multicast/total_order/sequences.hpp>

#include <caucus/core/storage.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace caucus;

TEST_CASE("sequences: the others keep their order, on the heap and in place") {
    std::vector<int> some{1, 2, 3, 4};
    caucus::detail::drop_at(some, 1);
    CHECK(some == std::vector{1, 3, 4});
    caucus::detail::drop_first(some);
    CHECK(some == std::vector{3, 4});
    inplace_sequence<int, 3> few;
    for (const int i : {1, 2, 3}) few.push_back(i);
    caucus::detail::drop_at(few, 2);
    caucus::detail::drop_first(few);
    CHECK(few.size() == 1);
    CHECK(few[0] == 2);
}
