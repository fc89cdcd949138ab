// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/graph/adoption.hpp>
#include <caucus/topology/hypercube.hpp>

#include <cstdint>

using process = caucus::adoption<std::uint16_t, caucus::inplace_storage<3>>;
static_assert(sizeof(process) <= 64);

int main() {
    return freestanding::all_elect<process, 8>(caucus::hypercube{3}, [](const auto& net) {
        return net.follows(1) && net.overflows() == 0;
    });
}
