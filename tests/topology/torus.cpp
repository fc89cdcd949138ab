// SPDX-License-Identifier: MIT
#include <caucus/topology/torus.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;
using laws::refusal;

static_assert(topology<torus>);
static_assert(sizeof(torus) == 8);
static_assert(torus::kind == shape::graph && !torus::one_inlet);
static_assert(torus{3, 4}.across(node{3}, torus::east) == far_end{node{0}, torus::west});

TEST_CASE("torus: the laws hold, sides of 3 to 7") {
    for (std::size_t rows = 3; rows <= 7; ++rows)
        for (std::size_t columns = 3; columns <= 7; ++columns) {
            CAPTURE(rows);
            CAPTURE(columns);
            laws::topology_laws(torus{rows, columns});
            laws::simple_law(torus{rows, columns});
            CHECK(torus{rows, columns}.links() == 2 * rows * columns);
        }
}

TEST_CASE("torus: east and west stay in the row, south and north in the column") {
    const torus t{3, 5};
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 5; ++c) {
            const node v{5 * r + c};
            CHECK(t.across(v, torus::east) == far_end{node{5 * r + (c + 1) % 5}, torus::west});
            CHECK(t.across(v, torus::west) == far_end{node{5 * r + (c + 4) % 5}, torus::east});
            CHECK(t.across(v, torus::south) == far_end{node{5 * ((r + 1) % 3) + c}, torus::north});
            CHECK(t.across(v, torus::north) == far_end{node{5 * ((r + 2) % 3) + c}, torus::south});
        }
}

TEST_CASE("torus: closes at the greatest size") {
    const torus t{65535, 65537};
    CHECK(t.nodes() == 0xffff'ffff);
    const node last{0xffff'fffe};
    CHECK(t.across(last, torus::south) == far_end{node{65536}, torus::north});
    CHECK(t.across(last, torus::east) == far_end{node{0xffff'ffff - 65537ul}, torus::west});
}

TEST_CASE("torus: refuses sides and ports out of range") {
    CHECK(refusal([] { torus{2, 3}; }) == "torus: 2 rows are fewer than 3");
    CHECK(refusal([] { torus{3, 2}; }) == "torus: 2 columns are fewer than 3");
    CHECK(refusal([] { torus{0, 0}; }) == "torus: 0 rows are fewer than 3");
    CHECK(refusal([] { torus{65536, 65536}; }) ==
          "torus: 65536 rows of 65536 nodes are more than 2^32-1 nodes");
    CHECK(refusal([] { torus{0x1'0000'0003, 3}; }) ==
          "torus: 4294967299 rows of 3 nodes are more than 2^32-1 nodes");
    CHECK(refusal([] { torus{3, 0x1'0000'0003}; }) ==
          "torus: 3 rows of 4294967299 nodes are more than 2^32-1 nodes");
    CHECK(refusal([] { checked_across(torus{3, 3}, node{0}, port{4}); }) ==
          "topology: node 0 cannot send on port 4, only on 4 ports from 0");
}
