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
#if CAUCUS_CONTROL
    disk stable;
    caucus::endpoint{process{}, channel, parts::clock, parts::listener, stable}.start();
#else
    caucus::endpoint{process{}, channel, parts::clock, parts::listener}.start();
#endif
}
