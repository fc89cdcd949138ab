// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/model.hpp>

#include <concepts>

namespace caucus {

// Words, each with one meaning over the whole library:
//
// node          an index into a topology; executors know it, processes do not
// port          a node's own name for one of its links: 0 … degree-1
// link          what joins two nodes, both ways except on a one-way ring; where a paper or a tree
//               says edge, an algorithm may
// arc           one direction of a link, as executors number them
// neighbour     the node behind a port
// peer          a neighbour's id, where it is known: peers[p] is the id behind port p
// id            what algorithms compare; never an address, never an index
// incarnation   the number of a process's life; a life ends with a crash, the next has a higher one
// message, timer, outcome
//               an algorithm's own aggregates: what it sends, what it waits for, what it tells the
//               application
// request       what the application asks of a process; its result is the answer
// input         all that can happen to a node: request, message, timer, suspect, trust, recovered
// environment   all that a handler can act on: send, arm, choose, keep, report
// handler       a process's reaction to one input: start, on
// executor      whoever owns processes and calls their handlers
// layer         a process that contains another process
// guarantee     what a channel promises of its messages: reliable, fifo, no_duplicates
// initiator     a node whose process is asked to start before anything has reached it
// number        of an election: which one it is; later ones have higher numbers
// epoch         an election's number, its winner and that one's incarnation: stamped by the leader,
//               and no two leaders have the same
// reign         the time in which one leader leads; its epoch is its name
// beat          a message that only says: I am alive
// suspect, trust
//               a failure detector's two verdicts on a neighbour; they alternate
// judge         a detector's policy: how long a silence may last
// referee       somebody who watches a run and says whether a rule was kept
// load, log     an application's policies: what it asks, and what it remembers of outcomes
// kept          what a process has asked its environment to remember across a crash
// cut           a fault: one direction of a link loses all messages until it is mended
// property      what explore checks of all states: always, finally, sometimes; a claim is one that
//               does not yet say of which process
// quiescent     no message is under way and no timer is armed: nothing happens without a request
// tick, round   the unit of time; on `rounds` all messages take one tick, and that is a round

/// One node's algorithm: a regular value that reacts to inputs through its environment.
///
/// Syntax     types message, timer, outcome; start(env); on(kind, port, env) per message kind;
///            on(kind, env) per timer kind; copies, though it need not be assignable
/// Semantics  same state and same input give the same effects; owns no thread, clock, dice or log
/// Models     every algorithm and layer of the library
/// Laws       a start while one is under way changes nothing; a copy behaves as the original
template <class P>
concept process = std::copy_constructible<P> && requires {
    typename P::message;
    typename P::timer;
    typename P::outcome;
};

template <class P>
concept carries_a_card = requires {
    { P::assumes } -> std::convertible_to<model>;
};

/// What P assumes; a process without a card assumes nothing.
template <class P>
constexpr model assumptions_of() {
    if constexpr (carries_a_card<P>) return P::assumes;
    else return {.topology = shape::graph, .links = guarantee::none, .names = naming::anonymous};
}
/// The same on another network, and over other links if they are given: of a layer around P that
/// makes P's network out of that.
template <class P>
constexpr model assumptions_on(shape network, guarantee links = assumptions_of<P>().links) {
    model given = assumptions_of<P>();
    given.topology = network;
    given.links = links;
    return given;
}

namespace detail {
template <class P, class Topology>
constexpr bool has_shape(shape needed) {
    return !carries_a_card<P> || assumptions_of<P>().topology != needed ||
           may_serve(Topology::kind, needed);
}
}  // namespace detail

// What an algorithm assumes and its surroundings do not provide is a compile error with one of
// these names: executors assert them one by one, so that the name stands in the first lines.

template <class P, class Topology>
concept needs_a_one_way_ring = detail::has_shape<P, Topology>(shape::one_way_ring);
template <class P, class Topology>
concept needs_a_two_way_ring = detail::has_shape<P, Topology>(shape::two_way_ring);
template <class P, class Topology>
concept needs_a_tree = detail::has_shape<P, Topology>(shape::tree);
template <class P, class Topology>
concept needs_a_complete_network = detail::has_shape<P, Topology>(shape::complete);
template <class P, class Topology>
concept needs_two_way_links = detail::has_shape<P, Topology>(shape::graph);

template <class P, guarantee Given>
concept needs_reliable_links__wrap_the_process_in_reliable =
    covers(Given | guarantee::fifo | guarantee::no_duplicates, assumptions_of<P>().links);
template <class P, guarantee Given>
concept needs_fifo_links__wrap_the_process_in_reliable =
    covers(Given | guarantee::reliable | guarantee::no_duplicates, assumptions_of<P>().links);
template <class P, guarantee Given>
concept needs_links_without_duplicates__wrap_the_process_in_reliable =
    covers(Given | guarantee::reliable | guarantee::fifo, assumptions_of<P>().links);

template <class P>
concept needs_a_process__see_the_concept = process<P>;

namespace detail {
/// A function, so that g++ names the reason before it tells how it came there.
template <class P>
constexpr void never_ends__bound_the_run_with_run_for_or_a_limit() {
    static_assert(!perpetual<P>, "never_ends__bound_the_run_with_run_for_or_a_limit");
}
}  // namespace detail

}  // namespace caucus
