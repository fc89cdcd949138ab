// expect: asks_for_the_time__explore_cannot_tell_it
// SPDX-License-Identifier: MIT
#include <caucus/multicast/srm.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

using far = std::conditional_t<CAUCUS_CONTROL, caucus::given_distances<>,
                               caucus::measured_distances>;
using process = caucus::srm<int, int, far, caucus::sessions_after_news>;
int main() {
    static_cast<void>(caucus::explore(caucus::complete{2}, [](caucus::node v) {
        return process{static_cast<int>(v)};
    }));
}
