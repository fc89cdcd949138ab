// expect: needs_fifo_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>
#include <caucus/multicast/views.hpp>

#include "parts.hpp"

#include <array>

using process = caucus::views<int>;

constexpr caucus::guarantee given = CAUCUS_CONTROL ? caucus::perfect_links : reordering;

int main() {
    test_channel<process::message, given> channel;
    const process group{0, std::array{1}, std::array{0, 1}};
    caucus::endpoint self{group, channel, parts::clock, parts::listener};
    self.begin(caucus::incarnation{});
}
