// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala.hpp>

#include "parts.hpp"

#if CAUCUS_CONTROL
caucus::ricart_agrawala process{1, caucus::majority{}};
#else
caucus::ricart_agrawala process{1, caucus::majority{}, caucus::answering{}};
#endif
