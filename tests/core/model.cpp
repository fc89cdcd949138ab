// SPDX-License-Identifier: MIT
#include <caucus/core/model.hpp>

#include <doctest/doctest.h>

using caucus::guarantee;
using caucus::shape;

TEST_CASE("covers: a channel serves whoever needs no more than it gives") {
    for (unsigned given = 0; given < 8; ++given)
        for (unsigned needed = 0; needed < 8; ++needed) {
            bool all = true;
            for (unsigned bit = 1; bit < 8; bit *= 2)
                if ((needed & bit) != 0 && (given & bit) == 0) all = false;
            const auto links = [](unsigned bits) { return static_cast<caucus::guarantee>(bits); };
            CHECK(covers(links(given), links(needed)) == all);
        }
    CHECK(covers(caucus::perfect_links,
                 guarantee::reliable | guarantee::fifo | guarantee::no_duplicates));
}

TEST_CASE("may_serve: the whole table") {
    constexpr shape shapes[] = {shape::one_way_ring, shape::two_way_ring, shape::tree,
                                shape::complete, shape::graph};
    // Rows: what is given; columns: what is needed, in the order above.
    constexpr bool serves[5][5] = {{true, false, false, false, false},
                                   {false, true, false, false, true},
                                   {false, false, true, false, true},
                                   {false, false, false, true, true},
                                   {false, false, true, false, true}};
    for (int given = 0; given < 5; ++given)
        for (int needed = 0; needed < 5; ++needed) {
            CAPTURE(given);
            CAPTURE(needed);
            CHECK(caucus::may_serve(shapes[given], shapes[needed]) == serves[given][needed]);
        }
}

TEST_CASE("cost: both ends belong to the bound") {
    constexpr caucus::cost bound{3, 5};
    CHECK_FALSE(bound.contains(2));
    CHECK(bound.contains(3));
    CHECK(bound.contains(5));
    CHECK_FALSE(bound.contains(6));
}

TEST_CASE("harmonic: small values") {
    CHECK(caucus::harmonic(0) == 0.0);
    CHECK(caucus::harmonic(1) == 1.0);
    CHECK(caucus::harmonic(4) == doctest::Approx(25.0 / 12));
}
