// SPDX-License-Identifier: MIT
#include <caucus/exclusion/fence.hpp>

#include <caucus/core/epoch.hpp>
#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using namespace caucus;

static_assert(fence<>{1, 5} < fence<>{1, 6} && !(fence<>{1, 5} < fence<>{1, 5}));
static_assert(fence<>{1, 9} < fence<>{2, 1} && !(fence<>{2, 1} < fence<>{1, 9}));
static_assert(fence<>{1, 5} == fence<>{1, 5} && !(fence<>{1, 5} == fence<>{2, 5}));
static_assert(!(fence<>{1, 5} == fence<>{1, 6}));
static_assert(fence<>{} == fence<>{0, 0});   // of nobody who has entered

// Two reigns of one number are two reigns: their entries are never equal, and never both admitted
// in turn.
using reign = epoch<int>;
static_assert([] {
    const fence<reign> a{reign{.number = 3, .leader = 1, .incarnation = {}}, 7};
    const fence<reign> b{reign{.number = 3, .leader = 2, .incarnation = {}}, 7};
    return a < b && !(b < a) && !(a == b);
}());

TEST_CASE("fence: described by its fields") {
    CHECK(same(fence<>{1, 2}, fence<>{1, 2}));
    CHECK_FALSE(same(fence<>{1, 2}, fence<>{1, 3}));
    CHECK(hash(fence<>{1, 2}) != hash(fence<>{2, 1}));
}

TEST_CASE("fenced: lets the newest pass again and again, and nothing older") {
    fenced<> printer;
    CHECK_FALSE(printer.newest().has_value());
    CHECK(printer.admits({0, 1}));
    CHECK(printer.admits({0, 1}));
    CHECK(printer.admits({0, 3}));
    CHECK_FALSE(printer.admits({0, 2}));
    CHECK_FALSE(printer.admits({0, 1}));
    CHECK(*printer.newest() == fence<>{0, 3});
    CHECK(printer.admits({0, 3}));
    CHECK(printer.admits({1, 0}));
    CHECK_FALSE(printer.admits({0, 9}));
}
