// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/franklin.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <array>
#include <cstdint>

using process = caucus::franklin<std::uint16_t>;
static_assert(sizeof(process) <= 24);
static_assert(sizeof(process::message) <= 6);

int main() {
    constexpr std::array<std::uint16_t, 6> ids{3, 9, 1, 7, 5, 2};
    return freestanding::elects<process, 6>(
        caucus::two_way_ring{6}, [&](caucus::node v) { return process{ids[v]}; },
        std::array{0, 1, 2, 3, 4, 5},
        [](const auto& net) {
            for (std::size_t v = 0; v < 6; ++v)
                if (net[v].leader() != 9) return false;
            return net[1].is_leader() && net.outcomes() == 6 && net.messages() == 4 * 6 + 2 * 6 + 6;
        });
}
