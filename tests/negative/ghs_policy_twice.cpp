// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/ghs.hpp>

#include <vector>

const std::vector peers{2, 3};
#if CAUCUS_CONTROL
caucus::ghs process{1, peers, peers, caucus::least{}};
#else
caucus::ghs process{1, peers, peers, caucus::least{}, caucus::greatest{}};
#endif
