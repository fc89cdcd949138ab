// expect: needs_an_election_that_is_not_reset__supervise_what_is_in_the_bus
// SPDX-License-Identifier: MIT
#include <caucus/election/tree/firewire.hpp>
#include <caucus/layer/bus.hpp>
#include <caucus/layer/supervised.hpp>

#if CAUCUS_CONTROL
const caucus::supervised election{caucus::firewire{1}};
#else
const caucus::supervised election{caucus::bus{caucus::firewire{1}}};
#endif
