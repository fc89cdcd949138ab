// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/wave/echo.hpp>
#include <caucus/election/ring/chang_roberts.hpp>

#if CAUCUS_CONTROL
caucus::echo process{7, caucus::heap_storage{}};
#else
caucus::echo process{7, caucus::join{}};
#endif
