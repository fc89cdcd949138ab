// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/election/appointed.hpp>
#include <caucus/exclusion/coordinator.hpp>

#include <vector>

#if CAUCUS_CONTROL
caucus::coordinator process{caucus::appointed{1, std::vector{2, 3}, 3}, caucus::tells_place{}};
#else
caucus::coordinator process{caucus::appointed{1, std::vector{2, 3}, 3}, caucus::tells_place{},
                            caucus::grants_only{}};
#endif
