// expect: needs_a_process_for_complete_networks
// SPDX-License-Identifier: MIT
#include <caucus/detector/swim.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/franklin.hpp>

#if CAUCUS_CONTROL
caucus::swim process{caucus::extinction{7}};
#else
caucus::swim process{caucus::franklin{7}};
#endif
