// SPDX-License-Identifier: MIT
#include <caucus/topology/adjacency.hpp>

#include <doctest/doctest.h>

using namespace caucus;

TEST_CASE("adjacency: rows of far ends, one after the other, a node without ports between them") {
    detail::adjacency links{{2, 0, 1, 1}};
    links.join({node{0}, port{1}}, {node{2}, port{0}});
    links.join({node{3}, port{0}}, {node{0}, port{0}});
    CHECK(links.nodes() == 4);
    CHECK(links.arcs() == 4);
    CHECK(links.degree(node{0}) == 2);
    CHECK(links.degree(node{1}) == 0);
    CHECK(links.across(node{0}, port{1}) == far_end{node{2}, port{0}});
    CHECK(links.across(node{2}, port{0}) == far_end{node{0}, port{1}});
    CHECK(links.across(node{0}, port{0}) == far_end{node{3}, port{0}});
    CHECK(links.across(node{3}, port{0}) == far_end{node{0}, port{0}});
    CHECK(links.arc(node{0}, port{1}) == 1);
    CHECK(links.arc(node{2}, port{0}) == 2);
    CHECK(links.arc(node{3}, port{0}) == 3);
}
