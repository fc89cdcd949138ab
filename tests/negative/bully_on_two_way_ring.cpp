// expect: needs_a_complete_network
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <array>

#ifdef CAUCUS_CONTROL
using topology = caucus::complete;
#else
using topology = caucus::two_way_ring;
#endif

int main() {
    const auto make = [](caucus::node v) {
        const std::size_t n = v;
        return caucus::bully{n, std::array{(n + 1) % 3, (n + 2) % 3}};
    };
    caucus::events sim{topology{3}, make};
    sim.start_all();
}
