// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/decisions.hpp>

#include <caucus/core/inner_environment.hpp>

#include <doctest/doctest.h>

#include <variant>

using namespace caucus;
using exploration::decides;
using exploration::is_decision;

namespace {

struct ask { static constexpr bool is_decision = true; };
struct overdue {};
struct denied { static constexpr bool is_decision = false; };
struct named { int timer; };   // a number that happens to have that name

using app = std::variant<overdue, ask>;
using inside = std::variant<overdue, inner_timer<app>>;
using inside_twice = inner_timer<inside>;

}  // namespace

static_assert(!decides<nothing>());
static_assert(!decides<overdue>());
static_assert(!decides<int>());
static_assert(!decides<denied>());
static_assert(!decides<std::variant<overdue, named>>());
static_assert(decides<ask>());
static_assert(decides<app>());
static_assert(decides<inside>());
static_assert(decides<inside_twice>());

TEST_CASE("decisions: a kind says so itself, and a layer's kind has what is inside say so") {
    CHECK(is_decision(ask{}));
    CHECK(is_decision(app{ask{}}));
    CHECK_FALSE(is_decision(app{overdue{}}));
    CHECK(is_decision(inside{inner_timer<app>{ask{}}}));
    CHECK_FALSE(is_decision(inside{inner_timer<app>{overdue{}}}));
    CHECK_FALSE(is_decision(inside{overdue{}}));
    CHECK(is_decision(inside_twice{inner_timer<app>{ask{}}}));
    CHECK_FALSE(is_decision(inside_twice{overdue{}}));
    CHECK_FALSE(is_decision(overdue{}));
    CHECK_FALSE(is_decision(denied{}));
}
