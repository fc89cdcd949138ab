// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/multicast/acked.hpp>

#include "parts.hpp"

#include <array>

using what = std::conditional_t<CAUCUS_CONTROL, caucus::expel, caucus::majority>;
caucus::acked<int, int, what> process{0, std::array{1, 2}};
