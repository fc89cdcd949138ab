// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/multicast/nacked.hpp>

#include "parts.hpp"

using what = std::conditional_t<CAUCUS_CONTROL, caucus::inplace_storage<64>, caucus::majority>;
caucus::nacked<int, int, what> process{0};
