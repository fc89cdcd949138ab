// SPDX-License-Identifier: MIT
// A program that compiles the core itself, with the one line that makes it, and links to no other.
#include <caucus/compiled.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

TEST_CASE("compiled: the one source line defines all that explore and the delays need") {
    const auto make = [](caucus::node v) {
        return caucus::chang_roberts{3 - static_cast<int>(v.index)};
    };
    const caucus::verdict v = caucus::explore(caucus::ring{3}, make);
    CHECK(v.verified());
    CHECK(v.messages.most == 9);
    const caucus::delay_model at_once = caucus::uniform{0, 1};
    CHECK_THROWS_AS(at_once.check(1), caucus::error);
}
