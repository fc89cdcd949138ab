// expect: needs_two_way_links
// SPDX-License-Identifier: MIT
#include <caucus/detector/heartbeat.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>

#if CAUCUS_CONTROL
caucus::heartbeat process{caucus::franklin{7}};
#else
caucus::heartbeat process{caucus::chang_roberts{7}};
#endif
