// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/roll_call.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstdint>

template <std::size_t Room>
using process = caucus::roll_call<std::uint16_t, caucus::inplace_storage<Room>>;
static_assert(sizeof(process<6>) <= 96);   // with the lives of six neighbours

template <std::size_t Room>
process<Room> make(caucus::node v) {
    return process<Room>{freestanding::ids[v], {}};
}

int main() {
    const auto elected = [](const auto& net) {
        for (std::size_t v = 0; v < 6; ++v)
            if (net[v].leader() != 9 || net[v].members().size() != 6) return false;
        return net[1].is_leader() && net.outcomes() == 6 && net.messages() == 2 * 2 * 6;
    };
    const auto speaks_up = [](const auto& net) {
        return net.overflows() == 2 && net.outcomes() == 2 && net.messages() == 0;
    };
    const caucus::complete all{6};
    return freestanding::elects<process<6>, 6>(all, make<6>, std::array{0, 3}, elected) +
           freestanding::elects<process<5>, 6>(all, make<5>, std::array{0, 3}, speaks_up);
}
