// expect: asks_for_the_time__explore_cannot_tell_it
// SPDX-License-Identifier: MIT
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

struct punctual {
    using message = ping;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    caucus::ticks heard = 0;

    void start(auto& env) { env.broadcast(ping{}); }
#if CAUCUS_CONTROL
    void on(ping, caucus::port, auto&) { heard = 1; }
#else
    static constexpr bool reads_clock = true;
    void on(ping, caucus::port, auto& env) { heard = env.now(); }
#endif
};

int main() {
    static_cast<void>(caucus::explore(caucus::ring{2}, [](caucus::node) { return punctual{}; }));
}
