// expect: needs_a_one_way_ring
// SPDX-License-Identifier: MIT
#include <caucus/layer/grouped.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

#include <vector>

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::ring, caucus::complete>;

int main() {
    using process = assuming<caucus::shape::one_way_ring>;
    const auto make = [](caucus::node) { return caucus::grouped{std::vector<process>(2)}; };
    caucus::rounds sim{topology{4}, make};
    sim.start_all();
}
