// expect: needs_an_election__with_id_and_is_leader
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/itai_rodeh.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/supervised.hpp>

#ifdef CAUCUS_CONTROL
using process = caucus::chang_roberts<int>;
#else
using process = caucus::itai_rodeh<>;
#endif

int main() {
    const caucus::supervised self{caucus::repaired_ring{process{7}}};
    return self.is_leader() ? 1 : 0;
}
