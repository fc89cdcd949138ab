// expect: a_message_or_timer_kind_has_no_handler
// SPDX-License-Identifier: MIT
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

struct deaf {
    using message = std::variant<ping, overdue>;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;

    constexpr void start(auto& env) { env.broadcast(ping{}); }
    constexpr void on(ping, caucus::port, auto&) {}
};

#ifdef CAUCUS_CONTROL
using process = complete_process;
#else
using process = deaf;
#endif

int main() {
    static_cast<void>(caucus::explore(caucus::ring{3}, [](caucus::node) { return process{}; }));
}
