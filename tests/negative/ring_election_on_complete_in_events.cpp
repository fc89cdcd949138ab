// expect: needs_a_one_way_ring
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::ring, caucus::complete>;

int main() {
    const auto make = [](caucus::node v) { return caucus::chang_roberts{v.index}; };
    caucus::events sim{topology{4}, make};
    sim.start_all();
}
