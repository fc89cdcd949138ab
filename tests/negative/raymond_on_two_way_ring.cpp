// expect: needs_a_tree
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/raymond.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

#include <optional>

using topology = std::conditional_t<CAUCUS_CONTROL, caucus::path, caucus::two_way_ring>;

int main() {
    const auto make = [](caucus::node v) {
        return caucus::raymond{v == 0 ? std::optional<caucus::port>{} : caucus::port{0}};
    };
    caucus::events sim{topology{2}, make};
}
