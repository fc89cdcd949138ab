// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/detector/heartbeat.hpp>
#include <caucus/election/tree/firewire.hpp>
#include <caucus/layer/bus.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/topology/path.hpp>

#include <array>
#include <cstdint>

using room = caucus::inplace_storage<2>;
using by_coin = caucus::bus<caucus::firewire<caucus::anonymous, room>, room>;
using by_id = caucus::bus<caucus::firewire<std::uint16_t, room>, room>;
using over_bad_links = caucus::reliable<by_coin, caucus::inplace_storage<8>>;
using watched = caucus::heartbeat<over_bad_links, room>;
static_assert(sizeof(by_coin) <= 232);
static_assert(sizeof(by_id) <= 184);

template <class P>
const auto& bus_in(const P& stack) {
    if constexpr (requires { stack.resets(); }) return stack;
    else return bus_in(stack.process());
}

int main() {
    // One device wakes all; one root, and the ways there.
    const auto good = [](const auto& net) {
        std::size_t roots = 0;
        for (std::size_t v = 0; v < 6; ++v) {
            const auto& device = bus_in(net[v]);
            if (!device.leader() || device.resets() != bus_in(net[0]).resets()) return false;
            if (device.is_leader() == device.parent().has_value()) return false;
            roots += device.is_leader();
        }
        return roots == 1 && net.overflows() == 0;
    };
    const std::array starters{2};
    const auto coin = [](caucus::node) {
        return by_coin{caucus::firewire<caucus::anonymous, room>{{}, room{}}, room{}};
    };
    const int tossed = freestanding::elects<by_coin, 6>(caucus::path{6}, coin, starters, good);
    const int compared = freestanding::elects<by_id, 6>(
        caucus::path{6},
        [](caucus::node v) {
            return by_id{caucus::firewire<std::uint16_t, room>{freestanding::ids[v], room{}},
                         room{}};
        },
        starters, good);
    const int plugged = freestanding::elects<watched, 6>(
        caucus::path{6},
        [&](caucus::node v) {
            return watched{over_bad_links{coin(v), {.resend_after = 100},
                                          caucus::inplace_storage<8>{}},
                           {.beat = 300}, room{}};
        },
        starters, good);
    return tossed * 4 + compared * 2 + plugged;
}
