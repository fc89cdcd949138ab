// expect: needs_peers_that_fit__give_a_std_array
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/maekawa.hpp>

#include <array>
#include <vector>

using process = caucus::maekawa<int, caucus::inplace_storage<2>>;

#if CAUCUS_CONTROL
const std::array quorum{caucus::port{0}, caucus::port{2}};
#else
const std::vector quorum{caucus::port{0}, caucus::port{2}};
#endif

int main() {
    const process self{7, quorum};
    return self.holds() ? 1 : 0;
}
