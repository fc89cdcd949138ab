// expect: needs_an_election_with_epochs__wrap_it_in_supervised_or_stamped
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/bully.hpp>
#include <caucus/exclusion/coordinator.hpp>
#include <caucus/layer/supervised.hpp>

#include <vector>

#if CAUCUS_CONTROL
caucus::coordinator process{caucus::supervised{caucus::bully{1, std::vector{2, 3}}}};
#else
caucus::coordinator process{caucus::bully{1, std::vector{2, 3}}};
#endif
