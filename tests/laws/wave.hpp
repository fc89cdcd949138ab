// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>

#include <variant>

// The laws of waves that one node starts and that come home to it, with 1 at every node, summed.

namespace laws {

/// A circle of five, with a chord.
inline caucus::graph chorded_circle() {
    return {5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 3}}};
}
/// What node 2 finds out there.
inline auto folded_from_2(const auto& make) {
    caucus::events net{chorded_circle(), make, {.seed = 3}};
    net.start(2);
    net.run();
    return net[2].value();
}

/// Start twice is one start, and a node that was reached no longer starts: on a path of three.
inline void starts_once(const auto& make) {
    caucus::rounds sim{caucus::path{3}, make};
    const caucus::report r = support::report_of_late_starts(sim);
    CHECK(r.size.initiators == 1);
    CHECK(r.messages == 4);
    CHECK(sim.outcomes().size() == 1);
    sim.start(0);
    CHECK(sim.run().messages == 4);
}

/// Two initiators on a path of two both complete, with half each.
inline void two_waves_mix(const auto& make) {
    caucus::rounds sim{caucus::path{2}, make};
    sim.start_all();
    sim.run();
    CHECK(sim[0].has_completed());
    CHECK(sim[1].has_completed());
    CHECK(sim[0].value() == 1);
}

/// On a path of four whose end has crashed, nobody is told anything.
inline void a_crash_is_silent(const auto& make) {
    caucus::events net{caucus::path{4}, make, {.delay = caucus::unit{}}};
    net.crash(3);
    net.start(0);
    CHECK(net.run().stopped == caucus::stop::quiescent);
    CHECK(net.outcomes().empty());
}

/// With room for three ports, the centre of a star of five says so and stays out.
inline void overflow_is_said(const auto& make) {
    caucus::rounds sim{caucus::star{5}, make};
    sim.start(1);
    CHECK(sim.run().messages == 1);
    REQUIRE(sim.outcomes().size() == 1);
    CHECK(sim.outcomes()[0].node.index == 0);
    CHECK(std::get<caucus::overflow>(sim.outcomes()[0].outcome).needed == 4);
    sim.start(0);
    CHECK(sim.outcomes().size() == 2);
    CHECK(sim.run().messages == 1);

    caucus::rounds fits{caucus::star{4}, make};
    fits.start(1);
    fits.run();
    CHECK(fits[1].value() == 4);
}

}  // namespace laws
