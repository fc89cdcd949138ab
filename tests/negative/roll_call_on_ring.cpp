// expect: needs_a_complete_network
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/ring/roll_call.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::complete, caucus::ring>;

int main() {
    caucus::rounds sim{topology{3}, [](caucus::node v) { return caucus::roll_call{v.index}; }};
    sim.start_all();
}
