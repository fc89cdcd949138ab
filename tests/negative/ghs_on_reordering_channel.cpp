// expect: needs_fifo_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/ghs.hpp>
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

#include <array>

using process = caucus::ghs<int, caucus::unweighted, caucus::inplace_storage<1>>;

constexpr caucus::guarantee given = CAUCUS_CONTROL ? caucus::perfect_links : reordering;

int main() {
    test_channel<process::message, given> channel;
    caucus::endpoint{process{7, std::array{9}}, channel, parts::clock, parts::listener}.start();
}
