// expect: the_process_takes_no_such_request
// SPDX-License-Identifier: MIT
// An election is asked for the critical section.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

int main() {
    caucus::rounds sim{caucus::ring{2}, [](caucus::node v) {
                           return caucus::chang_roberts{static_cast<int>(v.index)};
                       }};
#if CAUCUS_CONTROL
    static_cast<void>(sim.call(0, caucus::request::start{}));
#else
    static_cast<void>(sim.call(0, caucus::request::enter{}));
#endif
}
