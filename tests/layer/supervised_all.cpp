// SPDX-License-Identifier: MIT
// supervised over every election whose model allows it: elects without faults, and the last column
// of tests/fault_matrix.md. On rings over repaired_ring; where links must be good, over reliable.
#include <caucus/layer/supervised.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/election/ring/le_lann.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/election/ring/peterson_alternating.hpp>
#include <caucus/election/ring/renewed.hpp>
#include <caucus/election/ring/replacing.hpp>
#include <caucus/election/ring/roll_call.hpp>
#include <caucus/election/ring/time_slice.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/election/ring/variable_speeds.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/synchronizer.hpp>
#include <support/stacks.hpp>

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;

namespace {

template <template <class...> class Election>
void check_on_rings(const char* name) {
    support::check_stack(name, std::string("supervised<reliable<repaired_ring<") + name + ">>>",
                         support::supervision, support::complete_networks,
                         [](std::size_t, int id, const auto&) {
                             return supervised{reliable{repaired_ring{Election<int>{id}}},
                                               support::watchful(1)};
                         });
}

}  // namespace

TEST_CASE("supervised: over every election on one-way rings") {
    check_on_rings<le_lann>("le_lann");
    check_on_rings<chang_roberts>("chang_roberts");
    check_on_rings<replacing>("replacing");
    check_on_rings<renewed>("renewed");
    support::check_stack("renewed, overdue", "supervised<reliable<repaired_ring<renewed>>>",
                         support::supervision, support::complete_networks,
                         [](std::size_t, int id, const auto&) {
                             return supervised{reliable{repaired_ring{renewed{id, overdue{300}}}},
                                               support::watchful(1)};
                         });
    check_on_rings<peterson>("peterson");
    check_on_rings<peterson_alternating>("peterson_alternating");
}

TEST_CASE("supervised: over every election on two-way rings, and roll_call") {
    check_on_rings<two_way>("two_way");
    check_on_rings<franklin>("franklin");
    check_on_rings<hirschberg_sinclair>("hirschberg_sinclair");
    support::check_stack("roll_call", "supervised<reliable<roll_call>>", support::supervision,
                         support::complete_networks, [](std::size_t, int id, const auto&) {
                             return supervised{reliable{roll_call{id}}, support::watchful(1)};
                         });
}

TEST_CASE("supervised: over synchronous elections, in rounds that a synchronizer makes") {
    support::check_stack(
        "time_slice", "supervised<reliable<synchronizer<repaired_ring<time_slice>>>>",
        support::supervision, support::complete_networks, [](std::size_t n, int id, const auto&) {
            return supervised{reliable{synchronizer{repaired_ring{
                                  time_slice{static_cast<unsigned>(id), n}}}},
                              support::watchful(1)};
        });
    support::check_stack(
        "variable_speeds", "supervised<reliable<synchronizer<repaired_ring<variable_speeds>>>>",
        support::supervision, support::complete_networks, [](std::size_t, int id, const auto&) {
            return supervised{reliable{synchronizer{repaired_ring{
                                  variable_speeds{static_cast<unsigned>(id)}}}},
                              support::watchful(1)};
        });
}
