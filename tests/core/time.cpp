// SPDX-License-Identifier: MIT
#include <caucus/core/time.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

using caucus::after;
using caucus::never;
using caucus::ticks;
using caucus::times;

static_assert(never + 1 == 0);   // there is no later tick
static_assert(after(3, 4) == 7 && after(0, 0) == 0 && after(9, 0) == 9);

TEST_CASE("after: saturates at never, and never earlier") {
    CHECK(after(0, never) == never);
    CHECK(after(never, 0) == never);
    CHECK(after(never, 1) == never);
    CHECK(after(never, never) == never);
    CHECK(after(never - 5, 4) == never - 1);
    CHECK(after(never - 5, 5) == never);
    CHECK(after(never - 5, 6) == never);
    for (const ticks now : {ticks{0}, ticks{7}, never / 2, never - 1, never})
        for (const ticks delay : {ticks{0}, ticks{1}, never / 2, never / 2 + 2, never})
            CHECK(after(now, delay) >= now);
}

static_assert(times(3, 4) == 12 && times(0, never) == 0 && times(never, 0) == 0);

TEST_CASE("times: saturates at never") {
    CHECK(times(1, never) == never);
    CHECK(times(never, 1) == never);
    CHECK(times(2, never / 2) == never - 1);
    CHECK(times(2, never / 2 + 1) == never);
    CHECK(times(never / 2 + 1, 2) == never);
    CHECK(times(never, never) == never);
}
