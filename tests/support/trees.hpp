// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/tree.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace support {

/// How many hops every node is from v.
inline std::vector<std::size_t> distances(const auto& t, std::size_t v) {
    std::vector<std::size_t> hops(t.nodes(), t.nodes());
    std::vector<std::size_t> reached{v};
    hops[v] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const caucus::node u{reached[i]};
        for (const caucus::port p : caucus::ports(t.degree(u))) {
            const std::size_t w = t.across(u, p).node;
            if (hops[w] != t.nodes()) continue;
            hops[w] = hops[u] + 1;
            reached.push_back(w);
        }
    }
    return hops;
}
inline std::size_t eccentricity(const auto& t, std::size_t v) {
    const std::vector<std::size_t> hops = distances(t, v);
    return *std::max_element(hops.begin(), hops.end());
}
/// On a tree: whoever is farthest from anybody is one end of a longest way.
inline std::size_t diameter(const auto& t) {
    const std::vector<std::size_t> hops = distances(t, 0);
    const auto end = std::max_element(hops.begin(), hops.end()) - hops.begin();
    return eccentricity(t, static_cast<std::size_t>(end));
}

inline std::vector<std::size_t> leaves(const auto& t) {
    std::vector<std::size_t> found;
    for (std::size_t v = 0; v < t.nodes(); ++v)
        if (t.degree(caucus::node{v}) <= 1) found.push_back(v);
    return found;
}

/// The same for trees of the same shape, hung up at v (Aho, Hopcroft & Ullman 1974).
inline std::string hung_up_at(const caucus::tree& t, std::size_t v, std::size_t above) {
    std::vector<std::string> below;
    for (const caucus::port p : caucus::ports(t.degree(caucus::node{v}))) {
        const std::size_t w = t.across(caucus::node{v}, p).node;
        if (w != above) below.push_back(hung_up_at(t, w, v));
    }
    std::sort(below.begin(), below.end());
    std::string all = "(";
    for (const std::string& each : below) all += each;
    return all + ")";
}

/// One tree of every shape with n nodes: 1, 1, 1, 2, 3, 6, 11 of them for n = 1 … 7.
inline void each_tree(std::size_t n, auto visit) {
    std::set<std::string> seen;
    std::vector<std::size_t> parents(n, 0);
    const auto extend = [&](auto& self, std::size_t v) -> void {
        if (v < n) {
            for (parents[v] = 0; parents[v] < v; ++parents[v]) self(self, v + 1);
            return;
        }
        const caucus::tree t{parents};
        std::string shape;
        for (std::size_t root = 0; root < n; ++root)
            shape = std::max(shape, hung_up_at(t, root, n));
        if (seen.insert(shape).second) visit(t);
    };
    extend(extend, std::min<std::size_t>(n, 1));
}

}  // namespace support
