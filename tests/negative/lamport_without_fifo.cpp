// expect: needs_fifo_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>
#include <caucus/exclusion/lamport.hpp>

#include "parts.hpp"

using process = caucus::lamport<int>;

constexpr caucus::guarantee given = CAUCUS_CONTROL ? caucus::perfect_links : reordering;

int main() {
    test_channel<process::message, given> channel;
    caucus::endpoint self{process{7}, channel, parts::clock, parts::listener};
    self.begin(caucus::incarnation{});
}
