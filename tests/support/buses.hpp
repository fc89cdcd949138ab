// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <support/court.hpp>

#include <cstddef>
#include <vector>

// What tests of `bus` ask of a network.

namespace support {

/// The bus in a stack of layers.
template <class T>
constexpr const auto& bus_in(const T& layered) {
    if constexpr (requires { layered.resets(); }) return layered;
    else return bus_in(layered.process());
}
template <class T>
constexpr bool has_a_bus() {
    if constexpr (requires(const T& t) { t.resets(); }) return true;
    else if constexpr (requires { typename T::process_type; })
        return has_a_bus<typename T::process_type>();
    else
        return false;
}

/// A global state of an exploration, or a simulation without crashes, and where it is.
template <class State, class Topology>
struct state_on {
    const State& state;
    const Topology& where;
    std::size_t nodes() const { return state.nodes(); }
    bool alive([[maybe_unused]] std::size_t v) const {
        if constexpr (requires { state.alive(v); }) return state.alive(v);
        else return true;
    }
    const auto& operator[](std::size_t v) const { return state[v]; }
    const Topology& topology() const { return where; }
};

/// Calls f(u) for each live node that is on one bus with v, in the same reset: each on the way
/// there takes the next one for plugged in.
void each_on_the_bus_of(const auto& net, std::size_t v, auto f) {
    std::vector<char> seen(net.nodes(), 0);
    std::vector<std::size_t> to_do{v};
    seen[v] = 1;
    while (!to_do.empty()) {
        const caucus::node u{to_do.back()};
        to_do.pop_back();
        f(u.index);
        for (const caucus::port p : caucus::ports(net.topology().degree(u))) {
            const caucus::far_end w = net.topology().across(u, p);
            if (seen[w.node] != 0 || !net.alive(w.node)) continue;
            const auto& here = bus_in(net[u]);
            const auto& there = bus_in(net[w.node]);
            if (here.resets() != there.resets()) continue;
            if (here.suspects(p) || there.suspects(w.port)) continue;
            seen[w.node] = 1;
            to_do.push_back(w.node);
        }
    }
}

/// Do two live nodes lead that are on one bus, in one reset of it?
bool two_lead_on_a_bus(const auto& net) {
    std::size_t all = 0;
    for (std::size_t v = 0; v < net.nodes(); ++v) all += net.alive(v) && net[v].is_leader();
    if (all < 2) return false;
    for (std::size_t v = 0; v < net.nodes(); ++v) {
        if (!net.alive(v) || !net[v].is_leader()) continue;
        std::size_t leaders = 0;
        each_on_the_bus_of(net, v, [&](std::size_t u) { leaders += net[u].is_leader(); });
        if (leaders > 1) return true;
    }
    return false;
}

/// Has every part that is still connected one leader, to whom all ways up lead?
bool each_bus_is_identified(const auto& net) {
    if (!one_leader_each(net)) return false;
    if constexpr (!requires { bus_in(net[0]).parent(); }) return true;
    else for (std::size_t v = 0; v < net.nodes(); ++v) {
        if (!net.alive(v)) continue;
        std::size_t at = v;
        for (std::size_t hops = 0; !net[at].is_leader(); ++hops) {
            const auto up = bus_in(net[at]).parent();
            if (!up || hops == net.nodes()) return false;
            at = net.topology().across(caucus::node{at}, *up).node;
            if (!net.alive(at)) return false;
        }
        if (bus_in(net[at]).parent()) return false;
    }
    return true;
}

}  // namespace support
