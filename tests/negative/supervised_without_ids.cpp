// expect: needs_an_election__with_id_and_is_leader
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/itai_rodeh.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/supervised.hpp>

#include "parts.hpp"

using process =
    std::conditional_t<CAUCUS_CONTROL, caucus::chang_roberts<int>, caucus::itai_rodeh<>>;

int main() {
    const caucus::supervised self{caucus::repaired_ring{process{7}}};
    return self.is_leader() ? 1 : 0;
}
