// expect: this_election_does_not_suppress__use_join
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/afek_gafni.hpp>

#if CAUCUS_CONTROL
caucus::afek_gafni process{7, caucus::join{}};
#else
caucus::afek_gafni process{7, caucus::suppress{}};
#endif
