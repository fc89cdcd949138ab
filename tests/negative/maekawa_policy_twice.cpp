// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/maekawa.hpp>

#include <vector>

#if CAUCUS_CONTROL
caucus::maekawa process{1, std::vector<caucus::port>{}, caucus::greatest{}};
#else
caucus::maekawa process{1, std::vector<caucus::port>{}, caucus::greatest{}, caucus::least{}};
#endif
