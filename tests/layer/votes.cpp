// SPDX-License-Identifier: MIT
#include <caucus/layer/votes.hpp>

#include <doctest/doctest.h>

using namespace caucus;

TEST_CASE("votes: one a number, for the same candidate again, never for an earlier number") {
    votes<> mine;
    CHECK(mine.may_give(1, port{0}));
    mine.give(5, port{1});
    CHECK(mine.last() == 5);
    CHECK(mine.may_give(5, port{1}));
    CHECK_FALSE(mine.may_give(5, port{0}));
    CHECK_FALSE(mine.may_give(4, port{1}));
    CHECK(mine.may_give(6, port{0}));
}

TEST_CASE("votes: after a crash nobody gets a vote of that number again") {
    votes<> mine;
    mine.remember(5);
    for (const port p : ports(70)) CHECK_FALSE(mine.may_give(5, p));
    CHECK(mine.may_give(6, port{0}));
}

TEST_CASE("votes: its own counts, each other once, and a new count begins with its own") {
    votes<inplace_storage<4>> mine;
    mine.begin_count();
    CHECK(mine.got() == 1);
    mine.count(port{2});
    mine.count(port{2});
    mine.count(port{0});
    CHECK(mine.got() == 3);
    mine.begin_count();
    CHECK(mine.got() == 1);
}
