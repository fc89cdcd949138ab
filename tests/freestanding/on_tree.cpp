// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/layer/on_tree.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstdint>

using room = caucus::inplace_storage<4>;
using wave = caucus::tree_wave<std::uint16_t, room>;
using supervision = caucus::supervised<wave, caucus::preemptive, room>;
using process = caucus::on_tree<supervision, room>;
static_assert(sizeof(process) <= 488);

int main() {
    // Node 0 is the registry; the others hang in a tree, and the best of them leads.
    const auto make = [](caucus::node v) {
        const supervision election{wave{freestanding::ids[v], room{}},
                                   {.beat = 0, .timeout = 200, .reach = 4}, caucus::preemptive{},
                                   room{}};
        if (v == 0) return process{election, caucus::spanning_tree{room{}}};
        return process{election, caucus::spanning_tree{caucus::port{4 - v}, {2}, room{}}};
    };
    return freestanding::elects<process, 5>(
        caucus::complete{5}, make, std::array{2, 1, 4, 3}, [](const auto& net) {
            for (std::size_t v = 1; v < 5; ++v)
                if (!net[v].tree().is_attached() || net[v].leader() != 9) return false;
            return net[1].is_leader() && net[1].epoch() == net[4].epoch() && !net[0].leader() &&
                   net.overflows() == 0;
        });
}
