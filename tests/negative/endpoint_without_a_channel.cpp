// expect: needs_a_channel__with_degree_and_send
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

using process = complete_process;
struct talker {   // knows not how many neighbours it has
    void send(caucus::port, const ping&) {}
};

int main() {
    std::conditional_t<CAUCUS_CONTROL, test_channel<ping, caucus::guarantee::none>, talker> channel;
    caucus::endpoint{process{}, channel, parts::clock, parts::listener}.start();
}
