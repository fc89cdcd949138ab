// expect: needs_fifo_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/extinction.hpp>
#include <caucus/layer/synchronizer.hpp>
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

using process = caucus::synchronizer<caucus::extinction<int>>;

constexpr caucus::guarantee given = CAUCUS_CONTROL ? caucus::perfect_links : reordering;

int main() {
    test_channel<process::message, given> channel;
    const process made{caucus::extinction{7}};
    caucus::endpoint{made, channel, parts::clock, parts::listener}.start();
}
