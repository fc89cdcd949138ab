// expect: needs_a_complete_network
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/suzuki_kasami.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

#include <array>

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::complete, caucus::two_way_ring>;

int main() {
    const auto make = [](caucus::node v) {
        const std::size_t n = v;
        return caucus::suzuki_kasami{n, std::array{(n + 1) % 3, (n + 2) % 3}};
    };
    caucus::events sim{topology{3}, make};
    static_cast<void>(sim.call(0, caucus::request::enter{}));
}
