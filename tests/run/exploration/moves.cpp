// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/moves.hpp>

#include <doctest/doctest.h>

#include <caucus/core/fields.hpp>

using namespace caucus;
using namespace caucus::exploration;

TEST_CASE("fate: two states that differ in any part of it are two states") {
    const fate some{.alive = 3, .lives = {0, 0}, .kept = {1, 0}, .made = {4, 5}};
    fate other = some;
    CHECK(caucus::same(some, other));
    const auto differs = [&](auto change) {
        other = some;
        change(other);
        return !caucus::same(some, other) && caucus::hash(some) != caucus::hash(other);
    };
    CHECK(differs([](fate& f) { f.alive = 1; }));
    CHECK(differs([](fate& f) { f.pending = 1; }));
    CHECK(differs([](fate& f) { f.suspected = 1; }));
    CHECK(differs([](fate& f) { f.mourned = 1; }));
    CHECK(differs([](fate& f) { f.cut = 1; }));
    CHECK(differs([](fate& f) { f.budgets = 1; }));
    CHECK(differs([](fate& f) { f.lives[1] = 1; }));
    CHECK(differs([](fate& f) { f.kept[1] = 1; }));
    CHECK(differs([](fate& f) { f.made[1] = 1; }));
}
