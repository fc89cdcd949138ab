// expect: needs_heap_storage__what_comes_in_a_view_is_not_bounded_here
// SPDX-License-Identifier: MIT
#include <caucus/multicast/total_order.hpp>
#include <caucus/multicast/views.hpp>

#include "parts.hpp"

using room = std::conditional_t<CAUCUS_CONTROL, caucus::heap_storage, caucus::inplace_storage<8>>;
bool ordered(const caucus::total_order<caucus::views<int>, room>& process) {
    return process.held() == 0;
}
