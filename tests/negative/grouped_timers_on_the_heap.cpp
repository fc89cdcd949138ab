// expect: needs_a_timers_function__how_many_are_armed_at_once
// SPDX-License-Identifier: MIT
#include <caucus/layer/grouped.hpp>
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

#include <array>
#include <vector>

using two = std::array<complete_process, 2>;
using instances = std::conditional_t<CAUCUS_CONTROL, two, std::vector<complete_process>>;

int main() {
    const caucus::grouped process{instances{}};
    test_channel<decltype(process)::message, caucus::guarantee::none> channel;
    caucus::endpoint{process, channel, parts::clock, parts::listener}.start();
}
