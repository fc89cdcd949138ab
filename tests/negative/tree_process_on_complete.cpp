// expect: needs_a_tree
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::star, caucus::complete>;

int main() {
    const auto make = [](caucus::node) { return assuming<caucus::shape::tree>{}; };
    caucus::rounds sim{topology{4}, make};
    sim.start_all();
}
