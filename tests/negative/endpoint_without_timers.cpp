// expect: needs_a_timers_function__how_many_are_armed_at_once
// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

struct retry {   // as many timers as there are values of it
    caucus::port whom;
};

struct patient {
    using message = ping;
    using timer = retry;
    using outcome = caucus::nothing;
#if CAUCUS_CONTROL
    static constexpr std::size_t timers(std::size_t degree) { return degree; }
#endif

    constexpr void start(auto& env) { env.arm(retry{caucus::port{0}}, 1); }
    constexpr void on(ping, caucus::port, auto&) {}
    constexpr void on(retry, auto&) {}
};

int main() {
    test_channel<ping, caucus::guarantee::none> channel;
    caucus::endpoint{patient{}, channel, parts::clock, parts::listener}.start();
}
