// expect: needs_a_complete_network
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/two_way_ring.hpp>

#ifdef CAUCUS_CONTROL
using topology = caucus::complete;
#else
using topology = caucus::two_way_ring;
#endif

int main() {
    caucus::rounds sim{topology{3}, [](caucus::node v) { return caucus::afek_gafni{v.index}; }};
    sim.start_all();
}
