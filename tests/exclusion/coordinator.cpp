// SPDX-License-Identifier: MIT
#include <caucus/exclusion/coordinator.hpp>

#include <caucus/election/appointed.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/star.hpp>
#include <support/exclusion_suite.hpp>

#include <doctest/doctest.h>

using namespace caucus;

namespace {
template <class... Policies>
auto served_by(std::size_t leader, std::size_t n) {
    return [=](node v) {
        std::vector<int> ids;
        for (std::size_t i = 0; i < n; ++i) ids.push_back(static_cast<int>(10 * i));
        return coordinator{appointed{ids[v], peer_ids(complete{n}, v, ids), ids[leader]}, Policies{}...};
    };
}
}
TEST_CASE("x") {
    for (auto r : {std::uint8_t{1}, std::uint8_t{2}}) {
    const auto v = support::explored(complete{3}, served_by(0, 3), sections{.entries = r});
    support::check_verified(v);
    MESSAGE(v.states, " ", v.transitions);
    }
    rounds sim{complete{3}, served_by(0,3)};
    CHECK(support::answers_out_of_turn(sim, 1, support::until_quiet));
    CHECK(support::answers_out_of_turn(sim, 0, support::until_quiet));
    CHECK(support::cost_alone(sim,1)==3);
}
