// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/token_ring.hpp>

#if CAUCUS_CONTROL
caucus::token_ring process{1, {.nodes = 3}, caucus::least{}};
#else
caucus::token_ring process{1, {.nodes = 3}, caucus::silent{}};
#endif
