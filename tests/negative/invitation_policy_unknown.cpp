// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/invitation.hpp>

#include <vector>

#if CAUCUS_CONTROL
caucus::invitation process{1, std::vector{2, 3}, caucus::least{}};
#else
caucus::invitation process{1, std::vector{2, 3}, caucus::preemptive{}};
#endif
