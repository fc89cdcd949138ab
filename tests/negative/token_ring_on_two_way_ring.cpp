// expect: needs_a_one_way_ring
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/exclusion/token_ring.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::ring, caucus::two_way_ring>;

int main() {
    const auto make = [](caucus::node v) { return caucus::token_ring{v.index, {.nodes = 4}}; };
    caucus::events sim{topology{4}, make};
    sim.start_all();
}
