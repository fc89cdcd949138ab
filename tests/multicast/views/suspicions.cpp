// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/suspicions.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

using namespace caucus;
using caucus::detail::lives_by_port;
using caucus::detail::suspicions;

namespace {
constexpr port p{1};
constexpr life first{};
constexpr life second{incarnation{1}, 0};
}  // namespace

TEST_CASE("suspicions: a word on a life says nothing of later ones, and ends earlier ones") {
    suspicions s;
    CHECK(s.hear(suspect{p, incarnation{0}}));
    CHECK_FALSE(s.hear(suspect{p, incarnation{0}}));
    CHECK(s.covers(p, first));
    CHECK_FALSE(s.covers(p, second));
    CHECK(s.hear(trust{p, incarnation{1}}));
    CHECK(s.covers(p, first));
    CHECK_FALSE(s.covers(p, second));
    CHECK_FALSE(s.contains(p));
    CHECK_FALSE(s.hear(suspect{p, incarnation{0}}));   // late
    CHECK_FALSE(s.hear(trust{p, incarnation{0}}));
    CHECK_FALSE(s.contains(p));
    CHECK(s.hear(suspect{p, incarnation{1}}));
    CHECK(s.covers(p, second));
    CHECK(s.hear(suspect{p, incarnation{2}}));         // without trust between the two: news
    CHECK(s.contains(p));
}
TEST_CASE("suspicions: a word that names no life is of all of them, until it is taken back") {
    suspicions s;
    CHECK(s.hear(suspect{p}));
    CHECK(s.covers(p, first));
    CHECK(s.covers(p, second));
    CHECK(s.hear(trust{p}));
    CHECK_FALSE(s.hear(trust{p}));
    CHECK_FALSE(s.covers(p, first));
    CHECK(same(s, suspicions{}));
}
TEST_CASE("lives_by_port: the greatest of each port; equal ones are equal, whatever they held") {
    lives_by_port l;
    l.insert(p, second);
    l.insert(p, first);
    CHECK(l[p] == second);
    CHECK_FALSE(l[port{7}].has_value());
    CHECK(l.covers(p, first));
    CHECK(l.covers(p, second));
    CHECK(l.is_after(p, first));
    CHECK_FALSE(l.is_after(p, second));
    l.insert(port{4}, first);
    l.erase(port{4});
    l.erase(p);
    CHECK(same(l, lives_by_port{}));
}
