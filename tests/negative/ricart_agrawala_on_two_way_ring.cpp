// expect: needs_a_complete_network
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::complete, caucus::two_way_ring>;

int main() {
    caucus::events sim{topology{3}, [](caucus::node v) {
        return caucus::ricart_agrawala{static_cast<int>(v.index)};
    }};
    static_cast<void>(sim.call(0, caucus::request::enter{}));
}
