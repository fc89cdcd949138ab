// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/detector/heartbeat.hpp>
#include <caucus/detector/phi_accrual.hpp>
#include <caucus/election/graph/extinction.hpp>

#if CAUCUS_CONTROL
caucus::heartbeat process{caucus::extinction{7}, {}, caucus::phi_accrual<>{}};
#else
caucus::heartbeat process{caucus::extinction{7}, {}, caucus::phi_accrual<>{},
                          caucus::fixed_timeout{}};
#endif
