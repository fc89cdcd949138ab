// expect: needs_fifo_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>
#include <caucus/wave/spanning_tree.hpp>

#include "parts.hpp"

using process = caucus::spanning_tree<caucus::inplace_storage<1>>;

constexpr caucus::guarantee given = CAUCUS_CONTROL ? caucus::perfect_links : reordering;

int main() {
    test_channel<process::message, given> channel;
    caucus::endpoint{process{caucus::port{0}}, channel, parts::clock, parts::listener}.start();
}
