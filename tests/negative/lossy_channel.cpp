// expect: needs_reliable_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>
#include <caucus/election/ring/chang_roberts.hpp>

#include "parts.hpp"

using process = caucus::chang_roberts<int>;

constexpr caucus::guarantee given =
    CAUCUS_CONTROL ? caucus::guarantee::reliable
                   : caucus::guarantee::fifo | caucus::guarantee::no_duplicates;

int main() {
    test_channel<process::message, given> channel;
    caucus::endpoint{process{7}, channel, parts::clock, parts::listener}.start();
}
