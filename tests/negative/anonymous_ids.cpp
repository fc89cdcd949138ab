// expect: needs_distinct_ids__angluin__see_itai_rodeh
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

int main() {
    constexpr auto id = id_of<CAUCUS_CONTROL>;
    const auto make = [](caucus::node v) { return caucus::chang_roberts{id(v)}; };
    caucus::rounds sim{caucus::ring{3}, make};
    sim.start_all();
}
