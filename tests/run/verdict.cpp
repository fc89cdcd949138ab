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

TEST_CASE("story: reads as a list of events, with its opening and its loop") {
    story s;
    CHECK(s.empty());
    CHECK(s.text().empty());
    s.property = "peace";
    s.how = "is false after";
    s.opening.push_back({{}, 0, {}, {}, "node 0 starts"});
    s.steps.push_back({{}, 0, {}, {}, "node 1 hears of it"});
    s.steps.push_back({{}, 0, {}, {}, "node 0 hears of that"});
    s.loop_from = 1;
    CHECK(s.size() == 2);
    CHECK(s.text() ==
          "peace is false after:\n"
          "  at first node 0 starts\n"
          "  1. node 1 hears of it\n"
          "  from here on, again and again:\n"
          "  2. node 0 hears of that\n");
}
