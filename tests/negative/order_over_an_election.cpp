// expect: needs_a_multicast__with_payload_and_delivers
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/multicast/causal_order.hpp>
#include <caucus/multicast/views.hpp>

#include "parts.hpp"

#include <type_traits>

using what = std::conditional_t<CAUCUS_CONTROL, caucus::views<int>, caucus::chang_roberts<int>>;
using process = caucus::causal_order<what>;
constexpr auto size = sizeof(process);
