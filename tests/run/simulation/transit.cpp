// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/transit.hpp>

#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace caucus;
using namespace caucus::simulation;

namespace {

const complete pair{2};
const std::vector<arc_ends> no_sources;
const arc_view_of<complete> arcs{pair, no_sources};

hop at(ticks sent, std::size_t arc = 0) { return {node{arc}, port{0}, node{1 - arc}, sent, arc}; }

}  // namespace

TEST_CASE("transit: on a fifo link nothing overtakes, and other links do not wait; else it may") {
    transit fifo{by_hand{[](const hop& h, random_source&) { return 100 - h.sent; }}, true, 2, 2};
    transit any{by_hand{[](const hop& h, random_source&) { return 90 - h.sent; }}, false, 2, 2};
    lots chance{1};
    CHECK(fifo.arrival(at(10), chance) == 100);
    CHECK(fifo.arrival(at(20, 1), chance) == 100);
    transit slow_first{by_hand{[](const hop& h, random_source&) { return h.sent == 1 ? 50u : 2u; }},
                       true, 2, 2};
    CHECK(slow_first.arrival(at(1), chance) == 51);
    CHECK(slow_first.arrival(at(5), chance) == 51);
    CHECK(slow_first.arrival(at(5, 1), chance) == 7);
    CHECK(slow_first.arrival(at(60), chance) == 62);
    transit any_order{by_hand{[](const hop& h, random_source&) { return h.sent == 1 ? 50u : 2u; }},
                      false, 2, 2};
    CHECK(any_order.arrival(at(1), chance) == 51);
    CHECK(any_order.arrival(at(5), chance) == 7);
    CHECK(any.arrival(at(0), chance) == 90);
}

TEST_CASE("transit: what makes no sense as a delay is refused at once") {
    CHECK_THROWS_AS((transit{uniform{0, 1}, true, 2, 2}), error);
    CHECK_THROWS_AS((transit{per_link{{1}}, true, 2, 2}), error);
}

TEST_CASE("transit: over bad links a message is lost, doubled or late, and its delay replaced") {
    fault_schedule plan;
    plan.plan(fault_plan{}.links({.loss = 1})
                  .link(1, 0, {.duplication = 1, .delay = uniform{7, 7}}), arcs);
    disturbances links{arcs, 1};
    std::vector<happening> due;
    plan.take(0, due);
    for (const happening& f : due) CHECK_FALSE(plan.pass(f, links, arcs));
    transit way{unit{}, true, 2, 2};
    lots chance{1};
    CHECK(way.over(links, plan, at(3), chance).copies == 0);
    const transit::fate twice = way.over(links, plan, at(3, 1), chance);
    CHECK(twice.copies == 2);
    CHECK(twice.at[0] == 10);
    CHECK(twice.at[1] == 10);
    links.heal();
    CHECK(way.over(links, plan, at(4, 1), chance).at[0] == 10);   // behind those
    CHECK(way.over(links, plan, at(4), chance).at[0] == 5);
    links.cut(arcs, 0, 1, true);
    CHECK(way.over(links, plan, at(4), chance).copies == 0);
}
