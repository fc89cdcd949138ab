// expect: needs_a_listener__with_report_or_a_call_operator
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

struct process : complete_process {
    using outcome = ping;
};

int main() {
    test_channel<ping, caucus::guarantee::none> channel;
    test_clock clock;
    test_listener listener;
#ifdef CAUCUS_CONTROL
    caucus::endpoint self{process{}, channel, clock, listener};
#else
    nobody deaf;
    caucus::endpoint self{process{}, channel, clock, deaf};
#endif
    self.start();
}
