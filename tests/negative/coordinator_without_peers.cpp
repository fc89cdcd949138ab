// expect: needs_an_election_that_knows_its_peers__such_as_bully_or_appointed
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/exclusion/coordinator.hpp>
#include <caucus/layer/supervised.hpp>

#include <vector>

#if CAUCUS_CONTROL
caucus::coordinator process{caucus::supervised{caucus::bully{1, std::vector{2, 3}}}};
#else
caucus::coordinator process{caucus::supervised{caucus::extinction{1}}};
#endif
