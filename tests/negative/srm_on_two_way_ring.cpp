// expect: needs_a_complete_network
// SPDX-License-Identifier: MIT
#include <caucus/multicast/srm.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "parts.hpp"

using place = std::conditional_t<CAUCUS_CONTROL, caucus::complete, caucus::two_way_ring>;
caucus::events net{place{3}, [](caucus::node v) {
    return caucus::srm<int>{static_cast<int>(v)};
}};
