// SPDX-License-Identifier: MIT
#include <caucus/topology/pair_set.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>

using namespace caucus;

TEST_CASE("pair_set: what std::set says, filled to its capacity, in either order of a pair") {
    for (const std::size_t capacity : {std::size_t{1}, std::size_t{3}, std::size_t{100}}) {
        detail::pair_set pairs{capacity};
        std::set<std::pair<std::size_t, std::size_t>> oracle;
        random_source dice{capacity};
        while (oracle.size() < capacity) {
            const std::size_t a = dice.below(16);
            const std::size_t b = dice.below(16);
            if (a == b) continue;
            const std::pair key{std::min(a, b), std::max(a, b)};
            CHECK(pairs.contains(a, b) == oracle.contains(key));
            CHECK(pairs.insert(a, b) == oracle.insert(key).second);
            CHECK(pairs.contains(b, a));
        }
        for (std::size_t a = 0; a < 16; ++a)
            for (std::size_t b = a + 1; b < 16; ++b)
                CHECK(pairs.contains(b, a) == oracle.contains({a, b}));
    }
}
