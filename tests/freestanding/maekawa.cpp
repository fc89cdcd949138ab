// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/exclusion/maekawa.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstdint>
#include <type_traits>

using lock = caucus::maekawa<std::uint16_t, caucus::inplace_storage<2>>;
using process = caucus::client<lock>;
static_assert(sizeof(lock) <= 320);
static_assert(std::is_same_v<decltype(caucus::maekawa{std::uint16_t{1},
                                                      std::array<caucus::port, 2>{}}), lock>);

int main() {
    // The projective plane of seven lines: node v asks v+1 and v+3.
    const auto make = [](caucus::node v) {
        const std::array quorum{caucus::port{0}, caucus::port{2}};
        return process{caucus::maekawa{freestanding::ids[v], quorum}, {.entries = 2}};
    };
    return freestanding::all_elect<process, 7>(
        caucus::complete{7}, make, [](const auto& net) {
            for (std::size_t v = 0; v < 7; ++v)
                if (!net[v].is_through() || net[v].holds()) return false;
            return net.outcomes() == 28 && net.overflows() == 0 &&
                   net.messages() >= 14 * 6 && net.messages() <= 14 * 14;
        });
}
