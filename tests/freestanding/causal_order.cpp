// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/multicast/causal_order.hpp>
#include <caucus/multicast/fifo_order.hpp>
#include <caucus/multicast/best_effort.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

// Four send in causal order, by numbers, over what gives no order: without a heap.

using room = caucus::inplace_storage<4>;
using bare = caucus::best_effort<std::uint32_t, std::uint16_t, room>;
using group = caucus::causal_order<caucus::fifo_order<bare, room>, room>;

int main() {
    using caucus::answer;
    freestanding::armed = true;
    freestanding::network<group, caucus::complete, 4, 64> net{
        caucus::complete{4}, [](caucus::node v) {
            std::array<std::uint16_t, 3> peers{};
            for (std::size_t p = 0; p < 3; ++p) peers[p] = freestanding::ids[(v + 1 + p) % 4];
            return group{caucus::fifo_order<bare, room>{bare{freestanding::ids[v], peers}}};
        }};
    for (std::size_t v = 0; v < 4; ++v) net.begin(v);
    bool good = true;
    for (std::uint32_t i = 0; i < 4; ++i) {
        for (std::size_t v = 0; v < 4; ++v)
            good = good && net.call(v, caucus::request::broadcast<std::uint32_t>{i}) ==
                               answer::accepted;
        net.run();
    }
    for (std::size_t v = 0; v < 4; ++v) good = good && net[v].held() == 0;
    good = good && net.messages() == 16 * 3 && net.outcomes() == 16 * 4 && net.overflows() == 0;
    freestanding::armed = false;
    return good ? 0 : 1;
}
