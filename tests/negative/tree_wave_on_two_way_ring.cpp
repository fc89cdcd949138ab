// expect: needs_a_tree
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/two_way_ring.hpp>

#ifdef CAUCUS_CONTROL
using topology = caucus::path;
#else
using topology = caucus::two_way_ring;
#endif

int main() {
    const auto make = [](caucus::node v) { return caucus::tree_wave{v.index}; };
    caucus::events net{topology{4}, make};
    net.start_all();
}
