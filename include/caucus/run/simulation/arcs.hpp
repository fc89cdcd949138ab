// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::simulation {

/// Both ends of every arc of a topology, found by the arc or by where it comes in.
class arc_table {
public:
    struct ends {
        node from;
        port out;
        node to;
        port in;
    };
    static constexpr std::size_t none = ~std::size_t{0};

    template <topology T>
    explicit arc_table(const T& t) : ends_(t.arcs()), back_(t.arcs(), none), into_(t.nodes()) {
        for (std::size_t v = 0; v < t.nodes(); ++v)
            for (const port p : ports(t.degree(node{v}))) {
                const far_end far = t.across(node{v}, p);
                const std::size_t arc = t.arc(node{v}, p);
                ends_[arc] = {node{v}, p, far.node, far.port};
                auto& row = into_[far.node];
                if (row.size() <= far.port) row.resize(far.port + 1, none);
                row[far.port] = arc;
                if (!T::one_inlet && T::kind != shape::one_way_ring)
                    back_[arc] = t.arc(far.node, far.port);
            }
    }

    std::size_t size() const { return ends_.size(); }
    const ends& operator[](std::size_t arc) const { return ends_[arc]; }
    /// The arc that comes in at that port.
    std::size_t into(std::size_t to, port in) const { return into_[to][in]; }
    /// The other direction of the same link, or `none` where it is one-way.
    std::size_t back(std::size_t arc) const { return back_[arc]; }

    /// Calls f(arc) for every arc from one node to another; is there any?
    bool between(std::size_t from, std::size_t to, auto f) const {
        bool any = false;
        for (const std::size_t arc : into_[to])
            if (arc != none && ends_[arc].from == from) {
                f(arc);
                any = true;
            }
        return any;
    }
    /// Calls f(arc) for every arc that leads to the node.
    void each_into(std::size_t to, auto f) const {
        for (const std::size_t arc : into_[to])
            if (arc != none) f(arc);
    }

private:
    std::vector<ends> ends_;
    std::vector<std::size_t> back_;
    std::vector<std::vector<std::size_t>> into_;   // per node and inlet
};

}  // namespace caucus::simulation
