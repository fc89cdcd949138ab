// expect: needs_a_process_for_rings
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/layer/repaired_ring.hpp>

#if CAUCUS_CONTROL
const caucus::repaired_ring mended{caucus::chang_roberts{1}};
#else
const caucus::repaired_ring mended{caucus::extinction{1}};
#endif
