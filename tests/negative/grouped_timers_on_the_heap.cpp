// expect: needs_a_timers_function__how_many_are_armed_at_once
// SPDX-License-Identifier: MIT
#include <caucus/layer/grouped.hpp>
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

#include <array>
#include <vector>

#ifdef CAUCUS_CONTROL
using instances = std::array<complete_process, 2>;
#else
using instances = std::vector<complete_process>;
#endif

int main() {
    const caucus::grouped process{instances{}};
    test_channel<decltype(process)::message, caucus::guarantee::none> channel;
    test_clock clock;
    test_listener listener;
    caucus::endpoint self{process, channel, clock, listener};
    self.start();
}
