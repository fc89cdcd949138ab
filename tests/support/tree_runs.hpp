// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/wave/spanning_tree.hpp>

#include <doctest/doctest.h>
#include <support/hanging.hpp>
#include <support/instances.hpp>

#include <cstddef>
#include <variant>
#include <vector>

// What the tests of the registry's tree share.

namespace support {

using tree_node = caucus::spanning_tree<>;
inline constexpr std::size_t all_connections = 99;

/// Node 0 is the registry.
template <class P = tree_node>
auto nodes_of(std::size_t n, std::size_t connections) {
    return [n, connections](caucus::node v) { return v == 0 ? P{} : P{way(v, 0, n), connections}; };
}
inline sizes members_of(std::size_t n) {
    sizes all;
    for (std::size_t v = 1; v < n; ++v) all.push_back(v);
    return all;
}

/// They join one after the other.
template <class P = tree_node>
auto built(std::size_t n, std::size_t connections) {
    caucus::rounds sim{caucus::complete{n}, nodes_of<P>(n, connections)};
    for (const std::size_t v : members_of(n)) {
        sim.start(v);
        sim.run();
    }
    return sim;
}

inline void check(const caucus::verdict& v) {
    CHECK_MESSAGE(v.verified(), v.counterexample.text());
}

/// For simulations: who is alive is in the eye of the test.
template <class Simulation>
struct whole {
    const Simulation& sim;
    std::size_t nodes() const { return sim.nodes(); }
    bool alive(std::size_t v) const {
        if constexpr (requires { sim.alive(v); }) return sim.alive(v);
        else return true;
    }
    const auto& operator[](std::size_t v) const { return sim[v]; }
};
template <class Simulation>
whole(const Simulation&) -> whole<Simulation>;

/// An environment that only takes notes.
struct notes {
    std::vector<tree_node::message> out = {};
    std::size_t told = 0;
    std::size_t degree() const { return 3; }
    void send(caucus::port, const tree_node::message& m) { out.push_back(m); }
    void broadcast(const tree_node::message&) {}
    void report(const tree_node::outcome&) { ++told; }
    template <class Kind>
    std::size_t count() const {
        std::size_t found = 0;
        for (const auto& m : out) found += std::holds_alternative<Kind>(m);
        return found;
    }
};

}  // namespace support
