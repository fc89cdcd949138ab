// expect: a_message_or_timer_kind_has_no_handler
// SPDX-License-Identifier: MIT
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

using process = std::conditional_t<CAUCUS_CONTROL, complete_process, deaf>;

int main() {
    static_cast<void>(caucus::explore(caucus::ring{3}, [](caucus::node) { return process{}; }));
}
