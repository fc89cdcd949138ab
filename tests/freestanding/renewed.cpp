// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/renewed.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cstdint>

using process = caucus::renewed<std::uint16_t>;
static_assert(sizeof(process) <= 16);
static_assert(sizeof(process::message) <= 16);

int main() {
    constexpr std::array<std::uint16_t, 6> ids{3, 9, 1, 7, 5, 2};
    return freestanding::elects<process, 6>(
        caucus::ring{6}, [&](caucus::node v) { return process{ids[v]}; }, std::array{0, 3, 5},
        [](const auto& net) {
            for (std::size_t v = 0; v < 6; ++v)
                if (net[v].leader() != 9) return false;
            return net[1].is_leader() && net.outcomes() == 6 && net.messages() >= 2 * 6 + 2;
        });
}
