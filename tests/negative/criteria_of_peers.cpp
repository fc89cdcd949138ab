// expect: criteria_change__needs_no_peers_and_is_not_preemptive
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/bully.hpp>
#include <caucus/layer/supervised.hpp>

#include <vector>

#if CAUCUS_CONTROL
using id = int;
#else
using id = caucus::ranked<int, int>;
#endif
const caucus::supervised bullies{caucus::bully{id{}, std::vector<id>{}}};
