// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/multicast/acked.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

// All five send as much as their buffers hold, and are refused one more: without a heap.

using group = caucus::acked<std::uint32_t, std::uint16_t, caucus::inplace_storage<4>>;
static_assert(sizeof(group) <= 608);

int main() {
    using caucus::answer;
    freestanding::armed = true;
    freestanding::network<group, caucus::complete, 5, 128> net{
        caucus::complete{5}, [](caucus::node v) {
            std::array<std::uint16_t, 4> peers{};
            for (std::size_t p = 0; p < 4; ++p) peers[p] = freestanding::ids[(v + 1 + p) % 5];
            return group{freestanding::ids[v], peers, {.window = 4, .resend_after = 1000}};
        }};
    for (std::size_t v = 0; v < 5; ++v) net.begin(v);
    bool good = true;
    for (std::uint32_t i = 0; i < 4; ++i)
        for (std::size_t v = 0; v < 5; ++v)
            good = good && net.call(v, caucus::request::broadcast<std::uint32_t>{i}) ==
                               answer::accepted;
    good = good && net.call(0, caucus::request::broadcast<std::uint32_t>{4}) == answer::no_room;
    net.run();
    for (std::size_t v = 0; v < 5; ++v) good = good && net[v].kept() == 0;
    good = good && net.messages() == 20 * group::per_broadcast(5).most &&
           net.outcomes() == 20 * 5 && net.overflows() == 0;
    freestanding::armed = false;
    return good ? 0 : 1;
}
