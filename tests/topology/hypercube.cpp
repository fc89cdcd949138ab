// SPDX-License-Identifier: MIT
#include <caucus/topology/hypercube.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;
using laws::refusal;

static_assert(topology<hypercube>);
static_assert(sizeof(hypercube) == sizeof(std::size_t));
static_assert(hypercube::kind == shape::graph && !hypercube::one_inlet);
static_assert(hypercube{3}.across(node{5}, port{1}) == far_end{node{7}, port{1}});

TEST_CASE("hypercube: the laws hold, d <= 7") {
    for (std::size_t d = 0; d <= 7; ++d) {
        CAPTURE(d);
        laws::topology_laws(hypercube{d});
        laws::simple_law(hypercube{d});
        CHECK(hypercube{d}.nodes() == std::size_t{1} << d);
        CHECK(hypercube{d}.links() == d * hypercube{d}.nodes() / 2);
    }
}

TEST_CASE("hypercube: port p flips bit p, at both ends") {
    const hypercube h{4};
    CHECK(h.across(node{0}, port{3}) == far_end{node{8}, port{3}});
    CHECK(h.across(node{15}, port{0}) == far_end{node{14}, port{0}});
}

TEST_CASE("hypercube: of dimension 0 is one node, of dimension 1 one link") {
    CHECK(hypercube{0}.nodes() == 1);
    CHECK(hypercube{0}.acyclic());
    CHECK(hypercube{1}.links() == 1);
    CHECK(hypercube{1}.acyclic());
    CHECK_FALSE(hypercube{2}.acyclic());
}

TEST_CASE("hypercube: refuses dimensions and ports out of range") {
    CHECK(hypercube{31}.nodes() == 0x8000'0000);
    CHECK(refusal([] { hypercube{32}; }) == "hypercube: 32 dimensions are more than 31");
    CHECK(refusal([] { checked_across(hypercube{2}, node{0}, port{2}); }) ==
          "topology: node 0 cannot send on port 2, only on 2 ports from 0");
}
