// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/channels.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace caucus;
using content = std::vector<std::uint32_t>;

TEST_CASE("channels: fifo keeps the order of sending; without it, equal bags are equal") {
    exploration::channels fifo{true};
    const std::uint32_t ab = *fifo.push(*fifo.push(0, 7, true), 3, true);
    const std::uint32_t ba = *fifo.push(*fifo.push(0, 3, true), 7, true);
    CHECK(ab != ba);
    CHECK(fifo[ab] == content{7, 3});
    CHECK(fifo[*fifo.pop(ab, 0, true)] == content{3});

    exploration::channels bag{false};
    const std::uint32_t one = *bag.push(*bag.push(0, 7, true), 3, true);
    const std::uint32_t two = *bag.push(*bag.push(0, 3, true), 7, true);
    CHECK(one == two);
    CHECK(bag[one] == content{3, 7});
    CHECK(bag[*bag.pop(one, 1, true)] == content{3});
    CHECK(*bag.pop(*bag.pop(one, 0, true), 0, true) == 0);   // empty again
}

TEST_CASE("channels: what is not known is not worked out unless learning is allowed") {
    exploration::channels links{true};
    CHECK_FALSE(links.push(0, 5, false).has_value());
    const std::uint32_t full = *links.push(0, 5, true);
    CHECK(links.push(0, 5, false) == full);
    CHECK_FALSE(links.pop(full, 0, false).has_value());
    CHECK(links.pop(full, 0, true) == 0u);
    CHECK(links.pop(full, 0, false) == 0u);
}
