// expect: needs_peers_that_fit__give_a_std_array
// SPDX-License-Identifier: MIT
#include <caucus/multicast/best_effort.hpp>

#include "parts.hpp"

#include <array>
#include <type_traits>
#include <vector>

using peers = std::conditional_t<CAUCUS_CONTROL, std::array<int, 2>, std::vector<int>>;
caucus::best_effort<int, int, caucus::inplace_storage<2>> process{0, peers{1, 2}};
