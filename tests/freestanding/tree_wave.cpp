// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/topology/star.hpp>

#include <array>
#include <cstdint>

using process = caucus::tree_wave<std::uint16_t, caucus::inplace_storage<7>>;
static_assert(sizeof(process) <= 32 && sizeof(process::message) <= 4);

int main() {
    const auto good = [](const auto& net) {
        return net.follows(1) && net.messages() == 3 * 8 + 3 - 4;
    };
    return freestanding::elects<process, 8>(caucus::star{8}, std::array{0, 3, 5}, good);
}
