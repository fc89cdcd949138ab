// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/random.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace caucus {

/// The ids 1 … n in random order, every order equally likely: what costs on average are meant for.
template <class Id = int>
constexpr std::vector<Id> random_ids(std::size_t n, std::uint64_t seed) {
    if (n > static_cast<std::uint64_t>(std::numeric_limits<Id>::max()))
        refuse("random_ids: ", n, " ids, and the type has fewer");
    std::vector<Id> ids;
    ids.reserve(n);
    for (std::size_t i = 1; i <= n; ++i) ids.push_back(static_cast<Id>(i));
    random_source{mix(seed, n)}.shuffle(ids);
    return ids;
}

}  // namespace caucus
