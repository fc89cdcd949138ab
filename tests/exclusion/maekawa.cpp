// SPDX-License-Identifier: MIT
#include <caucus/exclusion/maekawa.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <support/exclusion_suite.hpp>

#include <doctest/doctest.h>

using namespace caucus;
using namespace support;

namespace {
constexpr auto all_of = [](std::size_t n) {
    return [=](node v) {
        std::vector<port> q;
        for (const port p : ports(n - 1)) q.push_back(p);
        return maekawa{static_cast<int>(v.index), q};
    };
};
constexpr auto triples = [](node v) {
    return maekawa{static_cast<int>(v.index), std::vector{port{0}, port{2}}};
};
}
TEST_CASE("x") {
  for (const std::uint8_t r : {std::uint8_t{1}, std::uint8_t{2}}) {
    verdict v = explored(complete{2}, all_of(2), sections{.entries = r});
    check_verified(v);
    MESSAGE(v.states, " ", v.transitions);
  }
    verdict v = explored(complete{3}, all_of(3), sections{.entries = 1}, {.max_states = 3000000});
    check_verified(v);
    MESSAGE(v.states, " ", v.transitions);
}
TEST_CASE("y") {
    check_runs(complete{7}, triples, 5, 300, true, true);
    const auto c = saturated(complete{7}, triples, 20);
    MESSAGE(c.per_entry());
    events net{complete{7}, triples};
    MESSAGE(cost_alone(net, 3));
}
