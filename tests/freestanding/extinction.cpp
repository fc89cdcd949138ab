// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/graph/extinction.hpp>
#include <caucus/topology/hypercube.hpp>

#include <cstdint>

using process = caucus::extinction<std::uint16_t, caucus::inplace_storage<3>>;
static_assert(sizeof(process) <= 48);

int main() {
    return freestanding::all_elect<process, 8>(caucus::hypercube{3}, [](const auto& net) {
        return net.follows(1) && net.overflows() == 0;
    });
}
