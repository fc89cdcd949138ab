// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/extinction.hpp>

#if CAUCUS_CONTROL
caucus::extinction process{7, caucus::suppress{}, caucus::least{}};
#else
caucus::extinction process{7, caucus::suppress{}, caucus::join{}};
#endif
