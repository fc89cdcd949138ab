// expect: takes_block_drop_oldest_or_expel
// SPDX-License-Identifier: MIT
#include <caucus/multicast/acked.hpp>

#include "parts.hpp"

#include <array>

struct drop_newest { using decides = caucus::full_buffer; };

using what = std::conditional_t<CAUCUS_CONTROL, caucus::drop_oldest, drop_newest>;
caucus::acked<int, int, what> process{0, std::array{1, 2}};
