// expect: a_message_or_timer_kind_has_no_handler
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

using process = std::conditional_t<CAUCUS_CONTROL, complete_process, deaf>;

int main() {
    test_channel<process::message, caucus::guarantee::none> channel;
    caucus::endpoint self{process{}, channel, parts::clock, parts::listener};
    self.start();
    self.receive(caucus::port{0}, ping{});
    self.advance();
}
