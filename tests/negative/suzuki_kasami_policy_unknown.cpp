// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/suzuki_kasami.hpp>

#include <vector>

#if CAUCUS_CONTROL
caucus::suzuki_kasami process{1, std::vector{2, 3}, caucus::greatest{}};
#else
caucus::suzuki_kasami process{1, std::vector{2, 3}, caucus::preemptive{}};
#endif
