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

template <class Process, std::size_t Nodes>
static int elects_9(auto topology, auto make) {
    std::array<int, Nodes> everybody{};
    for (std::size_t v = 0; v < Nodes; ++v) everybody[v] = static_cast<int>(v);
    return freestanding::elects<Process, Nodes>(topology, make, everybody, [](const auto& net) {
        for (std::size_t v = 0; v < Nodes; ++v)
            if (net[v].leader() != 9) return false;
        return net[1].is_leader() && net.outcomes() == Nodes && net.overflows() == 0;
    });
}

int main() {
    constexpr std::array<std::uint16_t, 8> ids{3, 9, 1, 7, 5, 2, 8, 4};
    const auto make_coloured = [&](caucus::node v) { return coloured{ids[v], {}}; };
    const auto make_listed = [&](caucus::node v) {
        std::array<std::uint16_t, 4> peers{};
        for (std::size_t p = 0; p < 4; ++p) peers[p] = ids[(v + 1 + p) % 5];
        return listed{ids[v], neighbours{ids[v], peers}};
    };
    return elects_9<coloured, 8>(caucus::hypercube{3}, make_coloured) +
           elects_9<listed, 5>(caucus::complete{5}, make_listed);
}
