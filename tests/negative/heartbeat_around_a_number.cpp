// expect: needs_a_process__see_the_concept
// SPDX-License-Identifier: MIT
#include <caucus/detector/heartbeat.hpp>
#include <caucus/election/graph/extinction.hpp>

#if CAUCUS_CONTROL
const caucus::heartbeat watched{caucus::extinction{1}};
#else
const caucus::heartbeat watched{1};
#endif
