// expect: needs_fifo_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>
#include <caucus/wave/spanning_tree.hpp>

#include "parts.hpp"

using process = caucus::spanning_tree<caucus::inplace_storage<1>>;

#ifdef CAUCUS_CONTROL
constexpr caucus::guarantee given = caucus::perfect_links;
#else
constexpr caucus::guarantee given = caucus::guarantee::reliable | caucus::guarantee::no_duplicates;
#endif

int main() {
    test_channel<process::message, given> channel;
    test_clock clock;
    test_listener listener;
    caucus::endpoint self{process{caucus::port{0}}, channel, clock, listener};
    self.start();
}
