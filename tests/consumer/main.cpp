// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <cstdio>
#include <vector>

int main() {
    const std::vector ids{17, 4, 42, 8};
    const auto make = [&](caucus::node v) { return caucus::chang_roberts{ids[v]}; };
    caucus::rounds sim{caucus::ring{4}, make};
    sim.start(1);
    sim.run();
    std::printf("%d leads\n", *sim[3].leader());
}

/* Output:
42 leads
*/
