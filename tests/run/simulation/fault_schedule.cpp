// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/fault_schedule.hpp>

#include "../../laws/topology.hpp"

#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace caucus;
using namespace caucus::simulation;
using kind = fault_plan::kind;

namespace {

const complete triangle{3};
const std::vector<arc_ends> no_sources;
const arc_view_of<complete> arcs{triangle, no_sources};

/// Lets everything that is due happen to the links; may what was held up go on?
bool pass_all(fault_schedule& plan, ticks now, disturbances& links) {
    std::vector<happening> due;
    plan.take(now, due);
    bool any = false;
    for (const happening& f : due) any = plan.pass(f, links, arcs) || any;
    return any;
}

}  // namespace

TEST_CASE("fault_schedule: intervals overlap, and the last end of a clog lets things go on") {
    fault_schedule plan;
    plan.plan(fault_plan{}.clog(0, 1, 10, 50).clog(0, 1, 20, 90).cut(1, 2, 30, 40), arcs);
    disturbances links{arcs, 1};
    const std::size_t arc = arcs.between(0, 1)[0];
    const std::size_t other = arcs.between(1, 2)[0];
    CHECK(plan.next() == 10);
    CHECK_FALSE(pass_all(plan, 30, links));
    CHECK(links.clogged(arc));
    CHECK(links.severed(other, 1, 2));
    CHECK_FALSE(pass_all(plan, 50, links));
    CHECK(links.clogged(arc));
    CHECK_FALSE(links.severed(other, 1, 2));
    CHECK(pass_all(plan, 90, links));
    CHECK_FALSE(links.clogged(arc));
    CHECK(plan.next() == never);
}

TEST_CASE("fault_schedule: a partition severs what leads across, until it is united") {
    fault_schedule plan;
    plan.plan(fault_plan{}.partition({0}, 5, 9), arcs);
    disturbances links{arcs, 1};
    static_cast<void>(pass_all(plan, 5, links));
    CHECK(links.severed(0, 0, 1));
    CHECK_FALSE(links.severed(0, 1, 2));
    static_cast<void>(pass_all(plan, 9, links));
    CHECK_FALSE(links.severed(0, 0, 1));
}

TEST_CASE("fault_schedule: chance holds while its interval lasts; one link's own goes first") {
    fault_schedule plan;
    plan.plan(fault_plan{}.links({.loss = 0.5}, 1, 30).links({.loss = 0.25}, 10, 20)
                  .link(0, 1, {.duplication = 1}, 5, 15), arcs);
    disturbances links{arcs, 1};
    const std::size_t own = arcs.between(0, 1)[0];
    const std::size_t other = arcs.between(1, 2)[0];
    CHECK(plan.chance_on(own, links) == nullptr);
    static_cast<void>(pass_all(plan, 10, links));
    CHECK(plan.chance_on(own, links)->duplication == 1);
    CHECK(plan.chance_on(other, links)->loss == 0.25);
    const fault_schedule copy = plan;   // its plan is its own
    CHECK(copy.chance_on(own, links)->duplication == 1);
    static_cast<void>(pass_all(plan, 20, links));
    CHECK(plan.chance_on(own, links)->loss == 0.5);
    CHECK(plan.chance_on(other, links)->loss == 0.5);
    static_cast<void>(pass_all(plan, 30, links));
    CHECK(plan.chance_on(other, links) == nullptr);
}

TEST_CASE("fault_schedule: who is struck returns within the downtime, with or without memory") {
    for (const bool amnesia : {false, true}) {
        fault_schedule plan;
        plan.plan(fault_plan{}.crashes({.probability = 1, .downtime_max = 4, .amnesia = amnesia}),
                  arcs);
        disturbances links{arcs, 1};
        CHECK_FALSE(plan.strikes(node{2}, 0, links));
        static_cast<void>(pass_all(plan, 0, links));
        CHECK(plan.strikes(node{2}, 100, links));
        std::vector<happening> due;
        CHECK(plan.next() > 100);
        plan.take(104, due);
        REQUIRE(due.size() == 1);
        CHECK(due[0].node == 2);
        CHECK(due[0].what == (amnesia ? kind::amnesia : kind::restart));
    }
}

TEST_CASE("fault_schedule: what makes no sense is refused when it is planned") {
    const path line{3};
    const arc_view_of<path> along{line, no_sources};
    const auto planned = [&](const fault_plan& p) {
        return laws::refusal([&] { fault_schedule{}.plan(p, along); });
    };
    CHECK(planned(fault_plan{}.cut(0, 2, 9)) == "faults: there is no link from node 0 to node 2");
    CHECK(planned(fault_plan{}.crash(3, 9)) == "simulation: there is no node 3 among 3");
    CHECK(planned(fault_plan{}.links({.delay = uniform{0, 1}}, 9)) ==
          "uniform: delays from 0 to 1; need 1 <= least <= most");
    CHECK(planned(fault_plan{}.cut(0, 1, 9)) == "not refused");
}
