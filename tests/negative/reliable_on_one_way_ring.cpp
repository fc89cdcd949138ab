// expect: needs_two_way_links__acknowledgements_go_back
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/layer/reliable.hpp>

#ifdef CAUCUS_CONTROL
using process = caucus::two_way<int>;
#else
using process = caucus::chang_roberts<int>;
#endif

int main() {
    const caucus::reliable self{process{7}};
    return self.is_leader() ? 1 : 0;
}
