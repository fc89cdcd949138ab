// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/core/storage.hpp>
#include <caucus/election/ring/chang_roberts.hpp>

#if CAUCUS_CONTROL
caucus::chang_roberts process{7, caucus::silent{}};
#else
caucus::chang_roberts process{7, caucus::heap_storage{}};
#endif
