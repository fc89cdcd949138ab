// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/adjacency.hpp>
#include <caucus/topology/topology.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace caucus {

namespace detail {

using index_list = std::vector<std::uint32_t>;

/// Walks from every node up to ground already covered; meeting the walk's own steps is a cycle.
constexpr void refuse_cycle(const index_list& parents, std::size_t root) {
    std::vector<std::size_t> walk(parents.size(), parents.size());   // the walk that covered v
    walk[root] = root;
    for (std::size_t from = 0; from < parents.size(); ++from) {
        std::size_t v = from;
        for (; walk[v] == parents.size(); v = parents[v]) walk[v] = from;
        if (walk[v] == from && v != root) refuse("tree: node ", v, " is its own ancestor");
    }
}

template <class Parents>
constexpr index_list checked_parents(Parents& parents) {
    std::vector<std::size_t> given;
    for (const auto& parent : parents) given.push_back(static_cast<std::size_t>(parent));
    const std::size_t n = checked_nodes("tree", given.size());
    if (n > 0x8000'0000u) refuse("tree: ", n, " nodes are more than 2^31");
    std::size_t root = n;
    index_list list;
    list.reserve(n);
    for (std::size_t v = 0; v < n; ++v) {
        if (given[v] >= n)
            refuse("tree: node ", v, " has parent ", given[v], ", but there are only ", n);
        if (given[v] == v && root != n)
            refuse("tree: nodes ", root, " and ", v, " are both roots");
        if (given[v] == v) root = v;
        list.push_back(static_cast<std::uint32_t>(given[v]));
    }
    if (root == n) refuse("tree: there is no root, no node that is its own parent");
    refuse_cycle(list, root);
    return list;
}

}  // namespace detail

/// A tree given by everyone's parent; the root is its own. Port 0 leads to the parent, the ports
/// after it (at the root, all ports) to the children in order of index.
class tree {
public:
    static constexpr shape kind = shape::tree;
    static constexpr bool one_inlet = false;

    /// `parents`  any range of indices: the parent of node 0, of node 1, …
    template <class Parents>
        requires(!std::same_as<std::remove_cvref_t<Parents>, tree>)
    constexpr explicit tree(Parents&& parents) : links_(linked(detail::checked_parents(parents))) {}

    constexpr tree(std::initializer_list<std::size_t> parents)
        : links_(linked(detail::checked_parents(parents))) {}

    constexpr std::size_t nodes() const { return links_.nodes(); }
    constexpr std::size_t links() const { return nodes() - 1; }
    constexpr std::size_t arcs() const { return links_.arcs(); }
    constexpr std::size_t degree(node v) const { return links_.degree(v); }
    constexpr far_end across(node v, port p) const { return links_.across(v, p); }
    constexpr std::size_t arc(node v, port p) const { return links_.arc(v, p); }

    constexpr bool connected() const { return true; }
    constexpr bool acyclic() const { return true; }

    friend constexpr bool operator==(const tree&, const tree&) = default;

private:
    static constexpr detail::adjacency linked(const detail::index_list& parents) {
        const std::size_t n = parents.size();
        detail::index_list degrees(n, 0), joined(n, 0);
        for (std::size_t v = 0; v < n; ++v)
            if (parents[v] != v) ++degrees[v], ++degrees[parents[v]], joined[v] = 1;
        detail::adjacency links{degrees};
        for (std::size_t v = 0; v < n; ++v)
            if (const std::uint32_t u = parents[v]; u != v)
                links.join({node{v}, port{0}}, {node{u}, port{joined[u]++}});
        return links;
    }

    detail::adjacency links_;
};

}  // namespace caucus
