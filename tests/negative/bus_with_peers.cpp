// expect: needs_a_process_that_knows_no_peers_by_port
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/layer/bus.hpp>

#include <vector>

#if CAUCUS_CONTROL
const caucus::bus plugged{caucus::afek_gafni{1}};
#else
const caucus::bus plugged{caucus::bully{1, std::vector{2, 3}}};
#endif
