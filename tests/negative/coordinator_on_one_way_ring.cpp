// expect: needs_two_way_links
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/election/appointed.hpp>
#include <caucus/exclusion/coordinator.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

#include <array>

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::complete, caucus::ring>;

int main() {
    const auto make = [](caucus::node v) {
        const std::size_t n = v;
        const std::array peers{(n + 1) % 3, (n + 2) % 3};
        return caucus::coordinator{caucus::appointed{n, peers, std::size_t{0}}};
    };
    caucus::events sim{topology{3}, make};
    sim.start_all();
}
