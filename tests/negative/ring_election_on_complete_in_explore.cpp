// expect: needs_a_one_way_ring
// SPDX-License-Identifier: MIT
#include <caucus/run/explore.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

#ifdef CAUCUS_CONTROL
using topology = caucus::ring;
#else
using topology = caucus::complete;
#endif

int main() {
    const auto make = [](caucus::node v) { return caucus::chang_roberts{v.index}; };
    static_cast<void>(caucus::explore(topology{4}, make));
}
