// SPDX-License-Identifier: MIT
#include <caucus/topology/complete.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;
using laws::refusal;

static_assert(topology<complete>);
static_assert(sizeof(complete) == sizeof(std::size_t));
static_assert(complete::kind == shape::complete && !complete::one_inlet);
static_assert(complete{4}.across(node{3}, port{0}) == far_end{node{0}, port{2}});

TEST_CASE("complete: the laws hold, n <= 24") {
    for (std::size_t n = 1; n <= 24; ++n) {
        CAPTURE(n);
        laws::topology_laws(complete{n});
        laws::simple_law(complete{n});
        CHECK(complete{n}.links() == n * (n - 1) / 2);
    }
}

TEST_CASE("complete: port p of node v leads to v+1+p, successors in order") {
    const complete c{7};
    for (std::size_t v = 0; v < 7; ++v)
        for (std::size_t p = 0; p < 6; ++p)
            CHECK(c.across(node{v}, port{p}).node == node{(v + 1 + p) % 7});
}

TEST_CASE("complete: one node has no ports, two nodes have one each") {
    CHECK(complete{1}.degree(node{0}) == 0);
    CHECK(complete{1}.acyclic());
    CHECK(complete{2}.across(node{1}, port{0}) == far_end{node{0}, port{0}});
    CHECK(complete{2}.acyclic());
    CHECK_FALSE(complete{3}.acyclic());
}

TEST_CASE("complete: counts its links at the greatest size") {
    const complete c{0xffff'ffff};
    CHECK(c.arcs() == 18446744060824649730u);
    CHECK(c.arc(node{0xffff'fffe}, port{0xffff'fffdu}) == c.arcs() - 1);
}

TEST_CASE("complete: refuses sizes and ports out of range") {
    CHECK(refusal([] { complete{0}; }) == "complete: a topology needs at least one node");
    CHECK(refusal([] { complete{0x1'0000'0000}; }) ==
          "complete: 4294967296 nodes are more than 2^32-1");
    CHECK(refusal([] { checked_across(complete{4}, node{0}, port{3}); }) ==
          "topology: node 0 cannot send on port 3, only on 3 ports from 0");
}
