// expect: needs_known_members__the_sender_of_this_one_knows_nobody
// SPDX-License-Identifier: MIT
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/nacked.hpp>
#include <caucus/multicast/total_order.hpp>

#include "parts.hpp"

using cast = std::conditional_t<CAUCUS_CONTROL, caucus::acked<int>, caucus::nacked<int>>;
bool ordered(const caucus::total_order<cast>& process) { return process.held() == 0; }
