// expect: needs_a_complete_network
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/multicast/acked.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

#include <array>

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::complete, caucus::two_way_ring>;

int main() {
    const auto make = [](caucus::node) { return caucus::acked<int>{0, std::array{1, 2}}; };
    caucus::events sim{topology{3}, make};
    sim.run();
}
