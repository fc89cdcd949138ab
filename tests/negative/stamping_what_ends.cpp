// expect: needs_an_election_that_never_ends__wrap_it_in_supervised
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/bully.hpp>
#include <caucus/layer/stamped.hpp>
#include <caucus/layer/supervised.hpp>

#include <vector>

#if CAUCUS_CONTROL
caucus::supervised around{caucus::bully{1, std::vector{2, 3}}};
#else
caucus::stamped around{caucus::bully{1, std::vector{2, 3}}};
#endif
