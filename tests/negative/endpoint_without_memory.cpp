// expect: needs_memory__pass_a_part_with_keep
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

struct process : complete_process {
    using kept = ping;
};
struct disk {
    void keep(const ping&) {}
};

int main() {
    test_channel<ping, caucus::guarantee::none> channel;
    test_clock clock;
    test_listener listener;
#ifdef CAUCUS_CONTROL
    disk stable;
    caucus::endpoint self{process{}, channel, clock, listener, stable};
#else
    caucus::endpoint self{process{}, channel, clock, listener};
#endif
    self.start();
}
