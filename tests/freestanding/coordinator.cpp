// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/appointed.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/exclusion/coordinator.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

using room = caucus::inplace_storage<4>;
using fixed = caucus::client<caucus::coordinator<caucus::appointed<std::uint16_t, room>, room>>;
using supervision = caucus::supervised<caucus::bully<std::uint16_t, room>, room>;
using led = caucus::client<caucus::coordinator<supervision, room, caucus::tells_place>>;

std::array<std::uint16_t, 4> peers_of(caucus::node v) {
    std::array<std::uint16_t, 4> peers{};
    for (std::size_t p = 0; p < 4; ++p) peers[p] = freestanding::ids[(v + 1 + p) % 5];
    return peers;
}

int main() {
    const auto all_served = [](const auto& net) {
        for (std::size_t v = 0; v < 5; ++v)
            if (!net[v].is_through() || net[v].waits() || net[v].holds()) return false;
        return net.overflows() == 0;
    };
    const int by_server = freestanding::all_elect<fixed, 5>(
        caucus::complete{5},
        [](caucus::node v) {
            return fixed{caucus::coordinator{caucus::appointed{freestanding::ids[v], peers_of(v),
                                                               freestanding::ids[1]}, room{}},
                         {.entries = 3}};
        },
        [&](const auto& net) { return all_served(net) && net.messages() == 3 * 3 * 4; });
    const int by_leader = freestanding::all_elect<led, 5>(
        caucus::complete{5},
        [](caucus::node v) {
            const supervision election{caucus::bully{freestanding::ids[v], peers_of(v),
                                                     {.delay_max = 40}}, {.beat = 400}, room{}};
            return led{caucus::coordinator{election, room{}, caucus::tells_place{}},
                       {.entries = 3, .thinking = 2000}};
        },
        all_served);
    return by_server * 2 + by_leader;
}
