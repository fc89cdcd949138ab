// expect: needs_a_clock__with_now
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

using process = complete_process;

int main() {
    test_channel<ping, caucus::guarantee::none> channel;
    test_clock clock;
    test_listener listener;
#ifdef CAUCUS_CONTROL
    caucus::endpoint self{process{}, channel, clock, listener};
#else
    nobody timeless;
    caucus::endpoint self{process{}, channel, timeless, listener};
#endif
    self.start();
}
