// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/process.hpp>

#include <concepts>
#include <cstddef>

namespace caucus {

/// A process that can be set up wrongly, in a way that only shows where it is to run, says so:
/// `constexpr const char* objection(std::size_t degree) const`, a plain sentence, or nullptr if a
/// node of that degree can run it. Executors ask before anything else, in release builds too, and
/// refuse with those words. A layer passes on what the process inside objects to.
template <class P>
concept may_object = requires(const P& p, std::size_t degree) {
    { p.objection(degree) } -> std::convertible_to<const char*>;
};

/// What is wrong with ids that are known by port: peers[p] is to be the id behind port p.
/// The same id may stand twice where two links may lead to one neighbour: not in a complete
/// network. The node's own id may stand there on a ring only: a ring of one is a loop.
template <class Id, class Peers>
constexpr const char* objection_to_peers(const Id& self, const Peers& peers, std::size_t degree,
                                         shape where = shape::complete) {
    if (peers.size() != degree) return "it knows more peers, or fewer, than it has ports";
    const bool on_a_ring = where == shape::one_way_ring || where == shape::two_way_ring;
    for (std::size_t i = 0; i < degree; ++i) {
        if (!on_a_ring && peers[i] == self) return "its own id is among its peers";
        for (std::size_t j = 0; where == shape::complete && j < i; ++j)
            if (peers[i] == peers[j]) return "two of its peers have the same id";
    }
    return nullptr;
}

namespace detail {

template <class P>
concept knows_peers_by_port = requires(const P& p, std::size_t i) {
    p.peers().size();
    { p.peers()[i] == p.id() } -> std::convertible_to<bool>;
};

/// What P objects to; for a P that has no `objection`, what is wrong with its peers if it has any.
template <class P>
constexpr const char* objection_of([[maybe_unused]] const P& process,
                                   [[maybe_unused]] std::size_t degree) {
    if constexpr (may_object<P>)
        return process.objection(degree);
    else if constexpr (knows_peers_by_port<P>)
        return objection_to_peers(process.id(), process.peers(), degree,
                                  assumptions_of<P>().topology);
    else
        return nullptr;
}

}  // namespace detail

}  // namespace caucus
