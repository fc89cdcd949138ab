// SPDX-License-Identifier: MIT
#include <caucus/exclusion/raymond.hpp>

#include <caucus/layer/candid.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/load.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/raymonds.hpp>

#include <cstddef>
#include <cstdint>

using namespace caucus;
using namespace support;

TEST_CASE("raymond: cancelled at any time, a path of 3, any order: all who still want it enter") {
    for (std::size_t holder = 0; holder < 2; ++holder) {
        const verdict v =
            explored(path{3}, raymonds(path{3}, holder), fickle(), {.fifo = false});
        check_verified(v);
        const cost proven =
            raymond<>::messages({.nodes = 3, .initiators = 6, .diameter = 2});
        CHECK(proven.contains(v.messages.most));
    }
}
TEST_CASE("raymond: cancelled at any time, and one message comes twice") {
    explore_options<client<raymond<>, decltype(fickle())>> how{.faults = {.duplicates = 1},
                                                               .fifo = false};
    check_verified(explored(path{2}, raymonds(path{2}, 0), fickle(), how));
}
