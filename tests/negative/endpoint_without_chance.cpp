// expect: needs_chance__pass_a_part_with_choose
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

struct process : complete_process {
    static constexpr bool tosses_coins = true;
};
struct dice {
    std::size_t choose(std::size_t) { return 0; }
};

int main() {
    test_channel<ping, caucus::guarantee::none> channel;
#if CAUCUS_CONTROL
    dice lots;
    caucus::endpoint{process{}, channel, parts::clock, parts::listener, lots}.start();
#else
    caucus::endpoint{process{}, channel, parts::clock, parts::listener}.start();
#endif
}
