// SPDX-License-Identifier: MIT
#ifdef CAUCUS_COMPILED
#error "this half is to be header-only"
#endif
#include "mixed.hpp"

#include <cstdio>

int main() {
    const caucus::fault_plan faults = caucus::fault_plan{}.pause(1, 3, 20).clog(2, 3, 5, 30);
    const findings there = of_the_compiled_half(faults);
    const findings here{explored(), simulated(faults)};
    if (there.explored.holds || here.explored.holds) return 1;   // the second property is false
    if (here.explored.states != there.explored.states) return 2;
    if (here.explored.counterexample.size() != there.explored.counterexample.size()) return 3;
    if (here.simulated.messages != there.simulated.messages || here.simulated.messages == 0)
        return 4;
    if (here.simulated.rounds != there.simulated.rounds) return 5;
    std::printf("%llu states, %llu messages in both halves\n",
                static_cast<unsigned long long>(here.explored.states),
                static_cast<unsigned long long>(here.simulated.messages));
}
