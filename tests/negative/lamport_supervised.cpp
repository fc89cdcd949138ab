// expect: needs_an_election__with_id_and_is_leader
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/bully.hpp>
#include <caucus/exclusion/lamport.hpp>
#include <caucus/layer/supervised.hpp>

#include "parts.hpp"

#include <vector>

#if CAUCUS_CONTROL
const caucus::bully inner{7, std::vector{8}};
#else
const caucus::lamport inner{7};
#endif

int main() {
    const caucus::supervised self{inner};
    return self.is_leader() ? 1 : 0;
}
