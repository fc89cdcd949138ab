// expect: needs_a_listener__with_report_or_a_call_operator
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

struct process : complete_process {
    using outcome = ping;
};

int main() {
    test_channel<ping, caucus::guarantee::none> channel;
    std::conditional_t<CAUCUS_CONTROL, test_listener, nobody> listener;
    caucus::endpoint{process{}, channel, parts::clock, listener}.start();
}
