// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/random.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/pair_set.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Random connected graphs. The same arguments give the same graph, port for port, on every
/// compiler and standard library: all draws are integers.

namespace caucus {

namespace detail {

/// The edges of the tree whose Prüfer code is n-2 draws: every labelled tree has exactly one code.
constexpr edge_list tree_edges(std::size_t n, random_source& random) {
    edge_list edges;
    if (n < 2) return edges;
    std::vector<std::uint32_t> code(n - 2, 0), times_left(n, 0);
    for (auto& v : code) ++times_left[v = static_cast<std::uint32_t>(random.below(n))];
    std::uint32_t fresh = 0;
    while (times_left[fresh] != 0) ++fresh;
    std::uint32_t leaf = fresh;   // always the least leaf that is left
    for (const std::uint32_t v : code) {
        edges.push_back({leaf, v});
        if (--times_left[v] == 0 && v < fresh) {
            leaf = v;
            continue;
        }
        do ++fresh; while (times_left[fresh] != 0);
        leaf = fresh;
    }
    edges.push_back({leaf, static_cast<std::uint32_t>(n - 1)});
    return edges;
}

/// Every pair with probability share/2^53, row by row; gives up early when a node stays alone.
constexpr bool draw_pairs(std::size_t n, std::uint64_t share, random_source& random,
                          edge_list& edges) {
    std::vector<char> linked(n, false);
    edges.clear();
    for (std::uint32_t v = 0; v < n; ++v) {
        for (std::uint32_t w = v + 1; w < n; ++w) {
            if ((random.bits() >> 11) >= share) continue;
            edges.push_back({v, w});
            linked[v] = linked[w] = true;
        }
        if (!linked[v] && n > 1) return false;
    }
    return true;
}

/// A random simple graph of that degree, or fewer edges than that when the pairing gets stuck.
constexpr edge_list pair_stubs(std::size_t n, std::size_t degree, random_source& random,
                               pair_set& taken) {
    edge_list edges;
    std::vector<std::uint32_t> stubs, left;
    for (std::size_t i = 0; i < n * degree; ++i) stubs.push_back(static_cast<std::uint32_t>(i % n));
    for (int fruitless = 0; !stubs.empty() && fruitless < 16;) {
        random.shuffle(stubs);
        left.clear();
        for (std::size_t i = 0; i < stubs.size(); i += 2) {
            const std::uint32_t a = stubs[i], b = stubs[i + 1];
            if (a != b && taken.insert(a, b))
                edges.push_back({a, b});
            else
                left.push_back(a), left.push_back(b);
        }
        fruitless = left.size() == stubs.size() ? fruitless + 1 : 0;
        stubs.swap(left);
    }
    return edges;
}

/// One cycle through all nodes, in fair order.
constexpr edge_list cycle_edges(std::size_t n, random_source& random) {
    std::vector<std::uint32_t> order(n, 0);
    for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::uint32_t>(i);
    random.shuffle(order);
    edge_list edges;
    for (std::size_t i = 0; i < n; ++i) edges.push_back({order[i], order[i + 1 == n ? 0 : i + 1]});
    return edges;
}

inline constexpr std::size_t attempts_max = 1000;

}  // namespace detail

/// A tree, uniform over the n^(n-2) labelled ones; linear time.
///
/// Source    Prüfer, Archiv der Mathematik und Physik 27, 1918
constexpr graph random_tree(std::size_t n, std::uint64_t seed) {
    detail::checked_nodes("random_tree", n);
    random_source random{seed};
    return graph{n, detail::tree_edges(n, random)};
}

/// G(n, p) given that it is connected: every pair is an edge with probability p, and all is drawn
/// again until the graph is connected, at most 1000 times. Time O(n²) per attempt.
///
/// Source    Gilbert, Annals of Mathematical Statistics 30(4), 1959
constexpr graph random_graph(std::size_t n, double p, std::uint64_t seed) {
    detail::checked_nodes("random_graph", n);
    if (!(p >= 0 && p <= 1)) refuse("random_graph: the probability is not within 0 and 1");
    constexpr double two_to_53 = 9007199254740992.0;
    const auto share = static_cast<std::uint64_t>(p * two_to_53);   // exact: a power of two
    random_source random{seed};
    detail::edge_list edges;
    for (std::size_t attempt = 0; attempt < detail::attempts_max; ++attempt) {
        if (!detail::draw_pairs(n, share, random, edges)) continue;
        graph drawn{n, edges};
        if (drawn.connected()) return drawn;
    }
    refuse("random_graph: none of ", detail::attempts_max, " graphs on ", n,
           " nodes was connected; the probability should exceed ln(n)/n");
}

/// A uniform random tree and, beside it, distinct random links up to the given number. Connected,
/// but not uniform over the connected graphs: those with many spanning trees are favoured.
/// Expected time linear in links up to half of all pairs, a logarithm more beyond.
constexpr graph random_sparse_graph(std::size_t n, std::size_t links, std::uint64_t seed) {
    detail::checked_nodes("random_sparse_graph", n);
    const std::size_t most = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    if (links < n - 1 || links > most)
        refuse("random_sparse_graph: ", n, " nodes take ", n - 1, " to ", most, " links, not ",
               links);
    random_source random{seed};
    detail::edge_list edges = detail::tree_edges(n, random);
    detail::pair_set taken{links};
    for (const auto& [a, b] : edges) taken.insert(a, b);
    while (edges.size() < links) {
        const auto a = static_cast<std::uint32_t>(random.below(n));
        const auto b = static_cast<std::uint32_t>(random.below(n));
        if (a != b && taken.insert(a, b)) edges.push_back({a, b});
    }
    return graph{n, edges};
}

/// A connected graph in which all nodes have the given degree. Stubs are paired at random, and what
/// does not fit is paired again: nearly uniform while the degree is small. At most 1000 attempts,
/// nearly always one; expected time linear in the links, O(n²) from degree n/2 on.
///
/// Source    Steger & Wormald, Combinatorics, Probability and Computing 8(4), 1999
constexpr graph random_regular(std::size_t n, std::size_t degree, std::uint64_t seed) {
    detail::checked_nodes("random_regular", n);
    if (degree >= n) refuse("random_regular: degree ", degree, " needs more than ", n, " nodes");
    if (n % 2 != 0 && degree % 2 != 0)
        refuse("random_regular: ", n, " nodes of degree ", degree, " have an odd number of ends");
    if (degree < 2 && n != degree + 1)
        refuse("random_regular: ", n, " nodes of degree ", degree, " are never connected");
    random_source random{seed};
    // Of the 2-regular graphs hardly any is connected: draw a cycle at once.
    if (degree == 2) return graph{n, detail::cycle_edges(n, random)};
    // Beyond half, pairing gets stuck: draw what is missing from the complete graph instead.
    const bool dense = 2 * degree > n - 1;
    const std::size_t paired = dense ? n - 1 - degree : degree;
    for (std::size_t attempt = 0; attempt < detail::attempts_max; ++attempt) {
        detail::pair_set taken{n * paired / 2};
        detail::edge_list edges = detail::pair_stubs(n, paired, random, taken);
        if (edges.size() != n * paired / 2) continue;
        if (dense) {
            edges.clear();
            for (std::uint32_t a = 0; a < n; ++a)
                for (std::uint32_t b = a + 1; b < n; ++b)
                    if (!taken.contains(a, b)) edges.push_back({a, b});
        }
        graph drawn{n, edges};
        if (drawn.connected()) return drawn;
    }
    refuse("random_regular: no graph on ", n, " nodes of degree ", degree, " after ",
           detail::attempts_max, " attempts");
}

}  // namespace caucus
