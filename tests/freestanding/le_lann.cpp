// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/le_lann.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cstdint>

using process = caucus::le_lann<std::uint16_t>;
static_assert(sizeof(process) <= 12 && sizeof(process::message) <= 4);

int main() {
    const auto good = [](const auto& net) { return net.follows(3) && net.messages() == 3 * 6 + 6; };
    return freestanding::elects<process, 6>(caucus::ring{6}, std::array{0, 3, 5}, good);
}
