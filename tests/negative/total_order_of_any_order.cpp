// expect: needs_messages_in_the_order_of_their_sender__wrap_it_in_fifo_order
// SPDX-License-Identifier: MIT
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/total_order.hpp>

#include "parts.hpp"

template <class Payload>
struct shuffled : caucus::acked<Payload> {
    using caucus::acked<Payload>::acked;
    template <class Other>
    using with_payload = shuffled<Other>;
    static constexpr caucus::ordering delivers = caucus::ordering::any;
};
using cast = std::conditional_t<CAUCUS_CONTROL, caucus::acked<int>, shuffled<int>>;
bool ordered(const caucus::total_order<cast>& process) { return process.held() == 0; }
