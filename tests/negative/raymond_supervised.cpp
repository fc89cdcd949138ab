// expect: needs_an_election__with_id_and_is_leader
// SPDX-License-Identifier: MIT
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/exclusion/raymond.hpp>
#include <caucus/layer/supervised.hpp>

#if CAUCUS_CONTROL
caucus::supervised process{caucus::tree_wave{1}};
#else
caucus::supervised process{caucus::raymond{caucus::port{0}}};
#endif
