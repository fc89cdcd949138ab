// SPDX-License-Identifier: MIT
// The rows of tests/fault_matrix.md for elections on rings, cell by cell.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/election/ring/itai_rodeh.hpp>
#include <caucus/election/ring/le_lann.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/election/ring/peterson_alternating.hpp>
#include <caucus/election/ring/renewed.hpp>
#include <caucus/election/ring/replacing.hpp>
#include <caucus/election/ring/roll_call.hpp>
#include <caucus/election/ring/time_slice.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/election/ring/variable_speeds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <support/fault_matrix.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using namespace caucus;

namespace {

constexpr support::regime the_best{.known_to_lead = support::rule::greatest_leads};
/// On a broken ring it never gives up.
constexpr support::regime few_and_the_best{.runs = 300,
                                           .known_to_lead = support::rule::greatest_leads};
constexpr support::regime the_least{.known_to_lead = support::rule::least_leads};

constexpr auto one_way = [](std::size_t n, std::uint64_t) { return ring{n}; };
constexpr auto both_ways = [](std::size_t n, std::uint64_t) { return two_way_ring{n}; };

template <template <class...> class Election>
constexpr auto by_id = [](std::size_t, int id, const auto&) { return Election<int>{id}; };

}  // namespace

TEST_CASE("fault matrix: elections on one-way rings") {
    support::check_row("le_lann", the_best, one_way, by_id<le_lann>);
    support::check_row("chang_roberts", the_best, one_way, by_id<chang_roberts>);
    support::check_row("replacing", the_best, one_way, by_id<replacing>);
    support::check_row("renewed", the_best, one_way, by_id<renewed>);
    support::check_row("renewed, overdue", few_and_the_best, one_way,
                       [](std::size_t, int id, const auto&) {
                           return renewed{id, overdue{100}};
                       });
    support::check_row("peterson", the_best, one_way, by_id<peterson>);
    support::check_row("peterson_alternating", the_best, one_way, by_id<peterson_alternating>);
    support::check_row("time_slice", the_least, one_way, [](std::size_t n, int id, const auto&) {
        return time_slice{static_cast<unsigned>(id), n, {.delay_max = 20}};
    });
    support::check_row("variable_speeds", the_least, one_way,
                       [](std::size_t, int id, const auto&) {
                           return variable_speeds{static_cast<unsigned>(id)};
                       });
    support::check_row("itai_rodeh", {}, one_way,
                       [](std::size_t n, int, const auto&) { return itai_rodeh{n}; });
}

TEST_CASE("fault matrix: elections on two-way rings, and on a ring in a complete network") {
    support::check_row("two_way", the_best, both_ways, by_id<two_way>);
    support::check_row("franklin", the_best, both_ways, by_id<franklin>);
    support::check_row("hirschberg_sinclair", the_best, both_ways, by_id<hirschberg_sinclair>);
    support::check_row("roll_call", the_best,
                       [](std::size_t n, std::uint64_t) { return complete{n}; }, by_id<roll_call>);
}
