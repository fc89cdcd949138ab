// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/multicast/nacked.hpp>
#include <caucus/topology/complete.hpp>

#include <cstddef>
#include <cstdint>

// All five send more than they keep, and end their sessions: without a heap.

using group = caucus::nacked<std::uint32_t, std::uint16_t, caucus::inplace_storage<4>>;
static_assert(sizeof(group) <= 640);

int main() {
    using caucus::answer;
    freestanding::armed = true;
    freestanding::network<group, caucus::complete, 5, 256> net{
        caucus::complete{5}, [](caucus::node v) {
            return group{freestanding::ids[v],
                         {.history = 4, .window = 4, .request_after = 1000, .beat = 500}};
        }};
    for (std::size_t v = 0; v < 5; ++v) net.begin(v);
    bool good = true;
    for (std::uint32_t i = 0; i < 6; ++i)
        for (std::size_t v = 0; v < 5; ++v)
            good = good && net.call(v, caucus::request::broadcast<std::uint32_t>{i}) ==
                               answer::accepted;
    for (std::size_t v = 0; v < 5; ++v)
        good = good && net.call(v, caucus::request::depart{}) == answer::accepted;
    net.run();
    for (std::size_t v = 0; v < 5; ++v) good = good && net[v].kept() == 4;
    good = good && net.messages() == 30 * group::per_broadcast(5).most + 5 * 3 * 4 &&
           net.outcomes() == 30 * 5 && net.overflows() == 0;
    freestanding::armed = false;
    return good ? 0 : 1;
}
