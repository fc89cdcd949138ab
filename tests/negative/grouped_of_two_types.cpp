// expect: needs_instances_of_one_type
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/le_lann.hpp>
#include <caucus/layer/grouped.hpp>

#if CAUCUS_CONTROL
caucus::grouped process{caucus::chang_roberts{7}, caucus::chang_roberts{8}};
#else
caucus::grouped process{caucus::chang_roberts{7}, caucus::le_lann{8}};
#endif
