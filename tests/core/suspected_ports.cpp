// SPDX-License-Identifier: MIT
#include <caucus/core/suspected_ports.hpp>

#include <caucus/core/fields.hpp>
#include <caucus/core/storage.hpp>

#include <doctest/doctest.h>

using namespace caucus;

namespace {
constexpr port a{0}, b{70};
constexpr incarnation first{0}, second{1};
}  // namespace

TEST_CASE("suspected_ports: the last word on each counts") {
    suspected_ports<> dead;
    CHECK_FALSE(dead.contains(a));
    CHECK(dead.hear(suspect{a}));
    CHECK(dead.hear(suspect{b}));
    CHECK((dead.contains(a) && dead.contains(b) && dead.all().size() == 2));
    CHECK(dead.hear(suspect{a}));   // again: nothing new, but not late
    CHECK(dead.hear(trust{a}));
    CHECK((!dead.contains(a) && dead.contains(b)));
    dead.erase(b);
    CHECK(same(dead, suspected_ports<>{}));
}

TEST_CASE("suspected_ports: a late word on a former life changes nothing") {
    suspected_ports<inplace_storage<2>> dead;
    CHECK(dead.hear(trust{a, second}));
    CHECK_FALSE(dead.hear(suspect{a, first}));
    CHECK_FALSE(dead.contains(a));
    CHECK(dead.hear(suspect{a, second}));
    CHECK_FALSE(dead.hear(trust{a, first}));
    CHECK(dead.contains(a));
    CHECK(dead.hear(trust{a}));     // of whatever life it has
    CHECK_FALSE(dead.contains(a));
}
