// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/exclusion/ricart_agrawala.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

template <class... Model>
using process = caucus::ricart_agrawala<std::uint16_t, caucus::inplace_storage<4>, Model...>;
static_assert(sizeof(process<>) <= 128);

/// Five nodes enter twice each, and none of them is short of room.
template <class... Model>
bool all_enter(std::size_t messages_least, std::size_t messages_most, Model... model) {
    using asking = caucus::client<process<Model...>>;
    const int failed = freestanding::elects<asking, 5>(
        caucus::complete{5},
        [=](caucus::node v) {
            return asking{process<Model...>{freestanding::ids[v], model...}, {.entries = 2}};
        },
        std::array{0, 1, 2, 3, 4},
        [=](const auto& net) {
            for (std::size_t v = 0; v < 5; ++v)
                if (!net[v].is_through() || net[v].waits() || net[v].holds()) return false;
            return net.outcomes() == 20 && net.overflows() == 0 &&
                   net.messages() >= messages_least && net.messages() <= messages_most;
        });
    return failed == 0;
}

int main() {
    // Messages go one at a time: a tick is no delay bound.
    const bool good = all_enter(80, 80) &&
                      all_enter(80, 120, caucus::answering{.delay_max = 1'000}) &&
                      all_enter(60, 120, caucus::majority{}) &&
                      all_enter(0, 80, caucus::carvalho_roucairol{});
    return good ? 0 : 1;
}
