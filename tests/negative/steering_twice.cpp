// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/wave/traversal.hpp>

#include <vector>

const std::vector<int> peers{2, 3};
#if CAUCUS_CONTROL
caucus::traversal process{1, caucus::by_path{1, peers}, caucus::sum{}};
#else
caucus::traversal process{1, caucus::by_path{1, peers}, caucus::by_colour{}};
#endif
