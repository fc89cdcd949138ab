// expect: takes_all_unsuspected_or_majority
// SPDX-License-Identifier: MIT
#include <caucus/multicast/views.hpp>

#include "parts.hpp"

#include <array>

using consent = std::conditional_t<CAUCUS_CONTROL, caucus::all_unsuspected, caucus::anyone>;
caucus::views<int, int, consent> process{0, std::array{1, 2}, std::array{0, 1}};
