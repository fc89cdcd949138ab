// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/model_check.hpp>

#include <doctest/doctest.h>

#include "../../laws/topology.hpp"

#include <caucus/election/ring/itai_rodeh.hpp>
#include <caucus/election/ring/time_slice.hpp>
#include <caucus/layer/synchronizer.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/exploration/wiring.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace caucus;
using namespace caucus::simulation;
using laws::refusal;

namespace {

struct quiet {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
    constexpr void start(auto&) {}
};
/// Assumes what it is told to, and knows an id and the ids of its neighbours by port.
template <shape Where>
struct acquainted : quiet {
    static constexpr model assumes = {.topology = Where, .links = guarantee::none};
    int self = 0;
    std::vector<int> known{};
    constexpr int id() const { return self; }
    constexpr const std::vector<int>& peers() const { return known; }
};
/// Has an id and no peers.
template <shape Where>
struct named : quiet {
    static constexpr model assumes = {.topology = Where, .links = guarantee::none};
    int self = 0;
    constexpr int id() const { return self; }
};
/// Has an id, and does not rely on it.
struct nicknamed : quiet {
    static constexpr model assumes = {.names = naming::anonymous};
    constexpr int id() const { return 5; }
};
/// Nothing but an opinion on its place.
struct fussy : quiet {
    constexpr const char* objection(std::size_t degree) const {
        return degree == 2 ? nullptr : "two ports, or none of it";
    }
};

/// Was told how many there are at most.
struct confined : quiet {
    static constexpr model assumes = {.links = guarantee::none};
    std::size_t told = 0;
    constexpr std::size_t ring_size_most() const { return told; }
};

/// No node at all, or one that is alone.
struct lonely {
    std::size_t how_many;
    constexpr std::size_t nodes() const { return how_many; }
    static constexpr std::size_t degree(node) { return 0; }
    static constexpr far_end across(node, port) { return {}; }
};
static_assert(unreached(lonely{0}) == 0 && unreached(lonely{1}) == 1);

template <class P>
std::string said(const auto& t, const std::vector<P>& processes) {
    // The explorer's topology, which knows nothing but its links, must fare alike.
    const std::string words = refusal([&] { check_model("here", t, processes); });
    const exploration::wiring written{t};
    CHECK(refusal([&] { check_model("here", written, processes); }) == words);
    return words;
}
template <shape Where>
std::vector<named<Where>> with_ids(const std::vector<int>& ids) {
    std::vector<named<Where>> all;
    for (const int id : ids) all.push_back({{}, id});
    return all;
}

}  // namespace

static_assert([] {
    check_model("here", ring{3}, std::array<named<shape::one_way_ring>, 3>{{
        {{}, 1}, {{}, 2}, {{}, 3}}});
    return true;
}());

TEST_CASE("check_model: says who refuses, and what does not fit") {
    const graph parts{4, {{0, 1}, {2, 3}}};
    CHECK(said(parts, with_ids<shape::graph>({1, 2, 3, 4})) ==
          "here: the graph is not connected: no way from node 0 to node 2");
    CHECK(said(complete{3}, with_ids<shape::graph>({5, 6, 5})) ==
          "here: nodes 0 and 2 have the same id");
    CHECK(said(complete{3}, with_ids<shape::graph>({5, 6, 7})) == "not refused");
    CHECK(said(complete{3}, std::vector<nicknamed>(3)) == "not refused");
    const graph cycle{3, {{0, 1}, {1, 2}, {2, 0}}};
    CHECK(said(cycle, with_ids<shape::tree>({5, 6, 7})) ==
          "here: the algorithm needs a tree, and the graph has a cycle");
    CHECK(said(path{3}, with_ids<shape::tree>({5, 6, 7})) == "not refused");
    CHECK(said(path{1}, with_ids<shape::tree>({5})) == "not refused");
    CHECK(said(ring{4}, with_ids<shape::one_way_ring>({5, 6, 7, 5})) ==
          "here: nodes 0 and 3 have the same id");
}

TEST_CASE("check_model: peers are as many as ports, and who is really there") {
    using node_of = acquainted<shape::graph>;
    const auto line = [](std::vector<int> first, std::vector<int> second, std::vector<int> third) {
        return said(path{3}, std::vector<node_of>{{{}, 10, std::move(first)},
                                                  {{}, 20, std::move(second)},
                                                  {{}, 30, std::move(third)}});
    };
    const path t{3};
    std::vector<int> in_order;   // who is behind the ports of node 1
    for (const port p : ports(2)) in_order.push_back(10 * (1 + static_cast<int>(
        t.across(node{1}, p).node.index)));
    const std::vector<int> reversed{in_order[1], in_order[0]};
    CHECK(line({20}, in_order, {20}) == "not refused");
    CHECK(line({20}, {10}, {20}) == "here: node 1 knows 1 peers and has 2 ports");
    CHECK(line({}, in_order, {20}) == "here: node 0 knows 0 peers and has 1 ports");
    CHECK(line({20}, reversed, {20}).find("not the peer that it was told of") !=
          std::string::npos);
}

TEST_CASE("check_model: a process may object to its place, card or not, in every executor") {
    const std::vector<fussy> three(3);
    CHECK(said(complete{3}, three) == "not refused");
    CHECK(said(path{3}, three) == "here: node 0 cannot run there: two ports, or none of it");
    CHECK(said(graph{4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}}, std::vector<fussy>(4)) ==
          "here: node 2 cannot run there: two ports, or none of it");
    CHECK(refusal([] { check_model_of_one("here", fussy{}, 3); }) ==
          "here: two ports, or none of it");
    CHECK(refusal([] { check_model_of_one("here", fussy{}, 2); }) == "not refused");
    const auto make = [](node) { return fussy{}; };
    CHECK(refusal([&] { rounds{complete{3}, make}; }) == "not refused");
    CHECK(refusal([&] { rounds{complete{4}, make}; }) ==
          "simulation: node 0 cannot run there: two ports, or none of it");
    CHECK(refusal([&] { rounds{complete{4}, make, {.outside_model = true}}; }) == "not refused");
}

TEST_CASE("check_model: a ring is no longer than its nodes were told at most") {
    const auto told = [](std::size_t first, std::size_t second) {
        return said(ring{3}, std::vector<confined>{{{}, first}, {{}, second}, {{}, 3}});
    };
    CHECK(told(3, 3) == "not refused");
    CHECK(told(4, 900) == "not refused");
    CHECK(told(3, 2) ==
          "here: node 1 was told of a ring of at most 2 nodes, and there are 3");
    CHECK(told(0, 3) ==
          "here: node 0 was told of a ring of at most 0 nodes, and there are 3");
}

TEST_CASE("check_model: a ring is as long as its nodes were told, in every executor") {
    const auto slices = [](std::size_t told) {
        return [told](node v) { return time_slice{static_cast<int>(v.index), told}; };
    };
    const std::string too_few = "node 0 was told of a ring of 3 nodes, and there are 4";
    CHECK(refusal([&] { rounds{ring{4}, slices(4)}; }) == "not refused");
    CHECK(refusal([&] { rounds{ring{4}, slices(3)}; }) == "simulation: " + too_few);
    CHECK(refusal([&] { events{ring{4}, slices(3)}; }) == "simulation: " + too_few);
    CHECK(refusal([&] { explore(ring{4}, slices(3), {}); }) == "explore: " + too_few);
    CHECK(refusal([&] { rounds{ring{4}, slices(5)}; }) ==
          "simulation: node 0 was told of a ring of 5 nodes, and there are 4");
    CHECK(refusal([&] { rounds{ring{4}, slices(3), {.outside_model = true}}; }) == "not refused");
    const auto one_is_wrong = [](node v) { return itai_rodeh{v == node{2} ? 5u : 4u}; };
    CHECK(refusal([&] { rounds{ring{4}, one_is_wrong}; }) ==
          "simulation: node 2 was told of a ring of 5 nodes, and there are 4");
    // A layer says what the process inside was told.
    CHECK(refusal([&] { rounds{ring{4}, [&](node v) { return synchronizer{slices(3)(v)}; }}; }) ==
          "simulation: " + too_few);
}
