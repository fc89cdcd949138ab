// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala/replies.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

using namespace caucus;

TEST_CASE("owed_replies: one to each neighbour, to its latest wish, and all are paid at once") {
    caucus::detail::owed_replies<heap_storage> owed;
    CHECK_FALSE(owed.contains(port{0}));
    owed.note(port{2}, 4, 3);
    owed.note(port{0}, 7, 3);
    owed.note(port{2}, 6, 3);
    owed.note(port{2}, 5, 3);   // overtaken
    CHECK(owed.contains(port{2}));
    CHECK_FALSE(owed.contains(port{1}));
    CHECK_FALSE(owed.contains(port{3}));
    std::vector<std::pair<std::size_t, std::uint64_t>> paid;
    owed.pay([&](port p, std::uint64_t wish) { paid.emplace_back(p.index(), wish); });
    CHECK(paid == std::vector<std::pair<std::size_t, std::uint64_t>>{{0, 7}, {2, 6}});
    CHECK_FALSE(owed.contains(port{2}));
    CHECK(same(owed, caucus::detail::owed_replies<heap_storage>{}));   // as if nobody had asked
    owed.pay([&](port, std::uint64_t) { paid.clear(); });
    CHECK(paid.size() == 2);
}
