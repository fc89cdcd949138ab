// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/exclusion/raymond.hpp>
#include <caucus/topology/star.hpp>

#include <array>
#include <cstddef>
#include <optional>

using process = caucus::raymond<caucus::inplace_storage<7>>;
using leaf = caucus::raymond<caucus::inplace_storage<1>>;
static_assert(sizeof(process) <= 192 && sizeof(leaf) <= 96 && sizeof(process::message) <= 16);

int main() {
    constexpr std::size_t nodes = 8;
    freestanding::armed = true;
    freestanding::network<process, caucus::star, nodes, 64> net{
        caucus::star{nodes}, [](caucus::node v) {
            const std::optional<caucus::port> hub{caucus::port{0}}, here{};
            return process{v == 0 ? here : hub, {}};
        }};
    for (std::size_t v = 0; v < nodes; ++v) net.begin(v);
    // All want it at once; whoever is inside leaves, until nobody waits.
    for (std::size_t v = 0; v < nodes; ++v)
        if (net.call(v, caucus::request::enter{}) != caucus::answer::accepted) return 1;
    net.run();
    std::size_t entries = 0;
    for (bool left = true; left;) {
        left = false;
        for (std::size_t v = 0; v < nodes && !left; ++v) left = net[v].holds();
        for (std::size_t v = 0; v < nodes; ++v)
            entries += net.call(v, caucus::request::leave{}) == caucus::answer::accepted;
        net.run();
    }
    freestanding::armed = false;
    const bool served = entries == nodes && net.outcomes() == 2 * nodes;
    return served && net.messages() == 4 * (nodes - 1) - 2 ? 0 : 1;
}
