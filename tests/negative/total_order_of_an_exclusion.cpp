// expect: needs_a_multicast__with_payload
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/lamport.hpp>
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/total_order.hpp>

#include "parts.hpp"

using cast = std::conditional_t<CAUCUS_CONTROL, caucus::acked<int>, caucus::lamport<int>>;
bool ordered(const caucus::total_order<cast>& process) { return process.held() == 0; }
