// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/model.hpp>

#include <concepts>

namespace caucus {

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
