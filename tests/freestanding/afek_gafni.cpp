// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/topology/complete.hpp>

#include <cstdint>

using process = caucus::afek_gafni<std::uint16_t>;
static_assert(sizeof(process) <= 40);

int main() {
    return freestanding::all_elect<process, 5>(caucus::complete{5}, [](const auto& net) {
        for (std::size_t v = 0; v < 5; ++v)
            if (!net[v].leader() || net[v].leader() != net[0].leader()) return false;
        return net.outcomes() == 5 && net.messages() <= 60;
    });
}
