// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/hypercube.hpp>

#include <array>
#include <cstdint>

using coloured = caucus::traversal_election<std::uint16_t, caucus::inplace_storage<3>>;
static_assert(sizeof(coloured) <= 64);

using neighbours = caucus::by_path<std::uint16_t, std::array<std::uint16_t, 4>>;
using listed = caucus::traversal_election<std::uint16_t, neighbours>;
static_assert(sizeof(listed) <= 80);

int main() {
    using freestanding::ids;
    const auto make_listed = [](caucus::node v) {
        std::array<std::uint16_t, 4> peers{};
        for (std::size_t p = 0; p < 4; ++p) peers[p] = ids[(v + 1 + p) % 5];
        return listed{ids[v], neighbours{ids[v], peers}};
    };
    const auto good = [](const auto& net) { return net.follows(1) && net.overflows() == 0; };
    return freestanding::all_elect<coloured, 8>(caucus::hypercube{3}, good) +
           freestanding::all_elect<listed, 5>(caucus::complete{5}, make_listed, good);
}
