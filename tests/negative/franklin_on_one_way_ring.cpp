// expect: needs_a_two_way_ring
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::two_way_ring, caucus::ring>;

int main() {
    const auto make = [](caucus::node v) { return caucus::franklin{v.index}; };
    caucus::rounds sim{topology{4}, make};
    sim.start_all();
}
