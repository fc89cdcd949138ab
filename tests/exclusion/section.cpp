// SPDX-License-Identifier: MIT
#include <caucus/exclusion/section.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

using caucus::answer;
using caucus::section;

static_assert([] {
    const section s;
    return s.is_outside() && !s.is_waiting() && !s.is_inside();
}());

TEST_CASE("section: in turn, everything is accepted") {
    section s;
    CHECK(s.ask() == answer::accepted);
    CHECK((s.is_waiting() && !s.is_outside() && !s.is_inside()));
    CHECK(s.cancel() == answer::accepted);
    CHECK(s.is_outside());
    CHECK(s.ask() == answer::accepted);
    s.enter();
    CHECK((s.is_inside() && !s.is_waiting() && !s.is_outside()));
    CHECK(s.leave() == answer::accepted);
    CHECK(s.is_outside());
    CHECK(s.ask() == answer::accepted);
    s.enter();
    s.revoke();
    CHECK(s.is_outside());
}

TEST_CASE("section: out of turn, requests are refused by name and change nothing") {
    section s;
    CHECK(s.leave() == answer::not_inside);
    CHECK(s.cancel() == answer::not_waiting);
    CHECK(s.is_outside());
    CHECK(s.ask() == answer::accepted);
    CHECK(s.ask() == answer::already_waiting);
    CHECK(s.leave() == answer::not_inside);
    CHECK(s.is_waiting());
    s.enter();
    CHECK(s.ask() == answer::already_inside);
    CHECK(s.cancel() == answer::not_waiting);
    CHECK(s.is_inside());
}

TEST_CASE("section: described by its state") {
    section waiting;
    CHECK(waiting.ask() == answer::accepted);
    CHECK(caucus::same(section{}, section{}));
    CHECK_FALSE(caucus::same(section{}, waiting));
}
