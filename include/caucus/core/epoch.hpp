// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/input.hpp>

#include <cstdint>

namespace caucus {

/// Which election, who won it, and in which of its lives. Nobody else can stamp it, so no
/// two nodes lead in one epoch; later ones are greater, and what guards a resource lets nothing
/// smaller pass than the greatest it has seen.
template <class Id>
struct epoch {
    std::uint64_t number = 0;
    Id leader{};
    caucus::incarnation incarnation{};

    /// By number, then by leader and life: any fixed order would do for those.
    friend constexpr bool operator<(const epoch& a, const epoch& b) {
        if (a.number != b.number) return a.number < b.number;
        if (const int order = caucus::compare(a.leader, b.leader); order != 0) return order < 0;
        return a.incarnation < b.incarnation;
    }
    friend constexpr bool operator==(const epoch& a, const epoch& b) {
        return a.number == b.number && a.leader == b.leader && a.incarnation == b.incarnation;
    }
};

/// An outcome of supervised elections: this node now follows (or is) the leader of that epoch.
template <class Id>
struct installed {
    caucus::epoch<Id> epoch;
};
/// An outcome: this node led in that epoch and no longer does.
template <class Id>
struct deposed {
    caucus::epoch<Id> epoch;
};
}  // namespace caucus
