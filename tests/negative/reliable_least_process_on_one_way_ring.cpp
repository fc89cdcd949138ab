// expect: needs_two_way_links
// SPDX-License-Identifier: MIT
#include <caucus/layer/reliable.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::two_way_ring, caucus::ring>;

int main() {
    const auto make = [](caucus::node) { return caucus::reliable{complete_process{}}; };
    caucus::rounds sim{topology{4}, make};
    sim.start_all();
}
