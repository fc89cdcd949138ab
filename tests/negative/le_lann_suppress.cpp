// expect: this_election_does_not_suppress__use_join
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/le_lann.hpp>

#if CAUCUS_CONTROL
caucus::le_lann process{7, caucus::join{}};
#else
caucus::le_lann process{7, caucus::suppress{}};
#endif
