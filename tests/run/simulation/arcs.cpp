// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/arcs.hpp>

#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace caucus;
using namespace caucus::simulation;

namespace {

template <topology T>
void check_table(const T& t) {
    const arc_table arcs{t};
    REQUIRE(arcs.size() == t.arcs());
    for (std::size_t v = 0; v < t.nodes(); ++v)
        for (const port p : ports(t.degree(node{v}))) {
            const far_end far = t.across(node{v}, p);
            const std::size_t arc = t.arc(node{v}, p);
            CHECK(arcs[arc].from == node{v});
            CHECK(arcs[arc].out == p);
            CHECK(arcs[arc].to == far.node);
            CHECK(arcs[arc].in == far.port);
            CHECK(arcs.into(far.node, far.port) == arc);
            if (T::kind == shape::one_way_ring) CHECK(arcs.back(arc) == arc_table::none);
            else CHECK(arcs.back(arc) == t.arc(far.node, far.port));
        }
}

}  // namespace

TEST_CASE("arc_table: says of every arc what the topology says, and how it comes in") {
    check_table(ring{1});
    check_table(ring{4});
    check_table(two_way_ring{2});
    check_table(complete{5});
    check_table(graph{4, std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {2, 3}}});
}

TEST_CASE("arc_table: all arcs between two nodes, parallel ones too, and all into one") {
    const arc_table pair{two_way_ring{2}};
    std::size_t found = 0;
    CHECK(pair.between(0, 1, [&](std::size_t) { ++found; }));
    CHECK(found == 2);
    const arc_table path{graph{3, std::vector<std::pair<int, int>>{{0, 1}, {1, 2}}}};
    CHECK_FALSE(path.between(0, 2, [](std::size_t) {}));
    std::vector<std::size_t> sources;
    path.each_into(1, [&](std::size_t arc) { sources.push_back(path[arc].from); });
    CHECK(sources == std::vector<std::size_t>{0, 2});
}
