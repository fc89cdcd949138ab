// SPDX-License-Identifier: MIT
#pragma once

namespace caucus {

/// Every election's outcome: this node now knows the leader.
template <class Id>
struct elected {
    Id leader;
};

}  // namespace caucus
