// SPDX-License-Identifier: MIT
#include <caucus/core/identity.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>

using caucus::identity;

namespace sample {
struct named { int rack; int slot; friend bool operator==(const named&, const named&) = default; };
struct incomparable { int rack; };
struct homeless { explicit homeless(int) {} friend bool operator==(homeless, homeless) = default; };
struct alike { int shared; friend bool operator==(const alike&, const alike&) = default; };
}  // namespace sample

using namespace sample;

template <>
inline constexpr bool caucus::tells_nodes_apart<alike> = false;

// Models, and what is none: no ==, no default, not copyable.
static_assert(identity<int> && identity<std::string> && identity<std::array<std::uint8_t, 6>>);
static_assert(identity<named> && identity<caucus::anonymous>);
static_assert(!identity<incomparable> && !identity<homeless> && !identity<int&>);
static_assert(caucus::needs_an_id_type_that_is_regular<int>);
static_assert(!caucus::needs_an_id_type_that_is_regular<incomparable>);
static_assert(caucus::needs_ids_that_are_whole_numbers<std::uint8_t>);
static_assert(!caucus::needs_ids_that_are_whole_numbers<double>);
static_assert(!caucus::needs_ids_that_are_whole_numbers<bool>);

TEST_CASE("ranked: the better criterion wins, then the name; the name is what stays") {
    using caucus::ranked;
    static_assert(identity<ranked<int, std::string>>);
    static_assert(caucus::is_ranked<ranked<int, int>> && !caucus::is_ranked<int>);
    CHECK(ranked{1, 9} < ranked{2, 1});
    CHECK_FALSE(ranked{2, 1} < ranked{1, 9});
    CHECK(ranked{2, 1} < ranked{2, 3});
    CHECK_FALSE(ranked{2, 3} < ranked{2, 1});
    CHECK_FALSE(ranked{2, 3} < ranked{2, 3});
    CHECK(ranked{2, 3} == ranked{2, 3});
    CHECK_FALSE(ranked{2, 3} == ranked{1, 3});
    CHECK(caucus::name_in(ranked{2, 3}) == 3);
    CHECK(caucus::name_in(7) == 7);
}

TEST_CASE("tells_nodes_apart: every type with more than one value, unless it says otherwise") {
    static_assert(caucus::tells_nodes_apart<int> && caucus::tells_nodes_apart<named>);
    static_assert(!caucus::tells_nodes_apart<caucus::anonymous>);
    static_assert(!caucus::tells_nodes_apart<alike>);
    static_assert(!caucus::needs_distinct_ids__angluin__see_itai_rodeh<caucus::anonymous>);
    static_assert(caucus::needs_distinct_ids__angluin__see_itai_rodeh<std::string>);
    CHECK(caucus::anonymous{} == caucus::anonymous{});
}
