// expect: a_policy_is_not_known_here_or_was_given_twice
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/bully.hpp>

#include <vector>

const std::vector peers{2, 3};
#ifdef CAUCUS_CONTROL
caucus::bully process{1, peers, caucus::least{}};
#else
caucus::bully process{1, peers, caucus::silent{}};
#endif

int main() {}
