// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/moves.hpp>

#include <doctest/doctest.h>

using namespace caucus::exploration;

TEST_CASE("action: what may as well not happen is a fault; what a detector knows is not") {
    using kind = action::kind;
    for (const kind k : {kind::start, kind::deliver, kind::expire, kind::suspect})
        CHECK_FALSE(action{k}.is_fault());
    for (const kind k : {kind::crash, kind::restart, kind::amnesia, kind::lose, kind::duplicate,
                         kind::mistrust, kind::trust})
        CHECK(action{k}.is_fault());
    action cut{kind::deliver};
    cut.cut_short = true;
    CHECK(cut.is_fault());
}
