// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/tree/firewire.hpp>
#include <caucus/topology/path.hpp>

#include <array>
#include <cstdint>

using by_coin = caucus::firewire<caucus::anonymous, caucus::inplace_storage<2>>;
using by_id = caucus::firewire<std::uint16_t, caucus::inplace_storage<2>>;
static_assert(sizeof(by_coin) <= 80);
static_assert(sizeof(by_id) <= 40);
static_assert(sizeof(by_id::message) <= 4);

int main() {
    const auto good = [](const auto& net) {
        std::size_t roots = 0;
        for (std::size_t v = 0; v < 6; ++v) {
            if (!net[v].leader() || net[v].is_leader() == net[v].parent().has_value()) return false;
            roots += net[v].is_leader();
        }
        return roots == 1 && net.outcomes() == 6 && net.overflows() == 0 &&
               net.messages() >= 3 * 5 + 1;   // two meet
    };
    const int tossed = freestanding::elects<by_coin, 6>(
        caucus::path{6}, [](caucus::node) { return by_coin{{}, {}}; }, std::array{0, 5}, good);
    const int compared =
        freestanding::elects<by_id, 6>(caucus::path{6}, std::array{0, 5}, good);
    return tossed + compared;
}
