// SPDX-License-Identifier: MIT
#include <caucus/exclusion/coordinator.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/star.hpp>
#include <support/central_lock.hpp>
#include <support/exclusion_suite.hpp>
#include <support/witness.hpp>

#include <doctest/doctest.h>

using namespace caucus;
namespace {
template <bool N>
auto central(std::uint8_t asks) {
    return [=](node v) {
        support::central_lock<N> lock;
        return client{lock, {.entries = v.index == 0 ? std::uint8_t{0} : asks, .thinking=1}};
    };
}
template<bool N> void show(std::uint8_t r) {
 auto m = central<N>(r);
 const auto v = explore(star{3}, m, {.reduce = reduction::none, .timers = timers::any_time});
 MESSAGE(N, " ", int(r), ": ", v.states, " / ", v.transitions);
}
}
TEST_CASE("counts") { show<false>(1); show<true>(1); show<false>(2); show<true>(2); }
