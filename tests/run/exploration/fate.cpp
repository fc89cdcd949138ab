// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/fate.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <cstdint>

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
    CHECK(differs([](fate& f) { f.known_dead = 1; }));
    CHECK(differs([](fate& f) { f.cut = 1; }));
    CHECK(differs([](fate& f) { f.budget = budget{{.losses = 1}}; }));
    CHECK(differs([](fate& f) { f.lives[1] = 1; }));
    CHECK(differs([](fate& f) { f.kept[1] = 1; }));
    CHECK(differs([](fate& f) { f.made[1] = 1; }));
}

TEST_CASE("fate: where nobody returns, everybody is in its first life") {
    CHECK(fate{}.life_of(5) == 0);
    CHECK(fate{.lives = {0, 3}}.life_of(1) == 3);
}

TEST_CASE("budget: every misfortune has its own, and spending one leaves the others alone") {
    static_assert(sizeof(budget) == sizeof(std::uint64_t));
    const misfortune every[] = {misfortune::crash,     misfortune::restart,
                                misfortune::amnesia,   misfortune::loss,
                                misfortune::duplicate, misfortune::wrong_suspicion,
                                misfortune::cut,       misfortune::early_expiry};
    const budget granted{{.crashes = 1, .restarts = 2, .amnesias = 3, .losses = 4, .duplicates = 5,
                          .wrong_suspicions = 255, .cuts = 7, .early_expiries = 8}};
    const std::size_t times[] = {1, 2, 3, 4, 5, 255, 7, 8};
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(granted.left(every[i]) == times[i]);
        budget rest = granted;
        for (std::size_t spent = 1; spent <= times[i]; ++spent) rest.spend(every[i]);
        for (std::size_t j = 0; j < 8; ++j)
            CHECK(rest.left(every[j]) == (i == j ? 0 : times[j]));
        CHECK_FALSE(caucus::same(rest, granted));
        CHECK(budget{}.left(every[i]) == 0);
    }
}

TEST_CASE("fate: spending takes from the copy and not from the fate itself") {
    const fate some{.alive = 3, .budget = budget{{.crashes = 2}}};
    const fate poorer = some.spending(misfortune::crash);
    CHECK(some.budget.left(misfortune::crash) == 2);
    CHECK(poorer.budget.left(misfortune::crash) == 1);
    CHECK(poorer.alive == 3);
}

TEST_CASE("rules: a fault of any kind or a detector disturbs") {
    CHECK(rules{}.undisturbed());
    CHECK_FALSE(rules{.faults = {.losses = 1}}.undisturbed());
    CHECK_FALSE(rules{.perfect_detector = true}.undisturbed());
}
