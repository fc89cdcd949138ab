// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/time_slice.hpp>
#include <caucus/topology/ring.hpp>

#include <cstdint>

using process = caucus::time_slice<std::uint16_t>;
static_assert(sizeof(process) <= 24 && sizeof(process::message) <= 4);

int main() {
    return freestanding::all_elect<process, 6>(
        caucus::ring{6}, [](caucus::node v) { return process{freestanding::ids[v], 6}; },
        [](const auto& net) { return net.follows(2) && net.messages() == 6; });
}
