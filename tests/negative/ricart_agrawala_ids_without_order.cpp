// expect: needs_ids_with_an_order__they_break_ties
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala.hpp>

#include "parts.hpp"

struct unordered {
    int name = 0;
    friend constexpr bool operator==(unordered, unordered) = default;
};

caucus::ricart_agrawala process{std::conditional_t<CAUCUS_CONTROL, int, unordered>{}};
