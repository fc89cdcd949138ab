// expect: never_ends__bound_the_run_with_run_for_or_a_limit
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/exclusion/token_ring.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

int main() {
    const auto make = [](caucus::node v) { return caucus::token_ring{v.index, {.nodes = 3}}; };
    caucus::events sim{caucus::ring{3}, make};
    sim.start_all();
#if CAUCUS_CONTROL
    static_cast<void>(sim.run_for(10));
#else
    static_cast<void>(sim.run());
#endif
}
