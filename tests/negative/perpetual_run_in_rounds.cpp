// expect: never_ends__bound_the_run_with_run_for_or_a_limit
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

int main() {
    caucus::rounds sim{caucus::ring{3}, [](caucus::node) { return restless{}; }};
    sim.start_all();
#if CAUCUS_CONTROL
    static_cast<void>(sim.run_for(10));
#else
    static_cast<void>(sim.run());
#endif
}
