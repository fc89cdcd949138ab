// SPDX-License-Identifier: MIT
#include <caucus/exclusion/quorums.hpp>

#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

using namespace caucus;

namespace {

using lists = std::vector<std::vector<std::size_t>>;

/// As the nodes that its ports lead to, itself among them.
lists nodes_of(const auto& quorum) {
    const complete t{quorum.nodes()};
    lists all(t.nodes());
    for (std::size_t v = 0; v < t.nodes(); ++v) {
        all[v].push_back(v);
        for (const port p : quorum(node{v})) all[v].push_back(t.across(node{v}, p).node);
        std::sort(all[v].begin(), all[v].end());
    }
    return all;
}
std::size_t in_common(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
    std::vector<std::size_t> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both.size();
}
/// In how many quorums each node is.
std::vector<std::size_t> asked(const lists& all) {
    std::vector<std::size_t> times(all.size(), 0);
    for (const auto& quorum : all)
        for (const std::size_t u : quorum) ++times[u];
    return times;
}

static_assert([] {
    const grid_quorums grid{9};
    const plane_quorums plane{2};
    return grid(node{4}).size() == 4 && plane(node{4}).size() == 2;
}());

const lists seven{{0, 1, 2}, {1, 3, 5}, {2, 4, 5}, {0, 3, 4}, {1, 4, 6}, {0, 5, 6}, {2, 3, 6}};

}  // namespace

TEST_CASE("quorums: a grid's row and column, any two intersect, n = 1 to 60") {
    for (std::size_t n = 1; n <= 60; ++n) {
        CAPTURE(n);
        const lists all = nodes_of(grid_quorums{n});
        std::size_t width = 1;
        while (width * width < n) ++width;
        for (std::size_t v = 0; v < n; ++v) {
            CHECK(all[v].size() <= 2 * width - 1);
            if (width * width == n) CHECK(all[v].size() == 2 * width - 1);
            CHECK(asked(all)[v] == all[v].size());
        }
        CHECK_NOTHROW(listed_quorums{all});
    }
    CHECK(nodes_of(grid_quorums{9})[4] == std::vector<std::size_t>{1, 3, 4, 5, 7});
    CHECK(nodes_of(grid_quorums{7})[6] == std::vector<std::size_t>{0, 3, 6});
    CHECK(nodes_of(grid_quorums{7})[1] == std::vector<std::size_t>{0, 1, 2, 4});
}

TEST_CASE("quorums: a plane's lines, any two have one node in common, order 2 to 13") {
    for (const std::size_t order : {2u, 3u, 5u, 7u, 11u, 13u}) {
        CAPTURE(order);
        const plane_quorums quorum{order};
        const std::size_t n = order * order + order + 1;
        CHECK(quorum.nodes() == n);
        const lists all = nodes_of(quorum);
        CHECK(asked(all) == std::vector<std::size_t>(n, order + 1));
        bool one = true;
        for (std::size_t u = 0; u < n; ++u)
            for (std::size_t v = 0; v < u; ++v) one = one && in_common(all[u], all[v]) == 1;
        CHECK(one);
    }
    CHECK(nodes_of(plane_quorums{2})[0] == std::vector<std::size_t>{0, 1, 3});
    CHECK(plane_quorums{31}(node{0}).size() == 31);
}

TEST_CASE("quorums: a plane of an order that is no prime is refused by name") {
    for (const std::size_t order : {0u, 1u, 4u, 6u, 9u})
        CHECK_THROWS_AS(plane_quorums{order}, error);
    CHECK_THROWS_WITH(plane_quorums{6}, "plane_quorums: the order 6 is not a prime");
    CHECK_THROWS_WITH(plane_quorums{1009}, "plane_quorums: the order 1009; at most 1000");
}

TEST_CASE("quorums: the seven of Maekawa's paper, and a single voter for all") {
    CHECK(nodes_of(listed_quorums{seven}) == seven);
    for (std::size_t u = 0; u < 7; ++u)
        for (std::size_t v = 0; v < u; ++v) CHECK(in_common(seven[u], seven[v]) == 1);
    CHECK(nodes_of(listed_quorums{{{0}, {1, 0}, {0, 2}}}) == lists{{0}, {0, 1}, {0, 2}});
}

TEST_CASE("quorums: what does not keep two nodes apart is refused by name") {
    lists apart = seven;
    apart[6] = {2, 3, 6, 4};
    CHECK_NOTHROW(listed_quorums{apart});
    apart[5] = {5, 6};
    CHECK_THROWS_WITH(listed_quorums{apart},
                      "quorums: those of nodes 0 and 5 have no node in common");
    CHECK_THROWS_WITH((listed_quorums{{{0, 1, 2}, {1, 0}, {2}}}),   // all meet node 0's
                      "quorums: those of nodes 1 and 2 have no node in common");
    CHECK_THROWS_WITH((listed_quorums{{{0, 1}, {0}}}),
                      "quorums: node 1 is not in its own quorum");
    CHECK_THROWS_WITH((listed_quorums{{{0, 1}, {0, 1, 2}}}),
                      "quorums: node 1 asks node 2 of 2 nodes");
    CHECK_THROWS_WITH((listed_quorums{{{0, 1}, {0, 1, 0}}}), "quorums: node 1 asks node 0 twice");
    CHECK_THROWS_WITH(listed_quorums{seven}(node{7}), "quorums: of node 7 there is none, of 7");
    CHECK_THROWS_WITH(plane_quorums{2}(node{7}), "quorums: of node 7 there is none, of 7");
    CHECK_THROWS_WITH(grid_quorums{4}(node{4}), "quorums: of node 4 there is none, of 4");
}
