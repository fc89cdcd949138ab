// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/exclusion/lamport.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/topology/complete.hpp>

#include <cstdint>

using lock = caucus::lamport<std::uint16_t, caucus::inplace_storage<4>>;
using process = caucus::client<lock>;
static_assert(sizeof(lock) <= 168);

int main() {
    const auto make = [](caucus::node v) {
        return process{lock{freestanding::ids[v]}, {.entries = 2}};
    };
    return freestanding::all_elect<process, 5>(
        caucus::complete{5}, make, [](const auto& net) {
            std::uint64_t newest = 0;
            for (std::size_t v = 0; v < 5; ++v) {
                if (!net[v].is_through() || net[v].holds()) return false;
                if (newest < net[v].fence().count) newest = net[v].fence().count;
            }
            return newest == 10 && net.outcomes() == 20 && net.messages() == 10 * 12;
        });
}
