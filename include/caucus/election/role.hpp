// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace caucus {

/// What a node knows of its own part in an election: it decides once, and for good.
enum class election_role : std::uint8_t { undecided, follower, leader };

/// Leader or follower? Some know that they follow before they hear whom: they have seen a better
/// id, or have dropped out, and say so by `is_follower()`. Of the others one knows by `leader()`:
/// who remembers no better id, and is told of none (silent), stays undecided when it has lost.
template <class Election>
constexpr election_role role_of(const Election& p) {
    if (p.is_leader()) return election_role::leader;
    bool follows = p.leader().has_value();
    if constexpr (requires { p.is_follower(); }) follows = p.is_follower();
    return follows ? election_role::follower : election_role::undecided;
}

}  // namespace caucus
