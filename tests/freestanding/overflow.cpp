// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/graph/extinction.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/wave/echo.hpp>

#include <array>
#include <cstdint>

// The hub of a star has more ports than its storage: it says so and stays out.
using wave = caucus::echo<int, caucus::inplace_storage<2>>;
using election = caucus::extinction<int, caucus::inplace_storage<2>>;

int main() {
    const caucus::star topology{6};
    std::array<int, 1> hub{}, leaf{};
    for (std::size_t v = 0; v < 6; ++v)
        (topology.degree(caucus::node{v}) > 2 ? hub : leaf)[0] = static_cast<int>(v);
    const auto speaks_up = [](std::size_t messages) {
        return [=](const auto& net) {
            return net.overflows() == 1 && net.outcomes() == 1 && net.messages() == messages;
        };
    };
    const auto make_wave = [](caucus::node) { return wave{1, {}}; };
    const auto make_election = [](caucus::node v) {
        return election{static_cast<int>(v.index), {}};
    };
    return freestanding::elects<wave, 6>(topology, make_wave, hub, speaks_up(0)) +
           freestanding::elects<wave, 6>(topology, make_wave, leaf, speaks_up(1)) +
           freestanding::elects<election, 6>(topology, make_election, hub, speaks_up(0)) +
           freestanding::elects<election, 6>(topology, make_election, leaf, speaks_up(1));
}
