// expect: nothing_starts_it__wrap_the_process_in_client
// SPDX-License-Identifier: MIT
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

struct waiting {
    using message = ping;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
#if CAUCUS_CONTROL
    using requests = std::variant<caucus::request::start, caucus::request::enter>;
    static constexpr void start(auto&) {}
#else
    using requests = std::variant<caucus::request::enter>;
#endif
    void request(auto& env) { env.broadcast(ping{}); }
    void on(ping, caucus::port, auto&) {}
};

int main() {
    static_cast<void>(caucus::explore(caucus::complete{2}, [](caucus::node) { return waiting{}; }));
}
