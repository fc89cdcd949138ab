// expect: needs_distinct_ids__angluin__see_itai_rodeh
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

int main() {
    constexpr auto id = id_of<CAUCUS_CONTROL>;
    const auto make = [](caucus::node v) { return caucus::traversal_election{id(v)}; };
    caucus::rounds sim{caucus::complete{3}, make};
    sim.start_all();
}
