// SPDX-License-Identifier: MIT
// What a report says is proven of runs in which entries are asked for, not elections started.
#include <caucus/exclusion/ricart_agrawala.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace caucus;

namespace {

constexpr auto make = [](node v) { return ricart_agrawala{static_cast<int>(v.index)}; };

}  // namespace

TEST_CASE("report.proven: of as many entries as were asked for, once nobody is inside or waits") {
    rounds sim{complete{4}, make};
    CHECK(sim.run().proven->most == 0);
    for (std::size_t entries = 1; entries <= 6; ++entries) {
        REQUIRE(sim.call(1, request::enter{}) == answer::accepted);
        CHECK(sim.call(1, request::enter{}) == answer::already_waiting);
        CHECK_FALSE(sim.run().proven.has_value());   // it is inside
        REQUIRE(sim.call(1, request::leave{}) == answer::accepted);
        const report r = sim.run();
        CHECK(r.size.initiators == entries);
        CHECK(r.proven->least == 6 * entries);
        CHECK(r.within_proven());
    }
}

TEST_CASE("report.proven: nothing, if somebody waits for the dead") {
    events net{complete{3}, make, {.seed = 1}};
    net.crash(2);
    REQUIRE(net.call(0, request::enter{}) == answer::accepted);
    CHECK_FALSE(net.run().proven.has_value());
    REQUIRE(net.call(0, request::cancel{}) == answer::accepted);
    CHECK(net.run().proven->least == 4);
}
