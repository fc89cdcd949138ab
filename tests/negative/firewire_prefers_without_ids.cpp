// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/election/tree/firewire.hpp>

#if CAUCUS_CONTROL
caucus::firewire process{7, caucus::least{}};
#else
caucus::firewire process{caucus::firewire_options{}, caucus::least{}};
#endif
