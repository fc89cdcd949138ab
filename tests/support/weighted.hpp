// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/peers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace support {

/// A graph with ids at its nodes and weights on its edges, the same from both ends.
struct weighted {
    caucus::graph shape;
    std::vector<int> ids;
    std::vector<int> matrix = std::vector<int>(shape.nodes() * shape.nodes(), 0);

    std::size_t nodes() const { return shape.nodes(); }
    int& weight(std::size_t a, std::size_t b) {
        return matrix[std::min(a, b) * nodes() + std::max(a, b)];
    }
    int weight(std::size_t a, std::size_t b) const {
        return matrix[std::min(a, b) * nodes() + std::max(a, b)];
    }
    std::vector<int> peers(caucus::node v) const { return peer_ids(shape, v, ids); }
    std::vector<int> weights(caucus::node v) const {
        std::vector<int> found;
        for (const caucus::port p : caucus::ports(shape.degree(v)))
            found.push_back(weight(v, shape.across(v, p).node));
        return found;
    }

    struct edge {
        std::size_t a, b;
    };
    std::vector<edge> edges() const {
        std::vector<edge> found;
        for (std::size_t v = 0; v < nodes(); ++v)
            for (const caucus::port p : caucus::ports(shape.degree(caucus::node{v})))
                if (const std::size_t u = shape.across(caucus::node{v}, p).node; v < u)
                    found.push_back({v, u});
        return found;
    }

    void set(const std::vector<int>& by_edge) {
        std::size_t i = 0;
        for (const auto [a, b] : edges()) weight(a, b) = by_edge[i++];
    }
    void draw(std::uint64_t different, caucus::random_source& dice) {
        for (const auto [a, b] : edges()) weight(a, b) = static_cast<int>(dice.below(different));
    }

    /// Kruskal's: is (a, b) in the tree? By weight, then lesser id, then greater id.
    std::vector<char> tree() const {
        std::vector<edge> all = edges();
        std::sort(all.begin(), all.end(), [&](const edge& x, const edge& y) {
            const auto key = [&](const edge& e) {
                return std::tuple{weight(e.a, e.b), std::min(ids[e.a], ids[e.b]),
                                  std::max(ids[e.a], ids[e.b])};
            };
            return key(x) < key(y);
        });
        std::vector<std::size_t> group(nodes());
        for (std::size_t v = 0; v < nodes(); ++v) group[v] = v;
        std::vector<char> in(nodes() * nodes(), 0);
        for (const auto [a, b] : all) {
            const std::size_t left = group[a], right = group[b];
            if (left == right) continue;
            in[a * nodes() + b] = in[b * nodes() + a] = 1;
            std::replace(group.begin(), group.end(), left, right);
        }
        return in;
    }
};

}  // namespace support
