// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/raymond.hpp>

#include <optional>

#if CAUCUS_CONTROL
caucus::raymond process{std::nullopt, caucus::inplace_storage<3>{}};
#else
caucus::raymond process{std::nullopt, caucus::majority{}};
#endif
