// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/ring.hpp>

#include <cstdint>

using process = caucus::chang_roberts<std::uint16_t>;
static_assert(sizeof(process) <= 8 && sizeof(process::message) <= 4);

int main() {
    return freestanding::all_elect<process, 6>(caucus::ring{6}, [](const auto& net) {
        return net.follows(1) && net.messages() >= 6 + 6 + 5;
    });
}
