// expect: needs_distinct_ids__angluin__see_itai_rodeh
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

#ifdef CAUCUS_CONTROL
const auto make = [](caucus::node v) { return caucus::traversal_election{v.index}; };
#else
const auto make = [](caucus::node) { return caucus::traversal_election{caucus::anonymous{}}; };
#endif

int main() {
    caucus::rounds sim{caucus::complete{3}, make};
    sim.start_all();
}
