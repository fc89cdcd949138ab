// expect: needs_a_complete_network
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::complete, caucus::two_way_ring>;

int main() {
    caucus::rounds sim{topology{3}, [](caucus::node v) { return caucus::afek_gafni{v.index}; }};
    sim.start_all();
}
