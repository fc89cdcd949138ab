// expect: needs_a_tree
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::path, caucus::two_way_ring>;

int main() {
    const auto make = [](caucus::node v) { return caucus::tree_wave{v.index}; };
    caucus::events net{topology{4}, make};
    net.start_all();
}
