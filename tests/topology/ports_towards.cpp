// SPDX-License-Identifier: MIT
#include <caucus/topology/ports_towards.hpp>

#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/trees.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

using namespace caucus;

namespace {
using way = std::optional<port>;
}

static_assert(ports_towards(path{3}, node{0}) == std::vector<way>{way{}, prev, port{0}});
static_assert(ports_towards(path{1}, node{0}) == std::vector<way>{way{}});

TEST_CASE("ports_towards: every step is one nearer to the root, on trees and on other graphs") {
    const auto check = [](const auto& t) {
        for (std::size_t root = 0; root < t.nodes(); ++root) {
            const std::vector<way> ways = ports_towards(t, node{root});
            const std::vector<std::size_t> hops = support::distances(t, root);
            REQUIRE(ways.size() == t.nodes());
            for (std::size_t v = 0; v < t.nodes(); ++v) {
                CHECK(ways[v].has_value() == (v != root));
                if (ways[v]) CHECK(hops[t.across(node{v}, *ways[v]).node] + 1 == hops[v]);
            }
        }
    };
    check(star{5});
    check(two_way_ring{2});
    check(two_way_ring{7});
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        check(random_tree(1 + seed, seed));
        check(random_sparse_graph(9, 12, seed));
    }
}

TEST_CASE("ports_towards: whoever cannot reach the root needs no way, a root that is not there") {
    const graph parted{3, {{0, 1}}};
    CHECK(ports_towards(parted, node{0}) == std::vector<way>{way{}, port{0}, way{}});
    CHECK_THROWS_WITH(ports_towards(star{3}, node{3}),
                      "ports_towards: there is no node 3 among 3");
}
