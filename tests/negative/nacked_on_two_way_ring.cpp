// expect: needs_a_complete_network
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/multicast/nacked.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::complete, caucus::two_way_ring>;

int main() {
    caucus::events sim{topology{3}, [](caucus::node) { return caucus::nacked<int>{0}; }};
    sim.run_for(1);
}
