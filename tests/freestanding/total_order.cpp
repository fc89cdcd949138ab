// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/total_order.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

// All five send two messages, by each policy: one order at all of them, without a heap.

using cast = caucus::acked<std::uint32_t, std::uint16_t, caucus::inplace_storage<4>>;
template <class Policy>
using group = caucus::total_order<cast, Policy, caucus::inplace_storage<10>>;
static_assert(sizeof(group<caucus::sequencer>) <= 2048);

template <class Policy>
bool agrees() {
    using caucus::answer;
    freestanding::network<group<Policy>, caucus::complete, 5, 512> net{
        caucus::complete{5}, [](caucus::node v) {
            std::array<std::uint16_t, 4> peers{};
            for (std::size_t p = 0; p < 4; ++p) peers[p] = freestanding::ids[(v + 1 + p) % 5];
            return group<Policy>{cast{freestanding::ids[v], peers,
                                      {.window = 4, .resend_after = 1000}},
                                 {.pending_max = 2}};
        }};
    for (std::size_t v = 0; v < 5; ++v) net.begin(v);
    bool good = true;
    for (std::uint32_t i = 0; i < 2; ++i)
        for (std::size_t v = 0; v < 5; ++v)
            good = good && net.call(v, caucus::request::broadcast<std::uint32_t>{i}) ==
                               answer::accepted;
    net.run();
    for (std::size_t v = 0; v < 5; ++v)
        good = good && net[v].pending() == 0 && net[v].held() == 0;
    return good && net.outcomes() == 10 * 5 && net.overflows() == 0;
}

int main() {
    freestanding::armed = true;
    const bool good = agrees<caucus::sequencer>() && agrees<caucus::moving_token>() &&
                      agrees<caucus::agreed_priorities>();
    freestanding::armed = false;
    return good ? 0 : 1;
}
