// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/adjacency.hpp>
#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace caucus {

namespace detail {

struct edge {
    std::uint32_t a, b;
};
using edge_list = std::vector<edge>;

template <class Edges>
constexpr edge_list checked_edges(std::size_t n, Edges& edges) {
    checked_nodes("graph", n);
    edge_list list;
    if constexpr (requires { edges.size(); }) list.reserve(edges.size());
    for (const auto& [first, second] : edges) {
        const auto a = static_cast<std::size_t>(first), b = static_cast<std::size_t>(second);
        const std::size_t i = list.size();
        if (a >= n || b >= n)
            refuse("graph: edge ", i, " (", a, "-", b, ") names node ", a >= n ? a : b,
                   ", but there are only ", n);
        if (a == b) refuse("graph: edge ", i, " (", a, "-", b, ") is a self-loop");
        if (i == 0x7fff'ffffu) refuse("graph: more than 2^31-1 edges");
        list.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    }
    return list;
}

}  // namespace detail

/// Any simple undirected graph. A node's ports are numbered in the order in which edges name it.
/// Built in time and memory linear in nodes and edges; at most 2^31-1 edges.
///
/// `edges`  any range of things with two members: pairs, arrays of two, structs of two indices
class graph {
public:
    static constexpr shape kind = shape::graph;
    static constexpr bool one_inlet = false;

    template <class Edges>
    constexpr graph(std::size_t n, Edges&& edges)
        : links_(linked(n, detail::checked_edges(n, edges))) {}

    constexpr graph(std::size_t n, std::initializer_list<std::pair<std::size_t, std::size_t>> edges)
        : links_(linked(n, detail::checked_edges(n, edges))) {}

    constexpr std::size_t nodes() const { return links_.nodes(); }
    constexpr std::size_t links() const { return arcs() / 2; }
    constexpr std::size_t arcs() const { return links_.arcs(); }
    constexpr std::size_t degree(node v) const { return links_.degree(v); }
    constexpr far_end across(node v, port p) const { return links_.across(v, p); }
    constexpr std::size_t arc(node v, port p) const { return links_.arc(v, p); }

    /// Both walk the whole graph.
    constexpr bool connected() const { return components() == 1; }
    constexpr bool acyclic() const { return links() + components() == nodes(); }

    friend constexpr bool operator==(const graph&, const graph&) = default;

private:
    static constexpr detail::adjacency linked(std::size_t n, const detail::edge_list& edges) {
        std::vector<std::uint32_t> degrees(n, 0);
        for (const auto [a, b] : edges) ++degrees[a], ++degrees[b];
        detail::adjacency links{degrees};
        std::vector<std::uint32_t> joined(n, 0);
        for (const auto [a, b] : edges)
            links.join({node{a}, port{joined[a]++}}, {node{b}, port{joined[b]++}});
        refuse_repeats(links, edges);
        return links;
    }

    static constexpr void refuse_repeats(const detail::adjacency& links,
                                         const detail::edge_list& edges) {
        const auto n = static_cast<std::uint32_t>(links.nodes());
        std::vector<std::uint32_t> neighbour(n, n);   // of w: the last v seen to have a link to w
        for (std::uint32_t v = 0; v < n; ++v)
            for (const port p : ports(links.degree(node{v}))) {
                const node w = links.across(node{v}, p).node;
                if (neighbour[w] == v) refuse_repeat(edges, node{v}, w);
                neighbour[w] = v;
            }
    }

    static constexpr void refuse_repeat(const detail::edge_list& edges, node v, node w) {
        std::size_t first = edges.size();
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const auto [a, b] = edges[i];
            if ((a != v || b != w) && (a != w || b != v)) continue;
            if (first != edges.size())
                refuse("graph: edge ", i, " (", a, "-", b, ") repeats edge ", first);
            first = i;
        }
    }

    constexpr std::size_t components() const {
        std::size_t found = 0;
        std::vector<char> seen(nodes(), false);   // clang 14 cannot evaluate vector<bool>
        std::vector<node> open;
        for (std::size_t root = 0; root < nodes(); ++root) {
            if (seen[root]) continue;
            ++found;
            seen[root] = true;
            open.push_back(node{root});
            while (!open.empty()) {
                const node v = open.back();
                open.pop_back();
                for (const port p : ports(degree(v))) {
                    const node w = across(v, p).node;
                    if (seen[w]) continue;
                    seen[w] = true;
                    open.push_back(w);
                }
            }
        }
        return found;
    }

    detail::adjacency links_;
};

}  // namespace caucus
