// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/ongoing_faults.hpp>

#include <doctest/doctest.h>

using namespace caucus;
using namespace caucus::simulation;
using kind = fault_plan::kind;

namespace {

/// A cut from 0 to 1 that begins and ends then, and its end.
fault_plan::fault cut(ticks from, ticks until) {
    return {.at = from, .node = 0, .what = kind::cut, .other = 1, .bound = until};
}
fault_plan::fault mend(ticks from, ticks until) {
    return {.at = until, .node = 0, .what = kind::mend, .other = 1, .bound = from};
}

}  // namespace

TEST_CASE("ongoing_faults: a link is whole when the last of its intervals has ended") {
    ongoing_faults now;
    now.begin(cut(10, 50));
    now.begin(cut(20, 90));
    CHECK_FALSE(now.end(mend(10, 50)));
    CHECK(now.latest(kind::cut, 0, 1) != nullptr);
    CHECK(now.latest(kind::cut, 1, 0) == nullptr);
    CHECK(now.end(mend(20, 90)));
    CHECK(now.latest(kind::cut, 0, 1) == nullptr);
}

TEST_CASE("ongoing_faults: what was healed or ended by hand ends nothing later") {
    ongoing_faults now;
    now.begin(cut(10, 50));
    now.heal();
    now.begin(cut(30, never));
    CHECK_FALSE(now.end(mend(10, 50)));
    CHECK(now.latest(kind::cut, 0, 1) != nullptr);
    now.end_all(kind::cut, 0, 1);
    CHECK(now.latest(kind::cut, 0, 1) == nullptr);
}
