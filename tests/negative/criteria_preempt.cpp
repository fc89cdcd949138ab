// expect: criteria_change__needs_no_peers_and_is_not_preemptive
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/layer/supervised.hpp>

#if CAUCUS_CONTROL
const caucus::supervised ranks{caucus::afek_gafni{caucus::ranked{1, 1}}, {}};
#else
const caucus::supervised ranks{caucus::afek_gafni{caucus::ranked{1, 1}}, {}, caucus::preemptive{}};
#endif
