// expect: needs_two_way_links__acknowledgements_go_back
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/layer/reliable.hpp>

#include "parts.hpp"

using process =
    std::conditional_t<CAUCUS_CONTROL, caucus::two_way<int>, caucus::chang_roberts<int>>;

int main() {
    const caucus::reliable self{process{7}};
    return self.is_leader() ? 1 : 0;
}
