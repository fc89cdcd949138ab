// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/peterson.hpp>
#include <caucus/topology/ring.hpp>

#include <cstdint>

using process = caucus::peterson<std::uint16_t>;
static_assert(sizeof(process) <= 10 && sizeof(process::message) <= 6);

int main() {
    return freestanding::all_elect<process, 6>(caucus::ring{6}, [](const auto& net) {
        return net.follows(1) && net.messages() >= 6 + 2 * 6;
    });
}
