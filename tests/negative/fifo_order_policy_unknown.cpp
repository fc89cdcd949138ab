// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/core/policy.hpp>
#include <caucus/multicast/fifo_order.hpp>
#include <caucus/multicast/best_effort.hpp>

#include "parts.hpp"

#include <type_traits>

using what = std::conditional_t<CAUCUS_CONTROL, caucus::inplace_storage<3>, caucus::majority>;
using process = caucus::fifo_order<caucus::best_effort<int>, what>;
constexpr auto size = sizeof(process);
