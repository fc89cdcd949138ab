// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/complete/invitation.hpp>

#include <vector>

#if CAUCUS_CONTROL
caucus::bully process{1, std::vector{2, 3}, caucus::bully_options{}};
#else
caucus::bully process{1, std::vector{2, 3}, caucus::invitation_options{}};
#endif
