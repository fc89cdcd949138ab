// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/tree/firewire.hpp>

#include <doctest/doctest.h>
#include <support/graphs.hpp>
#include <support/instances.hpp>

#include <cstddef>
#include <vector>

// What the tests of firewire share.

namespace support {

/// Windows without width: the coin is all that chance has to say.
inline constexpr caucus::contention_windows coin_alone{4, 4, 9, 9};

inline auto with(caucus::firewire_options options) {
    return [=](caucus::node) { return caucus::firewire{options}; };
}
/// By ids; reacting at once, unless it is told otherwise.
template <class... Policies>
struct by_id {
    std::vector<int> ids;
    caucus::ticks reaction = 0;

    constexpr caucus::firewire<int, Policies...> operator()(caucus::node v) const {
        return caucus::firewire<int, Policies...>{ids[v], {.reaction = reaction}, Policies{}...};
    }
};

std::size_t root_of(const auto& sim) {
    std::size_t root = sim.nodes();
    for (std::size_t v = 0; v < sim.nodes(); ++v)
        if (sim[v].is_leader()) root = v;
    return root;
}

/// One root, and all know of it, said so once and have a parent on the way there.
void check_identified(const auto& sim) {
    std::size_t roots = 0;
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        roots += sim[v].is_leader();
        CHECK(sim[v].leader().has_value());
    }
    REQUIRE(roots == 1);
    CHECK(spans(sim, root_of(sim)));
    CHECK(sim.outcomes().size() == sim.nodes());
}

}  // namespace support
