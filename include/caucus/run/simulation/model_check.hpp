// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/fields.hpp>
#include <caucus/core/objection.hpp>
#include <caucus/core/process.hpp>
#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace caucus::simulation {

// What P needs and the topology is not: functions of the same names as the concepts, since g++ says
// in which function it is before it says how it came there, and that is within the first lines.

template <class P, class T>
constexpr void needs_a_one_way_ring() {
    static_assert(caucus::needs_a_one_way_ring<P, T>, "needs_a_one_way_ring");
}
template <class P, class T>
constexpr void needs_a_two_way_ring() {
    static_assert(caucus::needs_a_two_way_ring<P, T>, "needs_a_two_way_ring");
}
template <class P, class T>
constexpr void needs_a_tree() { static_assert(caucus::needs_a_tree<P, T>, "needs_a_tree"); }
template <class P, class T>
constexpr void needs_a_complete_network() {
    static_assert(caucus::needs_a_complete_network<P, T>, "needs_a_complete_network");
}
template <class P, class T>
constexpr void needs_two_way_links() {
    static_assert(caucus::needs_two_way_links<P, T>, "needs_two_way_links");
}
template <class P, class Topology>
constexpr bool the_topology_fits() {
    needs_a_one_way_ring<P, Topology>();
    needs_a_two_way_ring<P, Topology>();
    needs_a_tree<P, Topology>();
    needs_a_complete_network<P, Topology>();
    needs_two_way_links<P, Topology>();
    return true;
}

/// The first node to which no way leads from node 0; their number if there is none.
constexpr std::size_t unreached(const auto& topology) {
    const std::size_t nodes = topology.nodes();
    std::vector<char> seen(nodes, 0);
    std::vector<std::size_t> to_do;
    if (nodes != 0) to_do.push_back(0);
    while (!to_do.empty()) {
        const node v{to_do.back()};
        to_do.pop_back();
        if (seen[v] != 0) continue;
        seen[v] = 1;
        for (const port p : ports(topology.degree(v)))
            if (const std::size_t u = topology.across(v, p).node; seen[u] == 0) to_do.push_back(u);
    }
    std::size_t v = 0;
    while (v != nodes && seen[v] != 0) ++v;
    return v;
}

constexpr void check_connected(const char* who, const auto& topology) {
    if constexpr (requires { topology.connected(); })
        if (topology.connected()) return;   // many know it without a walk
    if (const std::size_t v = simulation::unreached(topology); v != topology.nodes())
        refuse(who, ": the graph is not connected: no way from node 0 to node ", v);
}

constexpr void check_ids(const char* who, const auto& processes) {
    std::size_t slots = 2;
    while (slots < 2 * processes.size()) slots *= 2;
    std::vector<std::uint32_t> owner(slots, 0);   // node + 1; 0 is free
    for (std::size_t v = 0; v < processes.size(); ++v) {
        std::size_t slot = static_cast<std::size_t>(caucus::hash(processes[v].id())) & (slots - 1);
        for (; owner[slot] != 0; slot = (slot + 1) & (slots - 1))
            if (processes[owner[slot] - 1].id() == processes[v].id())
                refuse(who, ": nodes ", std::size_t{owner[slot] - 1}, " and ", v,
                       " have the same id");
        owner[slot] = static_cast<std::uint32_t>(v + 1);
    }
}

constexpr void check_peers(const char* who, const auto& topology, const auto& processes) {
    for (std::size_t v = 0; v < processes.size(); ++v) {
        const auto& peers = processes[v].peers();
        const std::size_t degree = topology.degree(node{v});
        if (peers.size() != degree)
            refuse(who, ": node ", v, " knows ", peers.size(), " peers and has ", degree, " ports");
        if constexpr (requires { processes[v].id() == peers[0]; })
            for (const port p : ports(degree))
                if (const std::size_t u = topology.across(node{v}, p).node;
                    !(processes[u].id() == peers[p]))
                    refuse(who, ": behind port ", p.index(), " of node ", v, " is node ", u,
                           ", not the peer that it was told of");
    }
}

/// A node that takes the ring for shorter than it is thinks that its token is home before it is.
constexpr void check_ring_size(const char* who, const auto& topology, const auto& processes) {
    for (std::size_t v = 0; v < processes.size(); ++v)
        if (const std::size_t told = processes[v].ring_size(); told != topology.nodes())
            refuse(who, ": node ", v, " was told of a ring of ", told, " nodes, and there are ",
                   topology.nodes());
}

/// One that was told a bound: it misses what is still on its way round a longer ring.
constexpr void check_ring_size_most(const char* who, const auto& topology, const auto& processes) {
    for (std::size_t v = 0; v < processes.size(); ++v)
        if (const std::size_t told = processes[v].ring_size_most(); told < topology.nodes())
            refuse(who, ": node ", v, " was told of a ring of at most ", told,
                   " nodes, and there are ", topology.nodes());
}

/// What types cannot know, of processes[v] at each node v of the topology: the graph is connected
/// and, where it must be, a tree; ids differ; peers are who is there; a ring is as long as nodes
/// were told, or no longer; nobody objects to its place.
/// `who` refuses what does not fit. Processes without a card assume nothing, but may object.
constexpr void check_model(const char* who, const auto& topology, const auto& processes) {
    using process_type = std::remove_cvref_t<decltype(processes[0])>;
    if constexpr (carries_a_card<process_type>) {
        constexpr model assumed = process_type::assumes;
        simulation::check_connected(who, topology);
        // Connected by now: a link more than a tree has closes a cycle.
        if (assumed.topology == shape::tree && topology.links() >= topology.nodes())
            refuse(who, ": the algorithm needs a tree, and the graph has a cycle");
        if constexpr (assumed.names == naming::distinct &&
                      requires(const process_type& p) { p.id(); })
            simulation::check_ids(who, processes);
        if constexpr (requires(const process_type& p) { p.peers().size(); })
            simulation::check_peers(who, topology, processes);
        if constexpr (requires(const process_type& p) { p.ring_size(); })
            simulation::check_ring_size(who, topology, processes);
        if constexpr (requires(const process_type& p) { p.ring_size_most(); })
            simulation::check_ring_size_most(who, topology, processes);
    }
    if constexpr (may_object<process_type>)
        for (std::size_t v = 0; v < processes.size(); ++v)
            if (const char* words = processes[v].objection(topology.degree(node{v})))
                refuse(who, ": node ", v, " cannot run there: ", words);
}

/// Of one process alone, which is what an endpoint can know: that it does not object to its place,
/// and that its peers, if it has any, could be behind its ports.
constexpr void check_model_of_one(const char* who, const auto& process, std::size_t degree) {
    if (const char* words = caucus::detail::objection_of(process, degree)) refuse(who, ": ", words);
}

}  // namespace caucus::simulation
