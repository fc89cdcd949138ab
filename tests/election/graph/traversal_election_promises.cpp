// SPDX-License-Identifier: MIT
// What the caller of a traversal_election promises.
#define CAUCUS_ASSERT(condition) ((condition) ? void() : throw #condition)
#include <caucus/election/graph/traversal_election.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace caucus;

TEST_CASE("traversal_election: the id that steers by_path is the id that stands for election") {
    const std::vector<int> peers{2, 3};
    CHECK_NOTHROW(traversal_election(1, by_path{1, peers}));
    CHECK_THROWS(traversal_election(1, by_path{4, peers}));
}
