// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/storage.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

namespace caucus {

/// Every election's outcome: this node now knows the leader.
template <class Id>
struct elected {
    Id leader;
};

/// An outcome: nothing goes on until the neighbour behind that port, or a majority, is back.
struct stalled {
    std::optional<port> waiting_for{};
};

/// An outcome: the neighbour behind that port, or this very node if there is none, came back from a
/// crash under the incarnation that it had before. What it says is taken for repetitions, and what
/// it does not say for lost: it must come back once more, with a higher number.
struct reused_life {
    std::optional<port> whose{};
};

/// Outcomes of exclusion: this node is inside the critical section, as of now, and no longer. The
/// fence is what a resource tells entries apart by; a later entry has a higher one.
template <class Fence = nothing>
struct entered {
    Fence fence{};
};
entered() -> entered<>;
template <class Fence>
entered(Fence) -> entered<Fence>;
struct left {};
/// Taken from it, and not left by it: it was thought dead, and others may be inside by now.
struct revoked {};

/// What an outcome says of its node: is it inside a critical section from now on?
enum class presence : std::uint8_t { unchanged, inside, outside };

/// To be specialised for an outcome of your own that begins or ends a critical section.
template <class Outcome>
inline constexpr presence presence_after = presence::unchanged;
template <class Fence>
inline constexpr presence presence_after<entered<Fence>> = presence::inside;
template <>
inline constexpr presence presence_after<left> = presence::outside;
template <>
inline constexpr presence presence_after<revoked> = presence::outside;

/// A wave's outcome, at its initiator: every node took part, and this is their values' fold.
template <class Value>
struct completed {
    Value value;
};

/// The outcome, or `overflow` where the storage is bounded.
template <class Outcome, class Storage>
using outcome_within =
    std::conditional_t<Storage::bounded, std::variant<Outcome, overflow>, Outcome>;

/// Has this node more ports than its storage holds? Then it says so, and must stay out.
template <class Storage, class Outcome>
constexpr bool overflows(auto& env) {
    if constexpr (Storage::bounded) {
        if (!Storage::holds(env.degree())) {
            env.report(Outcome{overflow{env.degree()}});
            return true;
        }
    }
    return false;
}

}  // namespace caucus
