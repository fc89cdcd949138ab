// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/state_graph.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

action delivery(std::uint32_t v, std::uint32_t message) {
    return {action::kind::deliver, v, v, 0, message};
}
std::vector<std::uint32_t> ends(const state_graph& g, std::uint32_t s) {
    std::vector<std::uint32_t> found;
    for (std::uint64_t e = g.offsets[s]; e < g.offsets[s + 1]; ++e) found.push_back(g.edges[e].to);
    return found;
}

}  // namespace

TEST_CASE("state_graph: edges are found by the state that they leave, also where there are none") {
    state_graph g;
    g.add(0, 1, 2, delivery(0, 7));
    g.add(0, 2, 0, delivery(1, 7));
    g.add(2, 0, 1, delivery(0, 7));
    g.close(4);
    CHECK(g.states() == 4);
    CHECK(ends(g, 0) == std::vector<std::uint32_t>{1, 2});
    CHECK(ends(g, 1).empty());
    CHECK(ends(g, 2) == std::vector<std::uint32_t>{0});
    CHECK(ends(g, 3).empty());
    CHECK(g.edges[0].sent == 2);
}

TEST_CASE("state_graph: edges that come in any order are sorted, those of a state as they came") {
    state_graph g{true, false};
    g.add(2, 0, 0, delivery(0, 7));
    g.add(0, 2, 0, delivery(0, 7));
    g.add(2, 1, 0, delivery(0, 7));
    g.add(0, 1, 0, delivery(0, 7));
    g.close(3);
    CHECK(g.states() == 3);
    CHECK(ends(g, 0) == std::vector<std::uint32_t>{2, 1});
    CHECK(ends(g, 1).empty());
    CHECK(ends(g, 2) == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("state_graph: a graph without edges has its states nevertheless") {
    for (const bool in_order : {true, false}) {
        state_graph g{true, in_order};
        g.close(3);
        CHECK(g.states() == 3);
        CHECK(ends(g, 2).empty());
    }
}

TEST_CASE("state_graph: equal actions have one number; on fifo links the message does not matter") {
    for (const bool fifo : {true, false}) {
        state_graph g{fifo};
        g.add(0, 1, 0, delivery(0, 7));
        g.add(1, 2, 0, delivery(0, 8));
        g.add(2, 3, 0, delivery(0, 7));
        g.add(3, 4, 0, delivery(1, 7));
        action crashed = delivery(0, 7);
        crashed.cut_short = true;
        g.add(4, 5, 0, crashed);
        g.close(6);
        CHECK(g.edges[0].act == g.edges[2].act);
        CHECK((g.edges[0].act == g.edges[1].act) == fifo);
        CHECK(g.edges[0].act != g.edges[3].act);
        CHECK(g.edges[0].act != g.edges[4].act);
        CHECK(g.actions.size() == (fifo ? 3 : 4));
        CHECK(g.actions[g.edges[3].act].node == 1);
    }
}
