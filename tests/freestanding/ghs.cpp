// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/graph/ghs.hpp>
#include <caucus/topology/hypercube.hpp>

#include <array>
#include <cstdint>
#include <type_traits>

using process = caucus::ghs<std::uint16_t, std::uint8_t, caucus::inplace_storage<3>>;
static_assert(sizeof(process) <= 144);
static_assert(std::is_same_v<decltype(caucus::ghs{std::uint16_t{1}, std::array<std::uint16_t, 3>{},
                                                  std::array<std::uint8_t, 3>{}}), process>);

int main() {
    const auto make = [](caucus::node v) {
        std::array<std::uint16_t, 3> peers{};
        std::array<std::uint8_t, 3> weights{};
        for (const caucus::port p : caucus::ports(3)) {
            peers[p] = freestanding::ids[caucus::hypercube{3}.across(v, p).node];
            weights[p] = static_cast<std::uint8_t>(7 - p.index());   // the third dimension first
        }
        return process{freestanding::ids[v], peers, weights};
    };
    return freestanding::elects<process, 8>(
        caucus::hypercube{3}, make, std::array{0, 5}, [](const auto& net) {
            std::size_t leaders = 0;
            for (std::size_t v = 0; v < 8; ++v) {
                if (net[v].leader() != net[0].leader()) return false;
                if (!net[v].is_branch(caucus::port{2})) return false;
                leaders += net[v].is_leader() ? 1 : 0;
            }
            return leaders == 1 && net.outcomes() == 8;
        });
}
