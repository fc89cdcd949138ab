// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>

#if CAUCUS_CONTROL
caucus::chang_roberts process{7, caucus::join{}, caucus::least{}};
#else
caucus::chang_roberts process{7, caucus::join{}, caucus::suppress{}};
#endif
