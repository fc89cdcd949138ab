// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <cstdint>

using process = caucus::hirschberg_sinclair<std::uint16_t>;
static_assert(sizeof(process) <= 12 && sizeof(process::message) <= 12);

int main() {
    return freestanding::all_elect<process, 6>(caucus::two_way_ring{6}, [](const auto& net) {
        return net.follows(1) && net.messages() >= 5 * 6 + 4 * 8 - 8 + 6;
    });
}
