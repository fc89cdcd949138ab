// SPDX-License-Identifier: MIT
#include <caucus/topology/generators.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

using namespace caucus;
using laws::refusal;

static_assert(random_tree(6, 1).acyclic() && random_tree(6, 1).connected());
static_assert(random_graph(5, 0.6, 1).connected());
static_assert(random_sparse_graph(6, 9, 1).links() == 9);
static_assert(random_regular(6, 3, 1).links() == 9);

namespace {

/// Every port of every node, folded into one number.
std::uint64_t fingerprint(const graph& g) {
    std::uint64_t hash = g.nodes();
    for (std::size_t v = 0; v < g.nodes(); ++v)
        for (const port p : ports(g.degree(node{v}))) {
            const far_end far = g.across(node{v}, p);
            hash = mix(mix(mix(hash, v), far.node.index), far.port.index());
        }
    return hash;
}

/// Which of the n(n-1)/2 pairs are linked: equal for equal graphs, whatever their ports.
std::uint64_t pair_mask(const graph& g) {
    std::uint64_t mask = 0;
    for (std::size_t v = 0; v < g.nodes(); ++v)
        for (const port p : ports(g.degree(node{v}))) {
            const std::size_t w = g.across(node{v}, p).node;
            if (w < v) mask |= std::uint64_t{1} << (v * (v - 1) / 2 + w);
        }
    return mask;
}

/// Chi-square of `draws` graphs over `kinds` kinds, in standard deviations above its mean.
double surprise(std::size_t kinds, std::size_t draws, auto draw) {
    std::map<std::uint64_t, std::size_t> counts;
    for (std::uint64_t seed = 0; seed < draws; ++seed) ++counts[pair_mask(draw(seed))];
    CHECK(counts.size() == kinds);
    const double expected = static_cast<double>(draws) / static_cast<double>(kinds);
    double chi_square = 0;
    for (const auto& [mask, count] : counts)
        chi_square += (static_cast<double>(count) - expected) *
                      (static_cast<double>(count) - expected) / expected;
    const auto freedom = static_cast<double>(kinds - 1);
    return (chi_square - freedom) / std::sqrt(2 * freedom);
}

}  // namespace

TEST_CASE("random_tree: is a tree, n <= 30") {
    for (std::size_t n = 1; n <= 30; ++n)
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
            const graph g = random_tree(n, seed);
            laws::topology_laws(g);
            CHECK(g.nodes() == n);
            CHECK(g.connected());
            CHECK(g.acyclic());
        }
}

TEST_CASE("random_tree: all 16 trees on 4 nodes and all 125 on 5 are equally likely") {
    CHECK(surprise(16, 8'000, [](std::uint64_t seed) { return random_tree(4, seed); }) < 3);
    CHECK(surprise(125, 25'000, [](std::uint64_t seed) { return random_tree(5, seed); }) < 3);
}

TEST_CASE("random_graph: is connected, n <= 20") {
    for (std::size_t n = 1; n <= 20; ++n)
        for (const double p : {0.4, 0.7, 1.0}) {
            const graph g = random_graph(n, p, n);
            laws::topology_laws(g);
            laws::simple_law(g);
            CHECK(g.connected());
            if (p == 1) CHECK(g.links() == n * (n - 1) / 2);
        }
}

TEST_CASE("random_graph: with p = 1/2 all 38 connected graphs on 4 nodes are equally likely") {
    CHECK(surprise(38, 19'000, [](std::uint64_t seed) { return random_graph(4, 0.5, seed); }) < 3);
}

TEST_CASE("random_graph: has p·n(n-1)/2 links, give or take four standard deviations") {
    const std::size_t links = random_graph(400, 0.25, 5).links();
    CHECK(links > 19'950 - 4 * 123);
    CHECK(links < 19'950 + 4 * 123);
}

TEST_CASE("random_sparse_graph: is connected and has the links asked for, tree to complete") {
    for (std::size_t n = 1; n <= 12; ++n)
        for (std::size_t links = n - 1; links <= n * (n - 1) / 2; ++links) {
            const graph g = random_sparse_graph(n, links, links);
            laws::topology_laws(g);
            laws::simple_law(g);
            CHECK(g.connected());
            CHECK(g.links() == links);
        }
}

TEST_CASE("random_sparse_graph: reaches all connected graphs on 4 nodes with 4 links") {
    std::map<std::uint64_t, std::size_t> counts;
    for (std::uint64_t seed = 0; seed < 1'000; ++seed)
        ++counts[pair_mask(random_sparse_graph(4, 4, seed))];
    CHECK(counts.size() == 15);
}

TEST_CASE("random_regular: every node has the degree, and all are connected, n <= 14") {
    for (std::size_t n = 3; n <= 14; ++n)
        for (std::size_t degree = 2; degree < n; ++degree) {
            if (n * degree % 2 != 0) continue;
            for (std::uint64_t seed = 0; seed < 5; ++seed) {
                const graph g = random_regular(n, degree, seed);
                CAPTURE(n);
                CAPTURE(degree);
                laws::topology_laws(g);
                laws::simple_law(g);
                CHECK(g.connected());
                for (std::size_t v = 0; v < n; ++v) CHECK(g.degree(node{v}) == degree);
            }
        }
    CHECK(random_regular(1, 0, 1).nodes() == 1);
    CHECK(random_regular(2, 1, 1).links() == 1);
}

TEST_CASE("random_regular: two separate K4, 1 in 553 cubic graphs on 8 nodes, are drawn again") {
    for (std::uint64_t seed = 0; seed < 5'000; ++seed)
        CHECK(random_regular(8, 3, seed).connected());
}

TEST_CASE("random_regular: 12 cycles on 5 nodes equally likely, all 70 cubic graphs on 6 reached") {
    CHECK(surprise(12, 6'000, [](std::uint64_t seed) { return random_regular(5, 2, seed); }) < 3);
    std::map<std::uint64_t, std::size_t> cubic;
    for (std::uint64_t seed = 0; seed < 2'000; ++seed)
        ++cubic[pair_mask(random_regular(6, 3, seed))];
    CHECK(cubic.size() == 70);
}

TEST_CASE("generators: a seed means the same graph on every compiler") {
    CHECK(fingerprint(random_tree(1000, 7)) == 5043285387571375322u);
    CHECK(fingerprint(random_graph(100, 0.1, 7)) == 4541355425667336172u);
    CHECK(fingerprint(random_sparse_graph(1000, 3000, 7)) == 12067419711936043534u);
    CHECK(fingerprint(random_regular(100, 3, 7)) == 9182991908921050885u);
    CHECK(fingerprint(random_regular(100, 2, 7)) == 18194048234470570707u);
    CHECK(fingerprint(random_regular(20, 15, 7)) == 10426327024757521471u);
    CHECK_FALSE(random_tree(1000, 7) == random_tree(1000, 8));
}

TEST_CASE("generators: refuse what cannot be drawn") {
    CHECK(refusal([] { random_tree(0, 1); }) == "random_tree: a topology needs at least one node");
    CHECK(refusal([] { random_graph(0, 0.5, 1); }) ==
          "random_graph: a topology needs at least one node");
    for (const double p : {-0.1, 1.1, std::nan("")})
        CHECK(refusal([&] { random_graph(3, p, 1); }) ==
              "random_graph: the probability is not within 0 and 1");
    CHECK(refusal([] { random_graph(50, 0.01, 1); }) ==
          "random_graph: none of 1000 graphs on 50 nodes was connected; the probability should "
          "exceed ln(n)/n");
    CHECK(refusal([] { random_graph(2, 0, 1); }) != "not refused");
    CHECK(refusal([] { random_sparse_graph(5, 3, 1); }) ==
          "random_sparse_graph: 5 nodes take 4 to 10 links, not 3");
    CHECK(refusal([] { random_sparse_graph(5, 11, 1); }) ==
          "random_sparse_graph: 5 nodes take 4 to 10 links, not 11");
    CHECK(refusal([] { random_regular(4, 4, 1); }) ==
          "random_regular: degree 4 needs more than 4 nodes");
    CHECK(refusal([] { random_regular(5, 3, 1); }) ==
          "random_regular: 5 nodes of degree 3 have an odd number of ends");
    CHECK(refusal([] { random_regular(4, 1, 1); }) ==
          "random_regular: 4 nodes of degree 1 are never connected");
    CHECK(refusal([] { random_regular(3, 0, 1); }) ==
          "random_regular: 3 nodes of degree 0 are never connected");
}
