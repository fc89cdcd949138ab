// expect: needs_fifo_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>
#include <caucus/exclusion/maekawa.hpp>

#include "parts.hpp"

#include <vector>

using process = caucus::maekawa<int>;

constexpr caucus::guarantee given = CAUCUS_CONTROL ? caucus::perfect_links : reordering;

int main() {
    test_channel<process::message, given> channel;
    const process lock{7, std::vector{caucus::port{0}}};
    caucus::endpoint self{lock, channel, parts::clock, parts::listener};
    self.begin(caucus::incarnation{});
}
