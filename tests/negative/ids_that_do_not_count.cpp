// expect: needs_ids_that_are_whole_numbers
// SPDX-License-Identifier: MIT
#include <caucus/election/ring/time_slice.hpp>

#if CAUCUS_CONTROL
caucus::time_slice process{7, 4};
#else
caucus::time_slice process{7.5, 4};
#endif
