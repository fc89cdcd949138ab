// SPDX-License-Identifier: MIT
#include <caucus/topology/ring.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;
using laws::refusal;

static_assert(topology<ring>);
static_assert(sizeof(ring) == sizeof(std::size_t));
static_assert(ring::kind == shape::one_way_ring && ring::one_inlet);
static_assert(ring{3}.across(node{2}, next) == far_end{node{0}, prev});

TEST_CASE("ring: the laws hold, n <= 40") {
    for (std::size_t n = 1; n <= 40; ++n) {
        CAPTURE(n);
        laws::topology_laws(ring{n});
        laws::one_inlet_law(ring{n});
        CHECK(ring{n}.links() == n);
        CHECK(ring{n}.arcs() == n);
    }
}

TEST_CASE("ring: what v sends on next arrives at v+1 by prev") {
    const ring r{5};
    for (std::size_t v = 0; v < 5; ++v) {
        CHECK(r.degree(node{v}) == 1);
        CHECK(r.across(node{v}, next) == far_end{node{(v + 1) % 5}, prev});
        CHECK(r.arc(node{v}, next) == v);
    }
}

TEST_CASE("ring: alone, a node is its own successor") {
    CHECK(ring{1}.across(node{0}, next) == far_end{node{0}, prev});
    CHECK(ring{1}.links() == 1);
    CHECK_FALSE(ring{1}.acyclic());
}

TEST_CASE("ring: two nodes are each other's successors") {
    CHECK(ring{2}.across(node{0}, next) == far_end{node{1}, prev});
    CHECK(ring{2}.across(node{1}, next) == far_end{node{0}, prev});
    CHECK(ring{2}.links() == 2);
}

TEST_CASE("ring: closes at the greatest size") {
    const std::size_t n = 0xffff'ffff;
    CHECK(ring{n}.across(node{n - 1}, next) == far_end{node{0}, prev});
    CHECK(ring{n}.across(node{n - 2}, next) == far_end{node{n - 1}, prev});
}

TEST_CASE("ring: refuses sizes out of range, and sending backwards") {
    CHECK(refusal([] { ring{0}; }) == "ring: a topology needs at least one node");
    CHECK(refusal([] { ring{0x1'0000'0000}; }) == "ring: 4294967296 nodes are more than 2^32-1");
    CHECK(refusal([] { checked_across(ring{4}, node{2}, prev); }) ==
          "topology: node 2 cannot send on port 1, only on 1 ports from 0");
    CHECK(refusal([] { checked_across(ring{4}, node{4}, next); }) ==
          "topology: there is no node 4 among 4");
}
