// expect: needs_a_multicast_without_order__this_one_delivers_in_order
// SPDX-License-Identifier: MIT
#include <caucus/multicast/fifo_order.hpp>
#include <caucus/multicast/best_effort.hpp>
#include <caucus/multicast/views.hpp>

#include "parts.hpp"

#include <type_traits>

using what = std::conditional_t<CAUCUS_CONTROL, caucus::best_effort<int>, caucus::views<int>>;
using process = caucus::fifo_order<what>;
constexpr auto size = sizeof(process);
