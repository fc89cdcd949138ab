// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/replacing.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cstdint>

using process = caucus::replacing<std::uint16_t>;
static_assert(sizeof(process) <= 10 && sizeof(process::message) <= 4);

int main() {
    const auto good = [](const auto& net) { return net.follows(1) && net.messages() >= 2 * 6 + 2; };
    return freestanding::elects<process, 6>(caucus::ring{6}, std::array{0, 3, 5}, good);
}
