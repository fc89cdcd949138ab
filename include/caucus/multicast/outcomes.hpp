// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>

#include <cstdint>
#include <tuple>
#include <variant>
#include <vector>

namespace caucus {

/// In which order messages are delivered: any; each sender's as sent; none before one that its
/// sender had delivered or sent earlier, which is fifo, too; at all members the same.
enum class ordering : std::uint8_t { any, fifo, causal, total };

/// A message of the group, for the application. Every process that casts messages reports it, its
/// own messages included.
template <class Id, class Payload>
struct delivered {
    Id from{};
    Payload payload;   // no {}: it need not have a default
};

/// So many messages of that sender are not delivered here, now or ever: nobody had them any more,
/// or nobody who has them could be reached.
template <class Id>
struct missed {
    Id from{};
    std::uint64_t count = 0;
};

/// One stay of a process in a group: rises when it comes back from a crash, and when it joins anew.
struct life {
    caucus::incarnation incarnation{};
    std::uint32_t stay = 0;   // how often it has joined since

    friend constexpr auto operator<=>(const life&, const life&) = default;
};

template <class Id>
struct member {
    Id id{};
    caucus::life life{};

    friend constexpr bool operator==(const member&, const member&) = default;
};

/// Who belongs to the group, from now on, the most senior first. All that have a view of that
/// number have the same members in it.
template <class Id>
struct view {
    std::uint64_t number = 0;
    std::vector<member<Id>> members{};

    static constexpr auto fields(auto& self) { return std::tie(self.number, self.members); }
};

struct departed {};   // it had asked to leave, and the others go on without it
struct expelled {};   // it had not: they took it for dead

namespace detail {

template <class Kind>
inline constexpr bool is_view = false;
template <class Id>
inline constexpr bool is_view<view<Id>> = true;
/// Of a group with views: is one of its outcomes a view?
template <class Outcome>
inline constexpr bool tells_views = false;
template <class... Kinds>
inline constexpr bool tells_views<std::variant<Kinds...>> = (... || is_view<Kinds>);

}  // namespace detail

}  // namespace caucus
