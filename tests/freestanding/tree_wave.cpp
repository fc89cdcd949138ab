// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/topology/star.hpp>

#include <array>
#include <cstdint>

using process = caucus::tree_wave<std::uint16_t, caucus::inplace_storage<7>>;
static_assert(sizeof(process) <= 32);
static_assert(sizeof(process::message) <= 4);

int main() {
    constexpr std::array<std::uint16_t, 8> ids{3, 9, 1, 7, 5, 2, 8, 4};
    return freestanding::elects<process, 8>(
        caucus::star{8}, [&](caucus::node v) { return process{ids[v], {}}; },
        std::array{0, 3, 5}, [](const auto& net) {
            for (std::size_t v = 0; v < 8; ++v)
                if (net[v].leader() != 9) return false;
            return net[1].is_leader() && net.outcomes() == 8 && net.messages() == 3 * 8 + 3 - 4;
        });
}
