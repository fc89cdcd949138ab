// expect: needs_links_without_duplicates__wrap_the_channel_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>
#include <caucus/core/random.hpp>
#include <caucus/election/tree/firewire.hpp>

#include "parts.hpp"

// By id, what comes twice does no harm; by coin, it is taken for having been asked first.
#ifdef CAUCUS_CONTROL
const caucus::firewire process{7};
#else
const caucus::firewire process{};
#endif

struct dice {
    std::size_t choose(std::size_t k) { return static_cast<std::size_t>(source.below(k)); }
    caucus::random_source source{1};
};

int main() {
    test_channel<decltype(process)::message, caucus::link::reliable> channel;
    test_clock clock;
    test_listener listener;
    dice lots;
    caucus::endpoint self{process, channel, clock, listener, lots};
    self.start();
}
