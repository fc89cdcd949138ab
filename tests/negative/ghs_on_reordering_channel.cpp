// expect: needs_fifo_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/ghs.hpp>
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

#include <array>

using process = caucus::ghs<int, caucus::unweighted, caucus::inplace_storage<1>>;

#ifdef CAUCUS_CONTROL
constexpr caucus::guarantee given = caucus::perfect_links;
#else
constexpr caucus::guarantee given = caucus::guarantee::reliable | caucus::guarantee::no_duplicates;
#endif

int main() {
    test_channel<process::message, given> channel;
    test_clock clock;
    test_listener listener;
    caucus::endpoint self{process{7, std::array{9}}, channel, clock, listener};
    self.start();
}
