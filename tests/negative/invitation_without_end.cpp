// expect: never_ends__bound_the_run_with_run_for_or_a_limit
// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>
#include <caucus/election/complete/invitation.hpp>
#include <caucus/topology/complete.hpp>

#include <array>

int main() {
    const auto make = [](caucus::node v) {
        const std::size_t n = v;
        return caucus::invitation{n, std::array{(n + 1) % 3, (n + 2) % 3}};
    };
    caucus::events sim{caucus::complete{3}, make};
    sim.start_all();
#if CAUCUS_CONTROL
    sim.run_for(100);
#else
    sim.run();
#endif
}
