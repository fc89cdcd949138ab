// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/time_slice.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cstdint>

using process = caucus::time_slice<std::uint16_t>;
static_assert(sizeof(process) <= 24);
static_assert(sizeof(process::message) <= 4);

int main() {
    constexpr std::array<std::uint16_t, 6> ids{3, 9, 1, 7, 5, 2};
    return freestanding::elects<process, 6>(
        caucus::ring{6}, [&](caucus::node v) { return process{ids[v], 6}; },
        std::array{0, 1, 2, 3, 4, 5},
        [](const auto& net) {
            for (std::size_t v = 0; v < 6; ++v)
                if (net[v].leader() != 1) return false;
            return net[2].is_leader() && net.outcomes() == 6 && net.messages() == 6;
        });
}
