// SPDX-License-Identifier: MIT
// Well-formed messages with wild contents, from a stranger on the wire: the handlers of
// elections and waves return, and touch nothing that is not theirs.
#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/complete/invitation.hpp>
#include <caucus/election/graph/adoption.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/election/graph/waiting.hpp>
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
#include <caucus/election/tree/firewire.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/wave/echo.hpp>
#include <caucus/wave/spanning_tree.hpp>
#include <caucus/wave/traversal.hpp>
#include <support/instances.hpp>
#include <support/wild.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using namespace caucus;
using support::disturb, support::wild_graphs, support::wild_networks, support::wild_rings,
    support::wild_trees, support::wild_two_way_rings;

namespace {

constexpr std::uint64_t runs_a_day = support::sanitized ? 12 : 60;
constexpr std::uint64_t runs_a_night = 3000;

/// A node of a process that needs no more than its id.
template <template <class...> class Process>
constexpr auto by_id = [](std::size_t, int id, const auto&) { return Process<int>{id}; };

void elections_on_rings(std::uint64_t runs) {
    disturb(runs, wild_rings, by_id<le_lann>);
    disturb(runs, wild_rings, by_id<chang_roberts>);
    disturb(runs, wild_rings, by_id<replacing>);
    disturb(runs, wild_rings, by_id<renewed>);
    disturb(runs, wild_rings, by_id<peterson>);
    disturb(runs, wild_rings, by_id<peterson_alternating>);
    disturb(runs, wild_rings, [](std::size_t n, int id, const auto&) {
        return time_slice{static_cast<unsigned>(id), n, {.delay_max = 5}};
    });
    disturb(runs, wild_rings, [](std::size_t, int id, const auto&) {
        return variable_speeds{static_cast<unsigned>(id / 10)};
    });
    disturb(runs, wild_rings, [](std::size_t n, int, const auto&) { return itai_rodeh{n}; });
    disturb(runs, wild_two_way_rings, by_id<two_way>);
    disturb(runs, wild_two_way_rings, by_id<franklin>);
    disturb(runs, wild_two_way_rings, by_id<hirschberg_sinclair>);
    disturb(runs, wild_networks, by_id<roll_call>);
}
void elections_elsewhere(std::uint64_t runs) {
    disturb(runs, wild_trees, by_id<tree_wave>);
    disturb(runs, wild_trees, by_id<firewire>);
    disturb(runs, wild_trees, [](std::size_t, int, const auto&) { return firewire{}; });
    disturb(runs, wild_graphs, by_id<extinction>);
    disturb(runs, wild_graphs, by_id<adoption>);
    disturb(runs, wild_graphs, by_id<waiting>);
    disturb(runs, wild_graphs, by_id<traversal_election>);
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto& peers) {
        return traversal_election{id, by_path{id, peers}};
    });
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto& peers) {
        return ghs{id, peers};
    });
    disturb(runs, wild_networks, by_id<afek_gafni>);
    disturb(runs, wild_networks, [](std::size_t, int id, const auto& peers) {
        return bully{id, peers, {.delay_max = 5}};
    });
    disturb(runs, wild_networks, [](std::size_t, int id, const auto& peers) {
        return invitation{id, peers, {.delay_max = 5}};
    });
}
void waves(std::uint64_t runs) {
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto&) { return echo{id}; });
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto&) { return traversal{id}; });
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto& peers) {
        return traversal{1, by_path{id, peers}};
    });
    disturb(runs, wild_networks, [](std::size_t, int, const auto&) { return spanning_tree{}; });
}
}  // namespace

TEST_CASE("wild messages: elections on rings survive a stranger") {
    elections_on_rings(runs_a_day);
}
TEST_CASE("wild messages: elections elsewhere survive a stranger") {
    elections_elsewhere(runs_a_day);
}
TEST_CASE("wild messages: waves survive a stranger") { waves(runs_a_day); }

TEST_CASE("nightly: wild messages to elections and waves, 3,000 runs each" * doctest::skip()) {
    elections_on_rings(runs_a_night);
    elections_elsewhere(runs_a_night);
    waves(runs_a_night);
}
