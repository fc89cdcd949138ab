// expect: needs_an_election_that_ends__wrap_it_in_stamped
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/invitation.hpp>
#include <caucus/layer/stamped.hpp>
#include <caucus/layer/supervised.hpp>

#include <vector>

#if CAUCUS_CONTROL
caucus::stamped around{caucus::invitation{1, std::vector{2, 3}}};
#else
caucus::supervised around{caucus::invitation{1, std::vector{2, 3}}};
#endif
