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

/// Whatever the view says of a topology, it says while it and its sources are there.
template <topology T>
struct looked_at {
    T topology;
    std::vector<arc_ends> sources = arc_view_of<T>{topology, {}}.sources();
    arc_view_of<T> arcs{topology, sources};
};
template <topology T>
looked_at(T) -> looked_at<T>;

template <topology T>
void check_view(const T& t) {
    const looked_at view{t};
    const arc_view& arcs = view.arcs;
    REQUIRE(arcs.size() == t.arcs());
    REQUIRE(arcs.nodes() == t.nodes());
    CHECK(arcs.two_way() == (T::kind != shape::one_way_ring));
    CHECK(view.sources.size() == (arcs.two_way() ? 0 : t.nodes()));
    for (std::size_t v = 0; v < t.nodes(); ++v) {
        CHECK(arcs.degree(node{v}) == t.degree(node{v}));
        for (const port p : ports(t.degree(node{v}))) {
            const far_end far = t.across(node{v}, p);
            const std::size_t arc = t.arc(node{v}, p);
            for (const arc_ends& a : {arcs.leaving(node{v}, p), arcs.entering(far.node, far.port),
                                      arcs.numbered(arc)}) {
                CHECK(a.from == node{v});
                CHECK(a.out == p);
                CHECK(a.to == far.node);
                CHECK(a.in == far.port);
                CHECK(a.arc == arc);
            }
        }
    }
}

/// A one-way star that counts its arcs backwards; nobody sends to its middle.
struct fountain {
    static constexpr shape kind = shape::graph;
    static constexpr bool one_inlet = true;
    std::size_t nodes() const { return 4; }
    std::size_t links() const { return 3; }
    std::size_t arcs() const { return 3; }
    std::size_t degree(node v) const { return v == 0 ? 3 : 0; }
    far_end across(node, port p) const { return {node{p + 1}, port{0}}; }
    std::size_t arc(node, port p) const { return 2 - p; }
    bool connected() const { return true; }
    bool acyclic() const { return true; }
};

}  // namespace

TEST_CASE("arc_view: says of every arc what the topology says, and how it comes in") {
    check_view(ring{1});
    check_view(ring{4});
    check_view(two_way_ring{2});
    check_view(complete{5});
    check_view(graph{5, std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {2, 4}}});
}

TEST_CASE("arc_view: arcs may be counted in any order, and nodes be without an inlet") {
    const looked_at view{fountain{}};
    for (std::size_t arc = 0; arc < 3; ++arc) CHECK(view.arcs.numbered(arc).to == node{3 - arc});
    CHECK(view.arcs.into(node{0}).empty());
    REQUIRE(view.arcs.into(node{3}).size() == 1);
    CHECK(view.arcs.into(node{3})[0].arc == 0);
}

TEST_CASE("arc_view: all arcs between two nodes, parallel ones too, and all into one") {
    const looked_at pair{two_way_ring{2}};
    CHECK(pair.arcs.between(0, 1).size() == 2);
    const looked_at path{graph{3, std::vector<std::pair<int, int>>{{0, 1}, {1, 2}}}};
    CHECK(path.arcs.between(0, 2).empty());
    CHECK(path.arcs.between(1, 2) == std::vector<std::size_t>{path.topology.arc(node{1}, port{1})});
    std::vector<std::size_t> sources;
    for (const arc_ends& a : path.arcs.into(node{1})) sources.push_back(a.from);
    CHECK(sources == std::vector<std::size_t>{0, 2});
}
