// SPDX-License-Identifier: MIT
#include <caucus/core/port.hpp>

#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

using caucus::node;
using caucus::port;

// An index is never taken for a node or a port; both serve as an index.
static_assert(!std::is_convertible_v<int, node> && !std::is_convertible_v<int, port>);
static_assert(std::is_convertible_v<node, std::size_t> && std::is_convertible_v<port, std::size_t>);
static_assert(sizeof(port) == 4);
static_assert(caucus::next.index() == 0 && caucus::prev.index() == 1 && port{} == caucus::next);
static_assert(opposite(caucus::next) == caucus::prev && opposite(caucus::prev) == caucus::next);

TEST_CASE("ports: every port from 0 to degree-1, in order") {
    for (const std::size_t degree : {0u, 1u, 5u}) {
        std::vector<std::size_t> seen;
        for (const port p : caucus::ports{degree}) seen.push_back(p.index());
        REQUIRE(seen.size() == degree);
        for (std::size_t i = 0; i < degree; ++i) CHECK(seen[i] == i);
    }
}

TEST_CASE("far_end: same node and same port, or another end") {
    const caucus::far_end end{node{3}, port{1}};
    CHECK(end == caucus::far_end{node{3}, port{1}});
    CHECK(end != caucus::far_end{node{3}, port{0}});
    CHECK(end != caucus::far_end{node{2}, port{1}});
}
