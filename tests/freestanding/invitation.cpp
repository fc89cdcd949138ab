// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/complete/invitation.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstdint>
#include <type_traits>

using process = caucus::invitation<std::uint16_t, caucus::inplace_storage<4>>;
static_assert(sizeof(process) <= 136);
using four = std::array<std::uint16_t, 4>;
static_assert(std::is_same_v<decltype(caucus::invitation{std::uint16_t{1}, four{}}), process>);

int main() {
    const auto make = [](caucus::node v) {
        four peers{};
        for (std::size_t p = 0; p < 4; ++p) peers[p] = freestanding::ids[(v + 1 + p) % 5];
        return caucus::invitation{freestanding::ids[v], peers, {.delay_max = 100}};
    };
    return freestanding::all_elect<process, 5>(
        caucus::complete{5}, make, [](const auto& net) {
            for (std::size_t v = 0; v < 5; ++v)
                if (net[v].leader() != 9) return false;
            return net[1].is_leader() && net.overflows() == 0;
        });
}
