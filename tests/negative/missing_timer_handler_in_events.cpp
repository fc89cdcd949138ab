// expect: a_message_or_timer_kind_has_no_handler
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

using process = std::conditional_t<CAUCUS_CONTROL, complete_process, late>;

int main() {
    caucus::events sim{caucus::ring{3}, [](caucus::node) { return process{}; }};
    sim.start_all();
    sim.run();
}
