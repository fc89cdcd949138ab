// SPDX-License-Identifier: MIT
// Who leads? Four nodes on a simulated ring, all of them start, the greatest id wins.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <iostream>
#include <vector>

int main() {
    const std::vector ids{17, 4, 42, 8};
    const auto make = [&](caucus::node v) { return caucus::chang_roberts{ids[v]}; };
    caucus::rounds sim{caucus::ring{4}, make};
    sim.start_all();
    const caucus::report r = sim.run();
    std::cout << "node 0 follows " << *sim[0].leader() << '\n'
              << r.messages << " messages in " << r.rounds << " rounds, proven: "
              << r.proven->least << " to " << r.proven->most << '\n';
}

/* Output:
node 0 follows 42
12 messages in 8 rounds, proven: 11 to 14
*/
