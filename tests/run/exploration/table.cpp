// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/table.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace caucus;

TEST_CASE("table: equal values share an index, different ones do not, and values stay put") {
    exploration::table<std::vector<int>> lists;
    std::map<std::vector<int>, std::uint32_t> oracle;
    random_source dice{5};
    for (int i = 0; i < 3000; ++i) {
        std::vector<int> list(dice.below(4));
        for (int& x : list) x = static_cast<int>(dice.below(6));
        const std::uint32_t index = lists.index_of(list);
        const auto [known, fresh] = oracle.insert({list, index});
        CHECK(known->second == index);
        CHECK((!fresh || index + 1 == lists.size()));
        CHECK(lists[index] == list);
        CHECK(lists.hash_of(index) == caucus::hash(list));
    }
    CHECK(lists.size() == oracle.size());
}

TEST_CASE("memo: finds what was inserted for both words of its key, and nothing else") {
    exploration::memo<int> known;
    CHECK(known.find(1, 2) == nullptr);
    for (std::uint64_t a = 0; a < 40; ++a)
        for (std::uint64_t b = 0; b < 40; ++b) known.insert(a, b, static_cast<int>(100 * a + b));
    CHECK(known.size() == 1600);
    for (std::uint64_t a = 0; a < 41; ++a) {
        for (std::uint64_t b = 0; b < 41; ++b) {
            const int* found = known.find(a, b);
            REQUIRE((found != nullptr) == (a < 40 && b < 40));
            if (found != nullptr) CHECK(*found == static_cast<int>(100 * a + b));
        }
    }
}
