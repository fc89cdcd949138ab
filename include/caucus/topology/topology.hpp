// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/port.hpp>

#include <concepts>
#include <cstddef>

namespace caucus {

/// Who is linked to whom, and by which ports.
///
/// Syntax     nodes, links, arcs, connected, acyclic; degree(v), across(v, p), arc(v, p);
///            static kind, one_inlet
/// Semantics  across(v, p) is where a message arrives that v sends on p < degree(v); an arc is one
///            direction of a link, arc(v, p) the index of the one that leaves v by p; kind and
///            one_inlet (every node receives by a single port) hold for every value of the type
/// Models     ring, two_way_ring, path, star, tree, complete, hypercube, torus, graph
/// Laws       arc is a bijection onto 0 … arcs()-1; unless one-way, across undoes itself and
///            arcs() is 2·links(); connected and acyclic say what a search of the links would
template <class T>
concept topology = requires(const T& t, node v, port p) {
    { t.nodes() } -> std::same_as<std::size_t>;
    { t.links() } -> std::same_as<std::size_t>;
    { t.arcs() } -> std::same_as<std::size_t>;
    { t.degree(v) } -> std::same_as<std::size_t>;
    { t.across(v, p) } -> std::same_as<far_end>;
    { t.arc(v, p) } -> std::same_as<std::size_t>;
    { t.connected() } -> std::same_as<bool>;
    { t.acyclic() } -> std::same_as<bool>;
    requires std::same_as<decltype(T::kind), const shape>;
    requires std::same_as<decltype(T::one_inlet), const bool>;
};

template <class T>
concept needs_a_topology__see_the_concept = topology<T>;

/// `across` for callers who cannot vouch for v and p.
template <topology T>
constexpr far_end checked_across(const T& t, node v, port p) {
    if (v >= t.nodes())
        refuse("topology: there is no node ", v.index, " among ", t.nodes());
    if (p >= t.degree(v))
        refuse("topology: node ", v.index, " cannot send on port ", p.index(), ", only on ",
               t.degree(v), " ports from 0");
    return t.across(v, p);
}

namespace detail {

/// n, if it can be the number of nodes of the topology with that name.
constexpr std::size_t checked_nodes(const char* name, std::size_t n) {
    if (n == 0) refuse(name, ": a topology needs at least one node");
    if (n > 0xffff'ffffu) refuse(name, ": ", n, " nodes are more than 2^32-1");
    return n;
}

/// A tree of n nodes that needs no list of its links: what all of those have in common.
class tree_of_n {
public:
    static constexpr shape kind = shape::tree;
    static constexpr bool one_inlet = false;

    constexpr std::size_t nodes() const { return nodes_; }
    constexpr std::size_t links() const { return nodes_ - 1; }
    constexpr std::size_t arcs() const { return 2 * links(); }
    constexpr bool connected() const { return true; }
    constexpr bool acyclic() const { return true; }

protected:
    constexpr tree_of_n(const char* name, std::size_t n) : nodes_(checked_nodes(name, n)) {}

    std::size_t nodes_;
};

}  // namespace detail

}  // namespace caucus
