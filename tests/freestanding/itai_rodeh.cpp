// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/ring/itai_rodeh.hpp>
#include <caucus/topology/ring.hpp>

#include <array>

using process = caucus::itai_rodeh<>;
static_assert(sizeof(process) <= 16);
static_assert(sizeof(process::message) <= 20);

int main() {
    return freestanding::elects<process, 6>(
        caucus::ring{6}, [](caucus::node) { return process{6}; }, std::array{0, 1, 2, 3, 4, 5},
        [](const auto& net) {
            std::size_t leaders = 0;
            for (std::size_t v = 0; v < 6; ++v) {
                if (!net[v].leader() || net[v].leader() != net[0].leader()) return false;
                leaders += net[v].is_leader();
            }
            return leaders == 1 && net.outcomes() == 6 && net.messages() >= 6 + 6 + 5;
        });
}
