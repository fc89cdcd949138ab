// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/lives.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>

using namespace caucus;
using namespace caucus::simulation;

namespace {
struct fuse { int length; };
}  // namespace

TEST_CASE("lives: each keeps its own last value, and can be made to forget it") {
    lives<fuse, int> all{2};
    all.forget(0);
    CHECK_FALSE(all.kept(0));
    all.keep(0, 7);
    all.keep(0, 8);
    CHECK(all.kept(0) == 8);
    CHECK_FALSE(all.kept(1));
    all.forget(0);
    CHECK_FALSE(all.kept(0));
}

TEST_CASE("lives: a clock that runs twice as fast halves what is left, of stopped timers too") {
    lives<fuse, int> all{2};
    timer_book<fuse> book;
    book.arm(0, fuse{1}, 110, 2);
    book.arm(1, fuse{2}, 110, 2);
    all.pause(1, book);
    CHECK(all.all_clocks_right());
    for (std::size_t v = 0; v < 2; ++v) all.drift(v, 10, 1'000'000, book);
    CHECK_FALSE(all.all_clocks_right());
    CHECK(all.clock(0).local(20) == 30);
    CHECK(book.deadlines(0)[0].at == 60);
    CHECK(book.deadlines(1).empty());
    all.resume(1, 15, book);
    CHECK(book.deadlines(1)[0].at == 60);
}

TEST_CASE("lives: a clock may drift where nothing else is unusual") {
    lives<fuse, int> all{1};
    timer_book<fuse> book;
    book.arm(0, fuse{1}, 110, 1);
    all.drift(0, 10, 1'000'000, book);
    CHECK(book.deadlines(0)[0].at == 60);
    CHECK(all.all_usual());
}

TEST_CASE("lives: what was rounded up is no longer so once the clock runs as before") {
    lives<fuse, int> all{2};
    timer_book<fuse> book;
    for (std::size_t v = 0; v < 2; ++v) book.arm(v, fuse{1}, 111, 2);
    all.pause(1, book);
    for (const int pace : {1'000'000, 0})
        for (std::size_t v = 0; v < 2; ++v) all.drift(v, 10, pace, book);
    CHECK(book.deadlines(0)[0].at == 111);
    all.resume(1, 15, book);
    CHECK(book.deadlines(1)[0].at == 111);
}

TEST_CASE("lives: who stands still has no timers; afterwards those that ran out are due at once") {
    lives<fuse, int> all{1};
    timer_book<fuse> book;
    book.arm(0, fuse{1}, 20, 1);
    book.arm(0, fuse{2}, 90, 1);
    all.pause(0, book);
    all.pause(0, book);   // twice is once
    CHECK(all.paused(0));
    CHECK(book.empty());
    all.resume(0, 50, book);
    CHECK_FALSE(all.paused(0));
    REQUIRE(book.deadlines(0).size() == 2);
    CHECK(book.deadlines(0)[0].at == 50);
    CHECK(book.deadlines(0)[1].at == 90);
}

TEST_CASE("lives: a crash ends a pause and takes the timers along, but not the incarnation") {
    lives<fuse, int> all{1};
    timer_book<fuse> book;
    all[0].incarnation = {3};
    book.arm(0, fuse{1}, 20, 1);
    all.pause(0, book);
    all[0].start_waits = true;
    all.crash(0, book);
    CHECK_FALSE(all.alive(0));
    CHECK_FALSE(all.paused(0));
    CHECK_FALSE(all[0].start_waits);
    CHECK(all.incarnation(0) == incarnation{3});
    all.pause(0, book);
    all.resume(0, 10, book);
    CHECK(book.empty());
}
