// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/adoption.hpp>
#include <caucus/election/ring/chang_roberts.hpp>

// Adopted nodes know the leader by the announcement alone: it cannot be left out.
#if CAUCUS_CONTROL
caucus::chang_roberts process{7, caucus::silent{}};
#else
caucus::adoption process{7, caucus::silent{}};
#endif
