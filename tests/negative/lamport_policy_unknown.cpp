// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/lamport.hpp>

#if CAUCUS_CONTROL
caucus::lamport process{1, caucus::greatest{}};
#else
caucus::lamport process{1, caucus::majority{}};
#endif
