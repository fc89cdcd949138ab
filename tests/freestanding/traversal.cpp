// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/topology/complete.hpp>
#include <caucus/topology/hypercube.hpp>
#include <caucus/wave/traversal.hpp>

#include <array>
#include <cstdint>

using coloured = caucus::traversal<std::uint16_t, caucus::sum, caucus::inplace_storage<4>>;
static_assert(sizeof(coloured) <= 40);

using neighbours = caucus::by_path<std::uint8_t, std::array<std::uint8_t, 4>>;
using listed = caucus::traversal<std::uint16_t, caucus::sum, neighbours>;
static_assert(sizeof(listed) <= 56);

int main() {
    const auto make_coloured = [](caucus::node) { return coloured{1, {}, {}}; };
    const auto make_listed = [](caucus::node v) {
        std::array<std::uint8_t, 4> peers{};
        for (std::size_t p = 0; p < 4; ++p) peers[p] = static_cast<std::uint8_t>((v + 1 + p) % 5);
        return listed{1, {}, neighbours{static_cast<std::uint8_t>(v.index), peers}};
    };
    return freestanding::elects<coloured, 16>(
               caucus::hypercube{4}, make_coloured, std::array{5},
               [](const auto& net) {
                   return net[5].has_completed() && net[5].value() == 16 && net.outcomes() == 1 &&
                          net.messages() == 2 * 32;
               }) +
           freestanding::elects<listed, 5>(
               caucus::complete{5}, make_listed, std::array{3}, [](const auto& net) {
                   return net[3].has_completed() && net[3].value() == 5 && net.outcomes() == 1 &&
                          net.messages() == 2 * 4;
               });
}
