// expect: needs_a_process_that_can_do_without_a_port__not_for_rings
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/tree/firewire.hpp>
#include <caucus/layer/bus.hpp>

#if CAUCUS_CONTROL
const caucus::bus plugged{caucus::firewire{1}};
#else
const caucus::bus plugged{caucus::chang_roberts{1}};
#endif
