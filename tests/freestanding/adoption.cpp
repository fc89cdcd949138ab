// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/graph/adoption.hpp>
#include <caucus/topology/hypercube.hpp>

#include <array>
#include <cstdint>

using process = caucus::adoption<std::uint16_t, caucus::inplace_storage<3>>;
static_assert(sizeof(process) <= 64);

int main() {
    constexpr std::array<std::uint16_t, 8> ids{3, 9, 1, 7, 5, 2, 8, 4};
    return freestanding::elects<process, 8>(
        caucus::hypercube{3}, [&](caucus::node v) { return process{ids[v], {}}; },
        std::array{0, 1, 2, 3, 4, 5, 6, 7}, [](const auto& net) {
            for (std::size_t v = 0; v < 8; ++v)
                if (net[v].leader() != 9) return false;
            return net[1].is_leader() && net.outcomes() == 8 && net.overflows() == 0;
        });
}
