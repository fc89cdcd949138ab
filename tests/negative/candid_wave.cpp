// expect: needs_an_election_with_leader__or_a_process_with_awaits
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/extinction.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/wave/echo.hpp>

#if CAUCUS_CONTROL
const caucus::candid audible{caucus::extinction{1}};
#else
const caucus::candid audible{caucus::echo{1}};
#endif
