// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/topology/complete.hpp>
#include <caucus/wave/spanning_tree.hpp>

#include <array>

using process = caucus::spanning_tree<caucus::inplace_storage<4>>;
static_assert(sizeof(process) <= 192);

int main() {
    const auto make = [](caucus::node v) {
        return v == 0 ? process{} : process{caucus::port{4 - v}, 2};
    };
    return freestanding::elects<process, 5>(
        caucus::complete{5}, make, std::array{2, 1, 4, 3}, [](const auto& net) {
            for (std::size_t v = 1; v < 5; ++v)
                if (!net[v].is_attached()) return false;
            return net[2].is_root() && net.overflows() == 0;
        });
}
