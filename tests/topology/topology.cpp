// SPDX-License-Identifier: MIT
#include <caucus/topology/topology.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;
using laws::refusal;

namespace {

/// The least topology: two nodes and one link, written out.
struct handshake {
    static constexpr shape kind = shape::tree;
    static constexpr bool one_inlet = true;

    constexpr std::size_t nodes() const { return 2; }
    constexpr std::size_t links() const { return 1; }
    constexpr std::size_t arcs() const { return 2; }
    constexpr std::size_t degree(node) const { return 1; }
    constexpr far_end across(node v, port p) const { return {node{1 - v.index}, p}; }
    constexpr std::size_t arc(node v, port) const { return v; }
    constexpr bool connected() const { return true; }
    constexpr bool acyclic() const { return true; }
};

struct without_arcs : handshake {
    std::size_t arc(node, port) const = delete;
};

static_assert(topology<handshake>);
static_assert(!topology<without_arcs>);
static_assert(!topology<int>);
static_assert(checked_across(handshake{}, node{0}, port{0}) == far_end{node{1}, port{0}});

}  // namespace

TEST_CASE("topology: the least model keeps the laws") {
    laws::topology_laws(handshake{});
    laws::one_inlet_law(handshake{});
}

TEST_CASE("topology: checked_across names the node or the port that is out of range") {
    CHECK(refusal([] { checked_across(handshake{}, node{2}, port{0}); }) ==
          "topology: there is no node 2 among 2");
    CHECK(refusal([] { checked_across(handshake{}, node{1}, port{1}); }) ==
          "topology: node 1 cannot send on port 1, only on 1 ports from 0");
}

TEST_CASE("topology: 2^32-1 nodes are allowed, none and one more are not") {
    CHECK(detail::checked_nodes("any", 1) == 1);
    CHECK(detail::checked_nodes("any", 0xffff'ffff) == 0xffff'ffff);
    CHECK(refusal([] { detail::checked_nodes("any", 0); }) ==
          "any: a topology needs at least one node");
    CHECK(refusal([] { detail::checked_nodes("any", 0x1'0000'0000); }) ==
          "any: 4294967296 nodes are more than 2^32-1");
}
