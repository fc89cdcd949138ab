// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/exclusion/token_ring.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cstdint>

using process = caucus::token_ring<std::uint16_t>;
static_assert(sizeof(process) <= 160 && sizeof(process::message) <= 32);
using application = caucus::client<process>;

int main() {
    const auto make = [](caucus::node v) {
        return application{process{freestanding::ids[v], {.nodes = 6, .has_token = v == 2,
                                                          .delay_max = 40, .stay_max = 3}},
                           {.entries = 3}};
    };
    return freestanding::elects<application, 6>(
        caucus::ring{6}, make, std::array{0, 1, 2, 3, 4, 5}, [](const auto& net) {
            bool served = net.outcomes() == 2 * 3 * 6;
            for (std::size_t v = 0; v < 6; ++v)
                served = served && net[v].is_through() && net[v].fence().epoch.leader == 1;
            return served && net.messages() >= 18;
        });
}
