// expect: needs_links_without_duplicates__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>
#include <caucus/exclusion/token_ring.hpp>

#include "parts.hpp"

#include <cstddef>

using process = caucus::token_ring<int>;
struct channel : test_channel<process::message, CAUCUS_CONTROL
                                                    ? caucus::guarantee::no_duplicates
                                                    : caucus::guarantee::fifo> {};

int main() {
    channel wire;
    caucus::endpoint self{process{1, {.nodes = 2}}, wire, parts::clock, parts::listener};
    self.start();
}
