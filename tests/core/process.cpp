// SPDX-License-Identifier: MIT
#include <caucus/core/process.hpp>

#include <doctest/doctest.h>

#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <archetypes.hpp>

using caucus::guarantee;
using caucus::naming;
using caucus::shape;

namespace {

template <shape Shape, caucus::guarantee Links = guarantee::none>
struct carded : archetype::process {
    static constexpr caucus::model assumes = {Shape, Links};
};
struct told_of_all : archetype::process {
    static constexpr caucus::model assumes = {shape::tree, guarantee::fifo, naming::anonymous,
                                              caucus::timing::bounded_delay, false};
};
constexpr bool same_but_for_the_network(const caucus::model& a, const caucus::model& b) {
    return a.names == b.names && a.time == b.time && a.uniform == b.uniform;
}
struct restless : archetype::process {
    static constexpr bool perpetual = true;
};
struct immovable : archetype::process {
    immovable(const immovable&) = delete;
};
struct speechless {
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
};

using uncarded = archetype::process;

/// Of the five names, which does the topology refuse?
template <class P, class Topology>
constexpr unsigned refusals() {
    return unsigned{!caucus::needs_a_one_way_ring<P, Topology>} |
           unsigned{!caucus::needs_a_two_way_ring<P, Topology>} << 1 |
           unsigned{!caucus::needs_a_tree<P, Topology>} << 2 |
           unsigned{!caucus::needs_a_complete_network<P, Topology>} << 3 |
           unsigned{!caucus::needs_two_way_links<P, Topology>} << 4;
}

/// Of the three names, which does a channel of those guarantees refuse?
template <caucus::guarantee Needed, caucus::guarantee Given>
constexpr unsigned lacking() {
    using p = carded<shape::graph, Needed>;
    return unsigned{!caucus::needs_reliable_links__wrap_the_process_in_reliable<p, Given>} |
           unsigned{!caucus::needs_fifo_links__wrap_the_process_in_reliable<p, Given>} << 1 |
           unsigned{!caucus::needs_links_without_duplicates__wrap_the_process_in_reliable<p, Given>}
               << 2;
}

}  // namespace

static_assert(caucus::assumptions_on<told_of_all>(shape::complete).topology == shape::complete);
static_assert(caucus::assumptions_on<told_of_all>(shape::complete).links == guarantee::fifo);
static_assert(caucus::assumptions_on<told_of_all>(shape::complete, guarantee::reliable).links ==
              guarantee::reliable);
static_assert(same_but_for_the_network(caucus::assumptions_on<told_of_all>(shape::complete),
                                       told_of_all::assumes));
static_assert(caucus::process<archetype::process> && caucus::process<carded<shape::tree>>);
static_assert(!caucus::process<int> && !caucus::process<immovable> && !caucus::process<speechless>);
static_assert(caucus::carries_a_card<carded<shape::tree>> && !caucus::carries_a_card<uncarded>);
static_assert(caucus::perpetual<restless> && !caucus::perpetual<uncarded>);

TEST_CASE("assumptions_of: what the card says, or nothing at all") {
    constexpr caucus::model said = caucus::assumptions_of<carded<shape::tree, guarantee::fifo>>();
    CHECK(said.topology == shape::tree);
    CHECK(said.links == guarantee::fifo);
    CHECK(said.names == naming::distinct);
    constexpr caucus::model none = caucus::assumptions_of<uncarded>();
    CHECK(none.topology == shape::graph);
    CHECK(none.links == guarantee::none);
    CHECK(none.names == naming::anonymous);
    CHECK(none.time == caucus::timing::asynchronous);
}

TEST_CASE("needs_a_…: the topology that serves passes, any other is refused by the right name") {
    static_assert(refusals<carded<shape::one_way_ring>, caucus::ring>() == 0);
    static_assert(refusals<carded<shape::one_way_ring>, caucus::complete>() == 1);
    static_assert(refusals<carded<shape::one_way_ring>, caucus::two_way_ring>() == 1);
    static_assert(refusals<carded<shape::two_way_ring>, caucus::two_way_ring>() == 0);
    static_assert(refusals<carded<shape::two_way_ring>, caucus::ring>() == 2);
    static_assert(refusals<carded<shape::tree>, caucus::star>() == 0);
    static_assert(refusals<carded<shape::tree>, caucus::path>() == 0);
    static_assert(refusals<carded<shape::tree>, caucus::graph>() == 0);   // seen at run time
    static_assert(refusals<carded<shape::tree>, caucus::complete>() == 4);
    static_assert(refusals<carded<shape::complete>, caucus::complete>() == 0);
    static_assert(refusals<carded<shape::complete>, caucus::graph>() == 8);
    static_assert(refusals<carded<shape::graph>, caucus::complete>() == 0);
    static_assert(refusals<carded<shape::graph>, caucus::star>() == 0);
    static_assert(refusals<carded<shape::graph>, caucus::ring>() == 16);
    // Without a card there is nothing to refuse.
    static_assert(refusals<uncarded, caucus::ring>() == 0);
    static_assert(refusals<uncarded, caucus::complete>() == 0);
}

TEST_CASE("needs_…_links: exactly what is needed and not given is named") {
    constexpr caucus::guarantee all = caucus::perfect_links;
    static_assert(lacking<all, all>() == 0 && lacking<guarantee::none, guarantee::none>() == 0);
    static_assert(lacking<all, guarantee::none>() == 7);
    static_assert(lacking<all, guarantee::fifo | guarantee::no_duplicates>() == 1);
    static_assert(lacking<all, guarantee::reliable | guarantee::no_duplicates>() == 2);
    static_assert(lacking<all, guarantee::reliable | guarantee::fifo>() == 4);
    static_assert(lacking<guarantee::reliable, guarantee::fifo>() == 1);
    static_assert(lacking<guarantee::reliable, guarantee::reliable>() == 0);
    static_assert(lacking<guarantee::fifo | guarantee::reliable, guarantee::reliable>() == 2);
}
