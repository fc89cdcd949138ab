// expect: needs_peers_that_fit__give_a_std_array
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/ghs.hpp>

#include <array>
#include <vector>

using process = caucus::ghs<int, caucus::unweighted, caucus::inplace_storage<2>>;

#if CAUCUS_CONTROL
const std::array peers{9, 8};
#else
const std::vector peers{9, 8};
#endif

int main() {
    process self{7, peers};
    return self.is_leader() ? 1 : 0;
}
