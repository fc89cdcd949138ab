// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>

namespace caucus::detail {

/// Without the element at that place; the others keep their order.
constexpr void drop_at(auto& sequence, std::size_t place) {
    for (std::size_t i = place + 1; i < sequence.size(); ++i)
        sequence[i - 1] = std::move(sequence[i]);
    sequence.pop_back();
}
constexpr void drop_first(auto& sequence) { drop_at(sequence, 0); }

}  // namespace caucus::detail
