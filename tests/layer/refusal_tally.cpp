// SPDX-License-Identifier: MIT
#include <caucus/layer/refusal_tally.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

using namespace caucus;

TEST_CASE("refusal_tally: counted by answer, and one accepted request renews the patience") {
    refusal_tally r;
    CHECK(r.note(answer::blocked, 2));
    CHECK(r.note(answer::no_room, 2));
    CHECK(r.note(answer::accepted, 2));
    CHECK(r.note(answer::blocked, 2));
    CHECK(r.note(answer::blocked, 2));
    CHECK_FALSE(r.note(answer::blocked, 2));   // given up
    CHECK(r.note(answer::blocked, 2));         // the next request
    CHECK_FALSE(r.note(answer::blocked, 0));
    CHECK(r.by(answer::blocked) == 6);
    CHECK(r.by(answer::no_room) == 1);
    CHECK(r.by(answer::accepted) == 0);
    CHECK(r.total() == 7);
}

TEST_CASE("refusal_tally: who retries for ever counts, and remains the same state") {
    refusal_tally r;
    for (int i = 0; i < 300; ++i) CHECK(r.note(answer::blocked, for_ever));
    CHECK(r.by(answer::blocked) == 300);
    CHECK(same(r, refusal_tally{}));
    CHECK(r.note(answer::blocked, 1));
    CHECK(r.by(answer::blocked) == 301);
    CHECK_FALSE(same(r, refusal_tally{}));
}

TEST_CASE("refusal_tally: the order of answers leaves no mark") {
    refusal_tally a, b;
    static_cast<void>(a.note(answer::no_room, 9));
    static_cast<void>(a.note(answer::blocked, 9));
    static_cast<void>(b.note(answer::blocked, 9));
    static_cast<void>(b.note(answer::no_room, 9));
    CHECK(same(a, b));
}
