// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/multicast/srm.hpp>

#include "parts.hpp"

using quiet = std::conditional_t<CAUCUS_CONTROL, caucus::sessions_after_news, caucus::silent>;
caucus::srm<int, int, quiet> process{1};
