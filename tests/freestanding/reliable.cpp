// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/franklin.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <array>
#include <cstdint>

using election = caucus::franklin<std::uint16_t>;
using process = caucus::reliable<election, caucus::inplace_storage<4>>;
static_assert(sizeof(process) <= 768);

int main() {
    return freestanding::elects<process, 8>(
        caucus::two_way_ring{8},
        [](caucus::node v) {
            const auto id = static_cast<std::uint16_t>(v.index * 5 % 8);
            return process{election{id}, {.resend_after = 1000, .window = 4}};
        },
        std::array{0, 3, 6},
        [](const auto& net) {
            for (std::size_t v = 0; v < 8; ++v)
                if (net[v].leader() != net[0].leader()) return false;
            return net[0].leader().has_value() && net.outcomes() == 8 && net.overflows() == 0;
        });
}
