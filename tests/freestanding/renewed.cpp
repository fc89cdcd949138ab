// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/renewed.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cstdint>

using process = caucus::renewed<std::uint16_t>;
static_assert(sizeof(process) <= 16 && sizeof(process::message) <= 16);

int main() {
    const auto good = [](const auto& net) { return net.follows(1) && net.messages() >= 2 * 6 + 2; };
    return freestanding::elects<process, 6>(caucus::ring{6}, std::array{0, 3, 5}, good);
}
