// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/topology/hypercube.hpp>
#include <caucus/wave/echo.hpp>

#include <array>
#include <cstdint>

using process = caucus::echo<std::uint16_t, caucus::sum, caucus::inplace_storage<4>>;
static_assert(sizeof(process) <= 32);

int main() {
    return freestanding::elects<process, 16>(
        caucus::hypercube{4}, [](caucus::node) { return process{1, {}, {}}; }, std::array{5},
        [](const auto& net) {
            return net[5].has_completed() && net[5].value() == 16 && net.outcomes() == 1 &&
                   net.messages() == 2 * 32;
        });
}
