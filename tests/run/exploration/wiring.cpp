// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/wiring.hpp>

#include <doctest/doctest.h>

#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <cstddef>

using namespace caucus;

namespace {

void check_same(const auto& t) {
    const exploration::wiring w{t};
    CHECK(w.kind == t.kind);
    CHECK(w.nodes() == t.nodes());
    CHECK(w.links() == t.links());
    CHECK(w.arcs() == t.arcs());
    for (std::size_t v = 0; v < t.nodes(); ++v) {
        CHECK(w.degree(node{v}) == t.degree(node{v}));
        for (const port p : ports(t.degree(node{v}))) {
            CHECK(w.arc(node{v}, p) == t.arc(node{v}, p));
            CHECK(w.across(node{v}, p) == t.across(node{v}, p));
        }
    }
}

}  // namespace

TEST_CASE("wiring: says of every node and port what the topology says") {
    for (const std::size_t n : {1u, 2u, 5u}) {
        check_same(ring{n});
        check_same(complete{n});
        check_same(star{n});
    }
    check_same(two_way_ring{2});
    check_same(two_way_ring{4});
    check_same(graph{4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}});
}
