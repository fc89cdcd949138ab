// expect: needs_ids_in_order__or_a_multicast_with_views
// SPDX-License-Identifier: MIT
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/total_order.hpp>

#include "parts.hpp"

struct name {
    int number = 0;
    friend constexpr bool operator==(const name&, const name&) = default;
};
using id = std::conditional_t<CAUCUS_CONTROL, int, name>;
using group = caucus::total_order<caucus::acked<int, id>>;
bool ordered(const group& process) { return process.held() == 0; }
