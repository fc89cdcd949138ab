// SPDX-License-Identifier: MIT
#include <caucus/topology/graph.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <list>
#include <tuple>
#include <utility>
#include <vector>

using namespace caucus;
using laws::refusal;

static_assert(topology<graph>);
static_assert(graph::kind == shape::graph && !graph::one_inlet);
static_assert(graph{4, {{0, 1}, {1, 2}, {3, 1}}}.across(node{3}, port{0}) ==
              far_end{node{1}, port{2}});
static_assert(graph{3, {{0, 1}, {1, 2}}}.connected());
static_assert(!graph{3, {{0, 1}}}.connected());
static_assert(!graph{3, {{0, 1}, {1, 2}, {2, 0}}}.acyclic());

TEST_CASE("graph: the laws hold for all graphs on up to 5 nodes") {
    std::size_t trees = 0;
    for (std::size_t n = 1; n <= 5; ++n)
        for (std::size_t chosen = 0; chosen < std::size_t{1} << (n * (n - 1) / 2); ++chosen) {
            std::vector<std::pair<std::size_t, std::size_t>> edges;
            std::size_t left = chosen;
            for (std::size_t a = 0; a < n; ++a)
                for (std::size_t b = 0; b < a; ++b, left /= 2)
                    if (left % 2 != 0) edges.push_back({a, b});
            const graph g{n, edges};
            laws::topology_laws(g);
            laws::simple_law(g);
            CHECK(g.links() == edges.size());
            trees += g.connected() && g.acyclic() ? 1 : 0;
        }
    // Cayley: n^(n-2) labelled trees on n nodes.
    CHECK(trees == 1 + 1 + 3 + 16 + 125);
}

TEST_CASE("graph: ports are numbered in the order in which the edges name the node") {
    const graph g{4, {{2, 0}, {0, 1}, {3, 0}, {3, 2}}};
    CHECK(g.degree(node{0}) == 3);
    CHECK(g.across(node{0}, port{0}) == far_end{node{2}, port{0}});
    CHECK(g.across(node{0}, port{1}) == far_end{node{1}, port{0}});
    CHECK(g.across(node{0}, port{2}) == far_end{node{3}, port{0}});
    CHECK(g.across(node{2}, port{1}) == far_end{node{3}, port{1}});
    CHECK(g.links() == 4);
}

TEST_CASE("graph: edges may be any range of things with two members") {
    struct road {
        int from, to;
    };
    const graph expected{3, {{0, 1}, {1, 2}}};
    std::vector<std::pair<int, int>> pairs{{0, 1}, {1, 2}};
    const road roads[] = {{0, 1}, {1, 2}};
    CHECK(graph{3, pairs} == expected);
    CHECK(graph{3, roads} == expected);
    CHECK(graph{3, std::vector{road{0, 1}, road{1, 2}}} == expected);
    CHECK(graph{3, std::list<std::array<unsigned, 2>>{{0, 1}, {1, 2}}} == expected);
    CHECK(graph{3, std::array{std::tuple{0, 1l}, std::tuple{1, 2l}}} == expected);
    CHECK(graph{3, std::vector{std::pair{node{0}, node{1}}, std::pair{node{1}, node{2}}}} ==
          expected);
    CHECK_FALSE(graph{3, {{1, 2}, {0, 1}}} == expected);   // other ports, another topology
}

TEST_CASE("graph: without edges only one node is connected, and any number is a forest") {
    CHECK(graph{1, {}}.connected());
    CHECK(graph{1, {}}.degree(node{0}) == 0);
    CHECK_FALSE(graph{2, {}}.connected());
    CHECK(graph{2, {}}.acyclic());
}

TEST_CASE("graph: a cycle beside a loose node is neither connected nor a forest") {
    const graph g{4, {{0, 1}, {1, 2}, {2, 0}}};   // as many links as a tree has
    CHECK_FALSE(g.connected());
    CHECK_FALSE(g.acyclic());
}

TEST_CASE("graph: refuses bad edges, naming edge and nodes") {
    using pairs = std::vector<std::pair<int, int>>;
    CHECK(refusal([] { graph{0, {}}; }) == "graph: a topology needs at least one node");
    CHECK(refusal([] { graph{0x1'0000'0000, {}}; }) ==
          "graph: 4294967296 nodes are more than 2^32-1");
    CHECK(refusal([] { graph{6, {{0, 1}, {1, 2}, {2, 3}, {5, 5}}}; }) ==
          "graph: edge 3 (5-5) is a self-loop");
    CHECK(refusal([] { graph{4, {{0, 1}, {2, 7}}}; }) ==
          "graph: edge 1 (2-7) names node 7, but there are only 4");
    CHECK(refusal([] { graph{4, {{4, 1}}}; }) ==
          "graph: edge 0 (4-1) names node 4, but there are only 4");
    CHECK(refusal([] { graph{4, pairs{{-1, 1}}}; }) ==
          "graph: edge 0 (18446744073709551615-1) names node 18446744073709551615, but there are "
          "only 4");
    CHECK(refusal([] { graph{4, {{0, 1}, {1, 2}, {2, 3}, {1, 2}}}; }) ==
          "graph: edge 3 (1-2) repeats edge 1");
    CHECK(refusal([] { graph{4, {{2, 3}, {0, 1}, {3, 2}}}; }) ==
          "graph: edge 2 (3-2) repeats edge 0");
}

TEST_CASE("graph: a repeated edge is found at the centre of a star of a million nodes") {
    std::vector<std::pair<unsigned, unsigned>> edges;
    for (unsigned leaf = 1; leaf < 1'000'000; ++leaf) edges.push_back({0, leaf});
    CHECK(graph{1'000'000, edges}.connected());
    edges.push_back({999'999, 0});
    CHECK(refusal([&] { graph{1'000'000, edges}; }) ==
          "graph: edge 999999 (999999-0) repeats edge 999998");
}
