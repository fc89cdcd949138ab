// SPDX-License-Identifier: MIT
#include <caucus/run/events_options.hpp>

#include "../laws/topology.hpp"

#include <doctest/doctest.h>

using namespace caucus;

namespace {

auto checked(const events_options& options, guarantee needed) {
    return laws::refusal([&] { options.check(needed); });
}

}  // namespace

TEST_CASE("events_options: links that are worse than the algorithm needs are refused") {
    const guarantee both = guarantee::reliable | guarantee::fifo;
    CHECK(checked({}, both) == "not refused");
    CHECK(checked({.fifo = false}, guarantee::reliable) == "not refused");
    CHECK(checked({.fifo = false}, both) ==
          "events: the algorithm needs fifo links; leave fifo on, or say outside_model");
    const fault_plan loses = fault_plan{}.links({.loss = 0.5});
    CHECK(checked({.faults = loses}, guarantee::fifo) == "not refused");
    CHECK(checked({.faults = loses}, both) ==
          "events: the plan loses messages and the algorithm needs reliable links; "
          "wrap it in reliable, or say outside_model");
    CHECK(checked({.fifo = false, .faults = loses, .outside_model = true}, both) == "not refused");
    CHECK(checked({.faults = fault_plan{}.cut(0, 1, 5)}, both) == "not refused");
}

TEST_CASE("events_options: a detector that makes no sense is refused, outside the model too") {
    CHECK(checked({.detector = eventual{1, 10, 1}, .outside_model = true}, guarantee::none) ==
          "eventual: wrong until 1; need 2 at least, and some time an end");
}
