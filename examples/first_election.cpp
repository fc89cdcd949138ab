// SPDX-License-Identifier: MIT
// Who leads? Four nodes on a simulated ring, all of them start, the greatest id wins.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <cstdio>
#include <vector>

int main() {
    const std::vector ids{17, 4, 42, 8};
    const auto make = [&](caucus::node v) { return caucus::chang_roberts{ids[v]}; };
    caucus::rounds sim{caucus::ring{4}, make};
    sim.start_all();
    const caucus::report r = sim.run();
    std::printf("node 0 follows %d\n", *sim[0].leader());
    std::printf("%d messages in %d rounds, proven: %d to %d\n", static_cast<int>(r.messages),
                static_cast<int>(r.rounds), static_cast<int>(r.proven->least),
                static_cast<int>(r.proven->most));
}

/* Output:
node 0 follows 42
12 messages in 8 rounds, proven: 11 to 14
*/
