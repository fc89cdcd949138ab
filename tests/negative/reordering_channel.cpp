// expect: needs_fifo_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

using process = assuming<caucus::shape::graph, caucus::perfect_links>;

constexpr caucus::guarantee given = CAUCUS_CONTROL ? caucus::perfect_links : reordering;

int main() {
    test_channel<process::message, given> channel;
    caucus::endpoint{process{}, channel, parts::clock, parts::listener}.start();
}
