// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/bully.hpp>

#include <vector>

#if CAUCUS_CONTROL
caucus::bully process{1, std::vector{2, 3}, caucus::least{}};
#else
caucus::bully process{1, std::vector{2, 3}, caucus::silent{}};
#endif
