// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/storage.hpp>

#include <type_traits>
#include <variant>

namespace caucus {

/// Every election's outcome: this node now knows the leader.
template <class Id>
struct elected {
    Id leader;
};

/// A wave's outcome, at its initiator: every node took part, and this is their values' fold.
template <class Value>
struct completed {
    Value value;
};

/// The outcome, or `overflow` where the storage is bounded.
template <class Outcome, class Storage>
using outcome_within =
    std::conditional_t<Storage::bounded, std::variant<Outcome, overflow>, Outcome>;

}  // namespace caucus
