// expect: needs_a_two_way_ring
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::two_way_ring, caucus::complete>;

int main() {
    const auto make = [](caucus::node) { return assuming<caucus::shape::two_way_ring>{}; };
    caucus::events sim{topology{4}, make};
    sim.start_all();
}
