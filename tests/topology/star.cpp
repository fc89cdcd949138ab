// SPDX-License-Identifier: MIT
#include <caucus/topology/star.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;
using laws::refusal;

static_assert(topology<star>);
static_assert(sizeof(star) == sizeof(std::size_t));
static_assert(star::kind == shape::tree && !star::one_inlet);
static_assert(star{3}.across(node{2}, port{0}) == far_end{node{0}, port{1}});

TEST_CASE("star: the laws hold, n <= 40") {
    for (std::size_t n = 1; n <= 40; ++n) {
        CAPTURE(n);
        laws::topology_laws(star{n});
        laws::simple_law(star{n});
        CHECK(star{n}.links() == n - 1);
    }
}

TEST_CASE("star: the centre's port p leads to leaf p+1, a leaf's port 0 to the centre") {
    const star s{5};
    CHECK(s.degree(node{0}) == 4);
    for (std::size_t leaf = 1; leaf < 5; ++leaf) {
        CHECK(s.degree(node{leaf}) == 1);
        CHECK(s.across(node{0}, port{leaf - 1}) == far_end{node{leaf}, port{0}});
        CHECK(s.across(node{leaf}, port{0}) == far_end{node{0}, port{leaf - 1}});
    }
}

TEST_CASE("star: a centre without leaves has no ports") {
    CHECK(star{1}.degree(node{0}) == 0);
    CHECK(star{1}.arcs() == 0);
    CHECK(star{2}.across(node{0}, port{0}) == far_end{node{1}, port{0}});
}

TEST_CASE("star: refuses sizes and ports out of range") {
    CHECK(refusal([] { star{0}; }) == "star: a topology needs at least one node");
    CHECK(refusal([] { star{0x1'0000'0000}; }) == "star: 4294967296 nodes are more than 2^32-1");
    CHECK(refusal([] { checked_across(star{4}, node{0}, port{3}); }) ==
          "topology: node 0 cannot send on port 3, only on 3 ports from 0");
}
