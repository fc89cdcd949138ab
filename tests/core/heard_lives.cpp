// SPDX-License-Identifier: MIT
#include <caucus/core/heard_lives.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

using namespace caucus;

namespace {
constexpr suspect suspected(std::size_t p, std::uint32_t life) {
    return {port{p}, incarnation{life}};
}
constexpr trust trusted(std::size_t p, std::uint32_t life) { return {port{p}, incarnation{life}}; }
}  // namespace

static_assert([] {
    heard_lives<inplace_storage<3>> heard;
    return !heard.is_late(trusted(2, 7)) && heard.is_late(suspected(2, 6)) &&
           !heard.is_late(suspected(1, 0));
}());

TEST_CASE("heard_lives: words on a life before the latest are late, of either kind, by port") {
    heard_lives<> heard;
    CHECK_FALSE(heard.is_late(suspected(1, 0)));
    CHECK_FALSE(heard.is_late(trusted(1, 1)));
    CHECK(heard.is_late(suspected(1, 0)));       // the former life died: that is old news
    CHECK_FALSE(heard.is_late(suspected(1, 1)));
    CHECK_FALSE(heard.is_late(suspected(1, 2)));  // the next one begins with its death
    CHECK(heard.is_late(trusted(1, 1)));
    CHECK_FALSE(heard.is_late(suspected(0, 0)));  // of somebody else
    CHECK_FALSE(heard.is_late(suspected(5, 0)));
    CHECK(heard.of(port{1}) == incarnation{2});
    CHECK(heard.of(port{0}) == incarnation{});
    CHECK(heard.of(port{5}) == incarnation{});
}

TEST_CASE("heard_lives: words that name no life are never late") {
    heard_lives<> heard;
    CHECK_FALSE(heard.is_late(trusted(0, 9)));
    CHECK_FALSE(heard.is_late(suspect{port{0}}));
    CHECK(heard.is_late(suspected(0, 8)));
}

TEST_CASE("heard_lives: first lives leave no trace") {
    heard_lives<> heard;
    CHECK_FALSE(heard.is_late(suspected(3, 0)));
    CHECK_FALSE(heard.is_late(trusted(3, 0)));
    CHECK(same(heard, heard_lives<>{}));
}
