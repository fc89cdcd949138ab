// expect: this_election_does_not_suppress__use_join
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/peterson_alternating.hpp>

#if CAUCUS_CONTROL
caucus::peterson_alternating process{7, caucus::join{}};
#else
caucus::peterson_alternating process{7, caucus::suppress{}};
#endif
