// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/two_way.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <cstdint>

using process = caucus::two_way<std::uint16_t>;
static_assert(sizeof(process) <= 8 && sizeof(process::message) <= 4);

int main() {
    return freestanding::all_elect<process, 6>(caucus::two_way_ring{6}, [](const auto& net) {
        return net.follows(1) && net.messages() >= 11 + 6;
    });
}
