// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/wave/spanning_tree.hpp>

#if CAUCUS_CONTROL
caucus::spanning_tree process{caucus::port{0}, caucus::heap_storage{}};
#else
caucus::spanning_tree process{caucus::port{0}, caucus::least{}};
#endif
