// expect: an_open_load_has_no_bound__run_it_in_events
// SPDX-License-Identifier: MIT
#include <caucus/layer/client.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

struct free_lock {
    using message = ping;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    bool in = false;
    void start(auto&) {}
    void request(auto&) { in = true; }
    void release(auto&) { in = false; }
    bool holds() const { return in; }
    void on(ping, caucus::port, auto&) {}
};

#if CAUCUS_CONTROL
const caucus::closed load{};
#else
const caucus::open load{0.5};
#endif

int main() {
    static_cast<void>(caucus::explore(caucus::complete{2}, [](caucus::node) {
        return caucus::client{free_lock{}, load};
    }));
}
