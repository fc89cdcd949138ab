// expect: needs_peers_that_fit__give_a_std_array
// SPDX-License-Identifier: MIT
#include <caucus/multicast/acked.hpp>

#include <array>
#include <vector>

using process = caucus::acked<int, int, caucus::inplace_storage<2>>;

#if CAUCUS_CONTROL
const std::array peers{1, 2};
#else
const std::vector peers{1, 2};
#endif

int main() {
    const process self{7, peers, {.window = 2}};
    return self.id() == 7 ? 0 : 1;
}
