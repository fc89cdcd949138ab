// expect: needs_distinct_ids__angluin__see_itai_rodeh
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/tree/firewire.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/topology/path.hpp>

#if CAUCUS_CONTROL
const auto make = [](caucus::node) { return caucus::firewire{}; };
#else
const auto make = [](caucus::node) { return caucus::tree_wave{caucus::anonymous{}}; };
#endif

int main() {
    caucus::rounds sim{caucus::path{3}, make};
    sim.start_all();
}
