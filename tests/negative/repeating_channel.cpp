// expect: needs_links_without_duplicates__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

using process = assuming<caucus::shape::graph, caucus::perfect_links>;

#ifdef CAUCUS_CONTROL
constexpr caucus::guarantee given = caucus::perfect_links;
#else
constexpr caucus::guarantee given = caucus::guarantee::reliable | caucus::guarantee::fifo;
#endif

int main() {
    test_channel<process::message, given> channel;
    test_clock clock;
    test_listener listener;
    caucus::endpoint self{process{}, channel, clock, listener};
    self.start();
}
