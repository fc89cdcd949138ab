// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/franklin.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <cstdint>

using process = caucus::franklin<std::uint16_t>;
static_assert(sizeof(process) <= 24 && sizeof(process::message) <= 6);

int main() {
    return freestanding::all_elect<process, 6>(caucus::two_way_ring{6}, [](const auto& net) {
        return net.follows(1) && net.messages() == 4 * 6 + 2 * 6 + 6;
    });
}
