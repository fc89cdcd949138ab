// SPDX-License-Identifier: MIT
#include <caucus/topology/tree.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <list>
#include <vector>

using namespace caucus;
using laws::refusal;

static_assert(topology<tree>);
static_assert(tree::kind == shape::tree && !tree::one_inlet);
static_assert(tree{0, 0, 1}.across(node{2}, port{0}) == far_end{node{1}, port{1}});
static_assert(tree{std::array{0, 0, 0}}.degree(node{0}) == 2);

TEST_CASE("tree: the laws hold for all parent lists of up to 5 nodes, or they are refused") {
    std::size_t built = 0;
    for (std::size_t n = 1; n <= 5; ++n) {
        std::vector<std::size_t> parents(n);
        for (std::size_t i = 0, all = 1; i < all; ++i) {
            std::size_t code = i;
            all = 1;
            for (auto& parent : parents) parent = code % n, code /= n, all *= n;
            if (refusal([&] { tree{parents}; }) != "not refused") continue;
            ++built;
            laws::topology_laws(tree{parents});
            laws::simple_law(tree{parents});
        }
    }
    // Cayley: n^(n-1) rooted labelled trees on n nodes.
    CHECK(built == 1 + 2 + 9 + 64 + 625);
}

TEST_CASE("tree: port 0 leads to the parent, the ports after it to the children by index") {
    const tree t{3, 3, 1, 3, 1, 1};   // 3 is the root of 0 and 1; 1 has 2, 4 and 5
    CHECK(t.degree(node{3}) == 2);
    CHECK(t.across(node{3}, port{0}) == far_end{node{0}, port{0}});
    CHECK(t.across(node{3}, port{1}) == far_end{node{1}, port{0}});
    CHECK(t.across(node{1}, port{0}) == far_end{node{3}, port{1}});
    CHECK(t.across(node{1}, port{1}) == far_end{node{2}, port{0}});
    CHECK(t.across(node{1}, port{2}) == far_end{node{4}, port{0}});
    CHECK(t.across(node{1}, port{3}) == far_end{node{5}, port{0}});
    CHECK(t.across(node{5}, port{0}) == far_end{node{1}, port{3}});
}

TEST_CASE("tree: any range of indices will do") {
    const tree expected{0, 0, 1};
    std::vector<int> numbers{0, 0, 1};
    CHECK(tree{numbers} == expected);
    CHECK(tree{std::vector<node>{node{0}, node{0}, node{1}}} == expected);
    CHECK(tree{std::list<short>{0, 0, 1}} == expected);
    tree copy{expected};
    CHECK(tree{copy} == expected);
}

TEST_CASE("tree: a root alone has no ports") {
    CHECK(tree{0}.nodes() == 1);
    CHECK(tree{0}.links() == 0);
    CHECK(tree{0}.degree(node{0}) == 0);
}

TEST_CASE("tree: a million nodes in a line are built without recursion") {
    std::vector<std::size_t> parents(1'000'000);
    for (std::size_t v = 0; v + 1 < parents.size(); ++v) parents[v] = v + 1;
    parents.back() = parents.size() - 1;
    CHECK(tree{parents}.links() == 999'999);
}

TEST_CASE("tree: refuses what is not a tree, naming the culprit") {
    CHECK(refusal([] { tree{std::vector<int>{}}; }) == "tree: a topology needs at least one node");
    CHECK(refusal([] { tree{0, 3, 0}; }) == "tree: node 1 has parent 3, but there are only 3");
    CHECK(refusal([] { tree{0, 0, 2, 2}; }) == "tree: nodes 0 and 2 are both roots");
    CHECK(refusal([] { tree{1, 0}; }) ==
          "tree: there is no root, no node that is its own parent");
    CHECK(refusal([] { tree{0, 2, 3, 1, 0}; }) == "tree: node 1 is its own ancestor");
    CHECK(refusal([] { tree{0, 0, 3, 4, 3}; }) == "tree: node 3 is its own ancestor");
}
