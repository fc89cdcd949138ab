// SPDX-License-Identifier: MIT
#include <caucus/run/verdict.hpp>

#include <doctest/doctest.h>

using namespace caucus;

TEST_CASE("verdict: verified only if it holds, is complete and deterministic") {
    verdict v;
    CHECK_FALSE(v.verified());
    v.holds = true;
    CHECK_FALSE(v.verified());
    v.complete = true;
    CHECK(v.verified());
    v.deterministic = false;
    CHECK_FALSE(v.verified());
    v.states = 300;
    CHECK(v.states_per_second() == 0);
    v.seconds = 2;
    CHECK(v.states_per_second() == doctest::Approx(150));
}
