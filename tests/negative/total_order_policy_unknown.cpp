// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/total_order.hpp>

#include "parts.hpp"

using by = std::conditional_t<CAUCUS_CONTROL, caucus::moving_token, caucus::majority>;
bool ordered(const caucus::total_order<caucus::acked<int>, by>& process) {
    return process.held() == 0;
}
