// expect: needs_a_process__see_the_concept
// SPDX-License-Identifier: MIT
#include <caucus/run/explore.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

int main() {
#if CAUCUS_CONTROL
    const auto make = [](caucus::node v) { return caucus::chang_roberts{v.index}; };
#else
    const auto make = [](caucus::node v) { return v.index; };
#endif
    static_cast<void>(caucus::explore(caucus::ring{4}, make));
}
