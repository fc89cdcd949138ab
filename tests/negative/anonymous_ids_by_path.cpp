// expect: needs_distinct_ids__angluin__see_itai_rodeh
// SPDX-License-Identifier: MIT
#include <caucus/wave/traversal.hpp>

#include <vector>

#if CAUCUS_CONTROL
const std::vector<int> peers{2, 3};
caucus::traversal process{1, caucus::by_path{1, peers}};
#else
const std::vector<caucus::anonymous> peers(2);
caucus::traversal process{1, caucus::by_path{caucus::anonymous{}, peers}};
#endif
