// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/rounds.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/wave/steering.hpp>

#include <cstddef>
#include <string>
#include <vector>

// What the tests of token traversals share.

namespace support {

/// How the token finds its way, for node v of a topology.
struct by_colours {
    constexpr auto operator()(const auto&, caucus::node, const auto&) const {
        return caucus::by_colour{};
    }
};
struct by_paths {
    constexpr auto operator()(const auto& t, caucus::node v, const auto& ids) const {
        return caucus::by_path{ids[v], peer_ids(t, v, ids)};
    }
};

/// Is the tree of parents in `sim` depth-first: does every link join a node and its ancestor?
template <class Simulation>
bool is_depth_first(const Simulation& sim) {
    const auto descends = [&](std::size_t v, std::size_t from) {
        while (v != from) {
            const auto parent = sim[v].parent();
            if (!parent) return false;
            v = sim.topology().across(caucus::node{v}, *parent).node;
        }
        return true;
    };
    for (std::size_t v = 0; v < sim.nodes(); ++v)
        for (const caucus::port p : caucus::ports(sim.topology().degree(caucus::node{v}))) {
            const std::size_t u = sim.topology().across(caucus::node{v}, p).node;
            if (!descends(v, u) && !descends(u, v)) return false;
        }
    return true;
}

/// Where a single token is, message by message.
struct follower : caucus::observer {
    std::vector<std::size_t>* places = nullptr;
    void sent(caucus::ticks, caucus::node v, caucus::port, const auto&) {
        places->push_back(v);
    }
};
template <class Topology, class Make>
std::vector<std::size_t> route_of(const Topology& t, const Make& make, std::size_t initiator) {
    std::vector<std::size_t> places;
    follower watcher;
    watcher.places = &places;
    caucus::rounds sim{t, make, {}, watcher};
    sim.start(initiator);
    sim.run();
    places.push_back(initiator);
    return places;
}

}  // namespace support
