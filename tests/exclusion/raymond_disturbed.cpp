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
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// Whoever lives has all it was to get, or somebody has said for whom it waits.
struct served_or_told {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].process().is_stalled()) return true;
        return all_served{}(g);
    }
};
/// One crash at any time, noticed at any time; perhaps a return with nothing, or only the state of
/// the beginning, which claims the token if it was there.
verdict crashed(std::size_t holder, std::uint8_t returns) {
    const path three{3};
    const auto make = [make = raymonds(three, holder)](node v) {
        return client{candid{make(v)}, sections{.entries = 1, .again = true}};
    };
    using process = decltype(make(node{0}));
    std::vector<property<process>> promised{always(at_most_one_inside),
                                            sometimes(someone_is_inside)};
    if (returns == 0) promised.push_back(finally(served_or_told{}));
    return explore(three, make, {.properties = promised,
                                 .faults = {.crashes = 1, .amnesias = returns},
                                 .detector = perfect{}, .fifo = false,
                                 .timers = timers::any_time});
}

}  // namespace

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

TEST_CASE("raymond: one crash at any time: never two inside, and who waits for the dead is named") {
    for (std::size_t holder = 0; holder < 3; ++holder) {
        check_verified(crashed(holder, 0));
        check_verified(crashed(holder, 1));
    }
}
