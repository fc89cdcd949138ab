// expect: needs_a_channel__with_degree_and_send
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

using process = complete_process;
struct talker {   // knows not how many neighbours it has
    void send(caucus::port, const ping&) {}
};

int main() {
    test_channel<ping, caucus::guarantee::none> channel;
    test_clock clock;
    test_listener listener;
#ifdef CAUCUS_CONTROL
    caucus::endpoint self{process{}, channel, clock, listener};
#else
    talker mute;
    caucus::endpoint self{process{}, mute, clock, listener};
#endif
    self.start();
}
