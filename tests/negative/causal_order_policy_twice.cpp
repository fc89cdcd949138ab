// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/multicast/causal_order.hpp>
#include <caucus/multicast/views.hpp>

#include "parts.hpp"

#include <type_traits>

using in_place = caucus::inplace_storage<3>;
using group = caucus::views<int>;
using process = std::conditional_t<CAUCUS_CONTROL, caucus::causal_order<group, in_place>,
                                   caucus::causal_order<group, in_place, in_place>>;
constexpr auto size = sizeof(process);
