// expect: takes_plain_answering_majority_or_carvalho_roucairol
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala.hpp>

#include "parts.hpp"

using model = std::conditional_t<CAUCUS_CONTROL, caucus::plain, caucus::anyone>;
caucus::ricart_agrawala process{1, model{}};
