// expect: a_message_or_timer_kind_has_no_handler
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

struct late {
    using message = ping;
    using timer = overdue;
    using outcome = caucus::nothing;

    constexpr void start(auto& env) { env.arm(overdue{}, 1); }
    constexpr void on(ping, caucus::port, auto&) {}
};

#ifdef CAUCUS_CONTROL
using process = complete_process;
#else
using process = late;
#endif

int main() {
    caucus::events sim{caucus::ring{3}, [](caucus::node) { return process{}; }};
    sim.start_all();
    sim.run();
}
