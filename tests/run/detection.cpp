// SPDX-License-Identifier: MIT
#include <caucus/run/detection.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

using namespace caucus;

static_assert(!detector_model{}.watches());
static_assert(!detector_model{no_detector{}}.watches());
static_assert(detector_model{perfect{}}.watches() && detector_model{perfect{}}.is_perfect());
static_assert(detector_model{eventual{}}.watches() && !detector_model{eventual{}}.is_perfect());

TEST_CASE("detector_model: says of each what it is; a delay of 0 is one tick") {
    // Nobody knows of a crash while it happens.
    CHECK(detector_model{perfect{.delay = 0}}.delay() == 1);
    CHECK(detector_model{eventual{.delay = 0}}.delay() == 1);
    CHECK(detector_model{perfect{.delay = 7}}.delay() == 7);
    CHECK(detector_model{eventual{.delay = 7}}.delay() == 7);
    CHECK(detector_model{perfect{}}.wrong() == 0);
    CHECK(detector_model{perfect{}}.until() == 0);
    CHECK(detector_model{eventual{1, 3, 50}}.wrong() == 3);
    CHECK(detector_model{eventual{1, 3, 50}}.until() == 50);
}

TEST_CASE("detector_model: by_hand is as good as no_detector") {
    const detector_model told{by_hand{[](const hop&, random_source&) -> ticks { return 1; }}};
    CHECK_FALSE(told.watches());
    CHECK(told.wrong() == 0);
}

TEST_CASE("detector_model: refuses what makes no sense, and nothing else") {
    const auto refused = [](const detector_model& m) { return laws::refusal([&] { m.check(); }); };
    CHECK(refused(no_detector{}) == "not refused");
    CHECK(refused(perfect{0}) == "not refused");
    CHECK(refused(eventual{1, 10, 2}) == "not refused");
    CHECK(refused(eventual{1, 0, 0}) == "not refused");   // never wrong
    CHECK(refused(eventual{1, 1'000'000, 1000}) == "not refused");
    CHECK(refused(eventual{1, 10, 1}) ==
          "eventual: wrong until 1; need 2 at least, and some time an end");
    CHECK(refused(eventual{1, 1'000'001, 1000}) ==
          "eventual: 1000001 wrong suspicions; a million at most");
}
