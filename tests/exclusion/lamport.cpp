// SPDX-License-Identifier: MIT
#include <caucus/exclusion/lamport.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <support/exclusion_suite.hpp>
#include <support/textbook_lamport.hpp>

#include <doctest/doctest.h>

using namespace caucus;
using namespace support;

namespace {
constexpr auto locks = [](node v) { return lamport{static_cast<int>(v.index)}; };
constexpr auto textbook = [](node v) { return textbook_lamport<3>{static_cast<std::uint8_t>(v.index)}; };
}
TEST_CASE("x") {
  for (const std::uint8_t r : {std::uint8_t{1}, std::uint8_t{2}}) {
    verdict v = explored(complete{2}, textbook, sections{.entries = r}, {.reduce = reduction::none});
    MESSAGE(v.states, " ", v.transitions);
    v = explored(complete{2}, locks, sections{.entries = r});
    check_verified(v);
    MESSAGE(v.states, " ", v.transitions);
  }
}
TEST_CASE("any order") {
    const auto broken = [](std::size_t n) {
        return explore(complete{n}, clients(textbook), {.properties={always(at_most_one_inside)}, .reduce = reduction::none, .fifo = false,  .timers=timers::any_time, .outside_model = true});
    };
    const verdict a = broken(2);
    MESSAGE(a.counterexample.text());
    MESSAGE(broken(3).counterexample.size());
}
TEST_CASE("x3") {
    verdict v = explored(complete{3}, textbook, sections{.entries = 1}, {.reduce = reduction::none});
    MESSAGE(v.states, " ", v.transitions);
}
TEST_CASE("y3") {
    verdict v = explored(complete{3}, locks, sections{.entries = 1}, {.reduce = reduction::none});
    MESSAGE(v.states, " ", v.transitions);
}
TEST_CASE("runs") {
    check_runs(complete{5}, locks, 5, 300, true, true);
}
