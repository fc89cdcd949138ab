// expect: needs_an_id_type_that_is_regular
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

#if CAUCUS_CONTROL
using id = int;
#else
struct id {   // without ==
    std::size_t number = 0;
    constexpr bool operator<(id other) const { return number < other.number; }
};
#endif

int main() {
    caucus::rounds sim{caucus::ring{3}, [](caucus::node) { return caucus::chang_roberts{id{}}; }};
    sim.start_all();
}
