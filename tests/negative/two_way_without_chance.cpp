// expect: needs_chance__pass_a_part_with_choose
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>
#include <caucus/election/ring/two_way.hpp>

#include "parts.hpp"

using process = caucus::two_way<int>;

struct coin {
    std::size_t choose(std::size_t k) { return k - 1; }
};

int main() {
    test_channel<process::message, caucus::perfect_links> channel;
#if CAUCUS_CONTROL
    coin chance;
    caucus::endpoint self{process{7}, channel, parts::clock, parts::listener, chance};
#else
    caucus::endpoint self{process{7}, channel, parts::clock, parts::listener};
#endif
    self.start();
}
