// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/time_slice.hpp>
#include <caucus/layer/grouped.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cstdint>

using election = caucus::time_slice<std::uint16_t>;
using process = caucus::grouped<election, std::array<election, 3>>;
static_assert(sizeof(process) <= 3 * sizeof(election) + 16);

int main() {
    // Messages go one at a time: a tick is no delay bound for three elections on four nodes.
    constexpr caucus::time_slice_options slow{.delay_max = 100};
    return freestanding::elects<process, 4>(
        caucus::ring{4},
        [=](caucus::node v) {
            const auto id = [&](std::size_t shift) {
                return static_cast<std::uint16_t>((v.index + shift) % 4 + 1);
            };
            return process{std::array{election{id(0), 4, slow}, election{id(1), 4, slow},
                                      election{id(2), 4, slow}}};
        },
        std::array{0, 1, 2, 3},
        [](const auto& net) {
            bool good = net.outcomes() == 12 && net.messages() == 12;
            for (std::size_t i = 0; i < 3; ++i) good = good && net[(4 - i) % 4][i].is_leader();
            return good;
        });
}
