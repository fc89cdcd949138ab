// expect: needs_a_tree
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

#ifdef CAUCUS_CONTROL
using topology = caucus::star;
#else
using topology = caucus::complete;
#endif

int main() {
    const auto make = [](caucus::node) { return assuming<caucus::shape::tree>{}; };
    caucus::rounds sim{topology{4}, make};
    sim.start_all();
}
