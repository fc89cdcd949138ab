// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

// An election asks for a regular id and no more; a simulation also counts its bits and looks for
// two alike.
int main() {
    using id = serial<CAUCUS_CONTROL>;
    const auto make = [](caucus::node v) { return caucus::chang_roberts{id{v}}; };
    caucus::rounds sim{caucus::ring{3}, make};
    sim.start_all();
    sim.run();
}
