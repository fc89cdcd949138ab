// expect: majority_needs_a_complete_network
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/layer/supervised.hpp>

#if CAUCUS_CONTROL
const caucus::supervised voters{caucus::afek_gafni{1}, {}, caucus::majority{}};
#else
const caucus::supervised voters{caucus::extinction{1}, {}, caucus::majority{}};
#endif
