// SPDX-License-Identifier: MIT
#pragma once

#include <compare>

namespace caucus {

/// Of this library: as long as the first number is 0, the second one rises when names change.
struct version_number {
    unsigned major_part = 0;
    unsigned minor_part = 0;
    unsigned patch_part = 0;

    friend constexpr auto operator<=>(const version_number&, const version_number&) = default;
};
inline constexpr version_number version{0, 2, 0};

}  // namespace caucus
