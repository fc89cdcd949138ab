// expect: needs_asynchronous_elections__wrap_it_in_synchronizer
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/time_slice.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/layer/synchronizer.hpp>

int main() {
    const caucus::repaired_ring inner{caucus::time_slice{7u, 3}};
#if CAUCUS_CONTROL
    const caucus::supervised self{caucus::synchronizer{inner}};
#else
    const caucus::supervised self{inner};
#endif
    return self.is_leader() ? 1 : 0;
}
