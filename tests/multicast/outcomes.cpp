// SPDX-License-Identifier: MIT
#include <caucus/multicast/outcomes.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include "../archetypes.hpp"

using namespace caucus;

namespace {

static_assert(life{{0}, 1} < life{{1}, 0});   // a restart counts for more than any stay
static_assert(life{{1}, 0} < life{{1}, 1});
static_assert(member<int>{1, {{0}, 0}} != member<int>{1, {{0}, 1}});
static_assert(member<archetype::id>{} == member<archetype::id>{});

}  // namespace

TEST_CASE("outcomes: views are compared and hashed with their members") {
    const view<int> one{3, {{1, {}}, {2, {}}}};
    const view<int> other{3, {{1, {}}, {2, {{1}, 0}}}};
    CHECK(same(one, view<int>{one}));
    CHECK_FALSE(same(one, other));
    CHECK(caucus::hash(one) != caucus::hash(other));
}
