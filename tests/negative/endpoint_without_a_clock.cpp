// expect: needs_a_clock__with_now
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

using process = complete_process;

int main() {
    test_channel<ping, caucus::guarantee::none> channel;
    std::conditional_t<CAUCUS_CONTROL, test_clock, nobody> clock;
    caucus::endpoint{process{}, channel, clock, parts::listener}.start();
}
