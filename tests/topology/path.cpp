// SPDX-License-Identifier: MIT
#include <caucus/topology/path.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;
using laws::refusal;

static_assert(topology<caucus::path>);
static_assert(sizeof(caucus::path) == sizeof(std::size_t));
static_assert(caucus::path::kind == shape::tree && !caucus::path::one_inlet);
static_assert(caucus::path{3}.across(node{0}, next) == far_end{node{1}, prev});

TEST_CASE("path: the laws hold, n <= 40") {
    for (std::size_t n = 1; n <= 40; ++n) {
        CAPTURE(n);
        laws::topology_laws(caucus::path{n});
        laws::simple_law(caucus::path{n});
        CHECK(caucus::path{n}.links() == n - 1);
    }
}

TEST_CASE("path: inner nodes have next and prev, an end calls its only link 0") {
    const caucus::path p{4};
    CHECK(p.degree(node{0}) == 1);
    CHECK(p.degree(node{1}) == 2);
    CHECK(p.degree(node{3}) == 1);
    CHECK(p.across(node{0}, port{0}) == far_end{node{1}, prev});
    CHECK(p.across(node{1}, next) == far_end{node{2}, prev});
    CHECK(p.across(node{1}, prev) == far_end{node{0}, port{0}});
    CHECK(p.across(node{2}, next) == far_end{node{3}, port{0}});
    CHECK(p.across(node{3}, port{0}) == far_end{node{2}, next});
}

TEST_CASE("path: one node has no ports, two nodes have one each") {
    CHECK(caucus::path{1}.degree(node{0}) == 0);
    CHECK(caucus::path{2}.across(node{0}, port{0}) == far_end{node{1}, port{0}});
    CHECK(caucus::path{2}.across(node{1}, port{0}) == far_end{node{0}, port{0}});
}

TEST_CASE("path: refuses sizes and ports out of range") {
    CHECK(refusal([] { caucus::path{0}; }) == "path: a topology needs at least one node");
    CHECK(refusal([] { caucus::path{0x1'0000'0000}; }) ==
          "path: 4294967296 nodes are more than 2^32-1");
    CHECK(refusal([] { checked_across(caucus::path{4}, node{3}, port{1}); }) ==
          "topology: node 3 cannot send on port 1, only on 1 ports from 0");
}
