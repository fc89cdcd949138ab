// SPDX-License-Identifier: MIT
#include <caucus/exclusion/section.hpp>

#include <caucus/core/fields.hpp>
#include <caucus/core/storage.hpp>

#include <doctest/doctest.h>

#include <type_traits>
#include <variant>

using caucus::answer;
using caucus::section;

using unbounded = caucus::section_outcomes<int, caucus::heap_storage>;
using bounded = caucus::section_outcomes<int, caucus::inplace_storage<2>>;
static_assert(std::is_same_v<unbounded, std::variant<caucus::entered<int>, caucus::left>>);
static_assert(std::is_same_v<bounded, std::variant<caucus::entered<int>, caucus::left,
                                                   caucus::overflow>>);

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

TEST_CASE("section: whoever is expelled is neither in nor out, and no member") {
    section s;
    CHECK(s.ask() == answer::accepted);
    CHECK_FALSE(s.is_expelled());
    s.expel();
    CHECK(s.is_expelled());
    CHECK_FALSE((s.is_waiting() || s.is_inside() || s.is_outside()));
    CHECK(s.ask() == answer::not_a_member);
    CHECK(s.leave() == answer::not_inside);
    CHECK(s.cancel() == answer::not_waiting);
    CHECK(s.is_expelled());
}

TEST_CASE("section: described by its state") {
    section waiting;
    CHECK(waiting.ask() == answer::accepted);
    CHECK(caucus::same(section{}, section{}));
    CHECK_FALSE(caucus::same(section{}, waiting));
}
