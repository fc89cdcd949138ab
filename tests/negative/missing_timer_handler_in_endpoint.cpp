// expect: a_message_or_timer_kind_has_no_handler
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

struct late {
    using message = ping;
    using timer = overdue;
    using outcome = caucus::nothing;

    constexpr void start(auto& env) { env.arm(overdue{}, 1); }
    constexpr void on(ping, caucus::port, auto&) {}
};

#ifdef CAUCUS_CONTROL
using process = complete_process;
#else
using process = late;
#endif

int main() {
    test_channel<process::message, caucus::guarantee::none> channel;
    test_clock clock;
    test_listener listener;
    caucus::endpoint self{process{}, channel, clock, listener};
    self.start();
    self.receive(caucus::port{0}, ping{});
    self.advance();
}
