// SPDX-License-Identifier: MIT
#include <caucus/topology/two_way_ring.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;
using laws::refusal;

static_assert(topology<two_way_ring>);
static_assert(sizeof(two_way_ring) == sizeof(std::size_t));
static_assert(two_way_ring::kind == shape::two_way_ring && !two_way_ring::one_inlet);
static_assert(two_way_ring{3}.across(node{0}, prev) == far_end{node{2}, next});

TEST_CASE("two_way_ring: the laws hold, n <= 40") {
    for (std::size_t n = 1; n <= 40; ++n) {
        CAPTURE(n);
        laws::topology_laws(two_way_ring{n});
        laws::one_inlet_law(two_way_ring{n});
        if (n > 2) laws::simple_law(two_way_ring{n});
        CHECK(two_way_ring{n}.links() == n);
    }
}

TEST_CASE("two_way_ring: next of v and prev of v+1 face each other") {
    const two_way_ring r{5};
    for (std::size_t v = 0; v < 5; ++v) {
        const node after{(v + 1) % 5};
        CHECK(r.degree(node{v}) == 2);
        CHECK(r.across(node{v}, next) == far_end{after, prev});
        CHECK(r.across(after, prev) == far_end{node{v}, next});
    }
}

TEST_CASE("two_way_ring: alone, a node has one self-loop whose ports face each other") {
    const two_way_ring r{1};
    CHECK(r.across(node{0}, next) == far_end{node{0}, prev});
    CHECK(r.across(node{0}, prev) == far_end{node{0}, next});
    CHECK(r.links() == 1);
    CHECK_FALSE(r.acyclic());
}

TEST_CASE("two_way_ring: two nodes have two parallel links") {
    const two_way_ring r{2};
    CHECK(r.across(node{0}, next) == far_end{node{1}, prev});
    CHECK(r.across(node{0}, prev) == far_end{node{1}, next});
    CHECK(r.links() == 2);
    CHECK_FALSE(r.acyclic());
}

TEST_CASE("two_way_ring: refuses sizes and ports out of range") {
    CHECK(refusal([] { two_way_ring{0}; }) == "two_way_ring: a topology needs at least one node");
    CHECK(refusal([] { two_way_ring{0x1'0000'0000}; }) ==
          "two_way_ring: 4294967296 nodes are more than 2^32-1");
    CHECK(refusal([] { checked_across(two_way_ring{4}, node{2}, port{2}); }) ==
          "topology: node 2 cannot send on port 2, only on 2 ports from 0");
}
