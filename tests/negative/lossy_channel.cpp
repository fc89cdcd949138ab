// expect: needs_reliable_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>
#include <caucus/election/ring/chang_roberts.hpp>

#include "parts.hpp"

using process = caucus::chang_roberts<int>;

#ifdef CAUCUS_CONTROL
constexpr caucus::guarantee given = caucus::guarantee::reliable;
#else
constexpr caucus::guarantee given = caucus::guarantee::fifo | caucus::guarantee::no_duplicates;
#endif

int main() {
    test_channel<process::message, given> channel;
    test_clock clock;
    test_listener listener;
    caucus::endpoint self{process{7}, channel, clock, listener};
    self.start();
}
