// SPDX-License-Identifier: MIT
#include <caucus/topology/peers.hpp>

#include <caucus/topology/complete.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>

#include <array>

using namespace caucus;

static_assert(peer_ids(complete{4}, node{2}, std::array{9, 8, 7, 6}) == std::vector{6, 9, 8});

TEST_CASE("peer_ids: in order of the ports, whoever is behind them") {
    const std::vector<int> ids{5, 6, 7};
    CHECK(peer_ids(star{3}, node{0}, ids) == std::vector{6, 7});
    CHECK(peer_ids(star{3}, node{2}, ids) == std::vector{5});
    CHECK(peer_ids(complete{1}, node{0}, ids).empty());
}
