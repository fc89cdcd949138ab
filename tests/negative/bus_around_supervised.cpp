// expect: needs_a_process_without_epochs__not_for_supervised_ones
// SPDX-License-Identifier: MIT
#include <caucus/election/tree/firewire.hpp>
#include <caucus/layer/bus.hpp>
#include <caucus/layer/supervised.hpp>

#if CAUCUS_CONTROL
const caucus::bus plugged{caucus::firewire{1}};
#else
const caucus::bus plugged{caucus::supervised{caucus::firewire{1}}};
#endif
