// expect: this_election_does_not_suppress__use_join
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/peterson.hpp>

#if CAUCUS_CONTROL
caucus::peterson process{7, caucus::join{}};
#else
caucus::peterson process{7, caucus::suppress{}};
#endif
