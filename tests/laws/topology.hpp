// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

/// What every topology promises, checked link by link against a search that knows only `across`.

namespace laws {

/// Where messages go, forgetting ports and directions: the oracle's own copy of the links.
struct pictured_link {
    std::size_t a, b;
};

template <caucus::topology T>
std::vector<pictured_link> pictured(const T& t) {
    std::vector<pictured_link> links;
    for (std::size_t v = 0; v < t.nodes(); ++v)
        for (const caucus::port p : caucus::ports(t.degree(caucus::node{v}))) {
            const caucus::far_end far = t.across(caucus::node{v}, p);
            const bool counted_from_there =
                T::kind != caucus::shape::one_way_ring &&
                (far.node < v || (far.node == caucus::node{v} && far.port < p));
            if (!counted_from_there) links.push_back({v, far.node});
        }
    return links;
}

/// How many parts the links leave, by naive relabelling.
inline std::size_t parts(std::size_t nodes, const std::vector<pictured_link>& links) {
    std::vector<std::size_t> label(nodes);
    for (std::size_t v = 0; v < nodes; ++v) label[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [a, b] : links)
            if (label[a] != label[b]) {
                label[a] = label[b] = label[a] < label[b] ? label[a] : label[b];
                changed = true;
            }
    }
    std::size_t count = 0;
    for (std::size_t v = 0; v < nodes; ++v) count += label[v] == v ? 1 : 0;
    return count;
}

/// Nothing is left when every link that hangs on a node of degree one is removed, again and again.
inline bool peels_away(std::size_t nodes, std::vector<pictured_link> links) {
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<std::size_t> degree(nodes);
        for (const auto& [a, b] : links) ++degree[a], ++degree[b];
        std::vector<pictured_link> kept;
        for (const auto& l : links)
            if (degree[l.a] > 1 && degree[l.b] > 1) kept.push_back(l);
        changed = kept.size() != links.size();
        links = kept;
    }
    return links.empty();
}

template <caucus::topology T>
void topology_laws(const T& t) {
    using namespace caucus;
    constexpr bool one_way = T::kind == shape::one_way_ring;
    REQUIRE(t.nodes() > 0);
    std::vector<bool> arc_seen(t.arcs());
    std::size_t degrees = 0;
    for (std::size_t i = 0; i < t.nodes(); ++i) {
        const node v{i};
        degrees += t.degree(v);
        for (const port p : ports(t.degree(v))) {
            CAPTURE(v.index);
            CAPTURE(p.index());
            REQUIRE(t.arc(v, p) < t.arcs());
            CHECK_FALSE(arc_seen[t.arc(v, p)]);
            arc_seen[t.arc(v, p)] = true;

            const far_end far = t.across(v, p);
            CHECK(checked_across(t, v, p) == far);
            REQUIRE(far.node < t.nodes());
            if constexpr (one_way) {
                CHECK(far.port == prev);
            } else {
                REQUIRE(far.port < t.degree(far.node));
                CHECK(t.across(far.node, far.port) == far_end{v, p});
            }
        }
    }
    CHECK(degrees == t.arcs());
    CHECK(t.arcs() == (one_way ? 1 : 2) * t.links());

    const auto links = pictured(t);
    CHECK(t.links() == links.size());
    CHECK(t.connected() == (parts(t.nodes(), links) == 1));
    CHECK(t.acyclic() == peels_away(t.nodes(), links));
    if (T::kind == shape::tree) CHECK((t.connected() && t.acyclic()));
}

/// one_inlet: whatever arrives at a node arrives by one and the same port.
template <caucus::topology T>
void one_inlet_law(const T& t) {
    std::vector<std::vector<bool>> inlets(t.nodes());
    std::size_t busiest = 0;
    for (std::size_t v = 0; v < t.nodes(); ++v)
        for (const caucus::port p : caucus::ports(t.degree(caucus::node{v}))) {
            const caucus::far_end far = t.across(caucus::node{v}, p);
            auto& used = inlets[far.node];
            if (used.size() <= far.port) used.resize(far.port + 1);
            used[far.port] = true;
            std::size_t count = 0;
            for (const bool u : used) count += u ? 1 : 0;
            busiest = count > busiest ? count : busiest;
        }
    CHECK(T::one_inlet == (busiest == 1));
}

/// No two links join the same two nodes, and none joins a node to itself.
template <caucus::topology T>
void simple_law(const T& t) {
    for (std::size_t v = 0; v < t.nodes(); ++v) {
        std::vector<bool> neighbour(t.nodes());
        for (const caucus::port p : caucus::ports(t.degree(caucus::node{v}))) {
            const std::size_t w = t.across(caucus::node{v}, p).node;
            CHECK(w != v);
            CHECK_FALSE(neighbour[w]);
            neighbour[w] = true;
        }
    }
}

/// The text with which `build` is refused.
inline std::string refusal(auto build) {
    try {
        build();
    } catch (const caucus::error& e) {
        return e.what();
    }
    return "not refused";
}

}  // namespace laws
