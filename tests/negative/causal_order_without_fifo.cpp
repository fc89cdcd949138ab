// expect: needs_messages_in_the_order_of_each_sender__wrap_it_in_fifo_order
// SPDX-License-Identifier: MIT
#include <caucus/multicast/causal_order.hpp>
#include <caucus/multicast/fifo_order.hpp>
#include <caucus/multicast/best_effort.hpp>

#include "parts.hpp"

#include <type_traits>

using bare = caucus::best_effort<int>;
using what = std::conditional_t<CAUCUS_CONTROL, caucus::fifo_order<bare>, bare>;
using process = caucus::causal_order<what>;
constexpr auto size = sizeof(process);
