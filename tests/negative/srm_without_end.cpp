// expect: never_ends__bound_the_run_with_run_for_or_a_limit
// SPDX-License-Identifier: MIT
#include <caucus/multicast/srm.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>

#include "parts.hpp"

using ending = std::conditional_t<CAUCUS_CONTROL, caucus::sessions_after_news,
                                  caucus::endless_sessions>;
int main() {
    caucus::events net{caucus::complete{2}, [](caucus::node v) {
        return caucus::srm<int, int, ending>{static_cast<int>(v)};
    }};
    static_cast<void>(net.run());
}
