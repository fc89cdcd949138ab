// expect: needs_a_multicast_that_has_no_total_order_already
// SPDX-License-Identifier: MIT
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/total_order.hpp>

#include "parts.hpp"

using cast = std::conditional_t<CAUCUS_CONTROL, caucus::acked<int>,
                                caucus::total_order<caucus::acked<int>>>;
bool ordered(const caucus::total_order<cast>& process) { return process.held() == 0; }
