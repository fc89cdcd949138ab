// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

using process = greeter<serial<CAUCUS_CONTROL>>;

int main() {
    static_cast<void>(caucus::explore(caucus::ring{3}, [](caucus::node) { return process{}; }));
}
