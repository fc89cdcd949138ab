// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <type_traits>

namespace caucus {

/// What algorithms compare; never an address, never an index.
///
/// Syntax     std::regular: default-constructible, copyable, ==
/// Semantics  equal ids mean the same node; simulations also ask for its fields, to hash and print
/// Models     integers, std::string, std::array<std::uint8_t, 6>, an aggregate with ==
/// Laws       == is an equivalence; copies are equal
template <class Id>
concept identity = std::regular<Id>;

/// The id of a node that has none. Every two are equal: no deterministic algorithm can elect among
/// them (Angluin, STOC 1980).
struct anonymous {
    friend constexpr bool operator==(anonymous, anonymous) = default;
};

/// An id that says what its node stands with: a criterion, such as the length of its log, which may
/// be another in each election, and a name that stays. The better criterion wins; the name decides
/// between equals.
template <class Criterion, class Name>
struct ranked {
    Criterion criterion{};
    Name name{};

    friend constexpr bool operator==(const ranked&, const ranked&) = default;
    friend constexpr bool operator<(const ranked& a, const ranked& b) {
        if (a.criterion < b.criterion) return true;
        return !(b.criterion < a.criterion) && a.name < b.name;
    }
};
template <class Criterion, class Name>
ranked(Criterion, Name) -> ranked<Criterion, Name>;

template <class Id>
inline constexpr bool is_ranked = false;
template <class Criterion, class Name>
inline constexpr bool is_ranked<ranked<Criterion, Name>> = true;

/// What of an id never changes: all of it, or the name.
template <class Id>
constexpr const auto& name_in(const Id& id) {
    if constexpr (is_ranked<Id>) return id.name;
    else return id;
}

/// Can values of this type tell nodes apart? Specialise it for an id type that cannot.
template <class Id>
inline constexpr bool tells_nodes_apart = !std::is_empty_v<Id>;

template <class Id>
concept needs_distinct_ids__angluin__see_itai_rodeh = tells_nodes_apart<Id>;

template <class Id>
concept needs_an_id_type_that_is_regular = identity<Id>;

namespace detail {

// Functions, so that g++ names the reason before it tells how it came there.
template <class Id>
constexpr void needs_distinct_ids__angluin__see_itai_rodeh() {
    static_assert(tells_nodes_apart<Id>, "needs_distinct_ids__angluin__see_itai_rodeh");
}
template <class Id>
constexpr void needs_an_id_type_that_is_regular() {
    static_assert(identity<Id>, "needs_an_id_type_that_is_regular");
}
/// What every election by ids asserts of them.
template <class Id>
constexpr bool ids_can_elect() {
    needs_distinct_ids__angluin__see_itai_rodeh<Id>();
    needs_an_id_type_that_is_regular<Id>();
    return true;
}

}  // namespace detail

/// For algorithms that turn ids into times.
template <class Id>
concept needs_ids_that_are_whole_numbers = std::integral<Id> && !std::same_as<Id, bool>;

}  // namespace caucus
