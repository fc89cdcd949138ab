// SPDX-License-Identifier: MIT
// The rows of tests/fault_matrix.md for elections on trees, graphs and complete networks.
#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/complete/invitation.hpp>
#include <caucus/election/graph/adoption.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/election/graph/waiting.hpp>
#include <caucus/election/tree/firewire.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/layer/supervised.hpp>
#include <support/stacks.hpp>

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;

namespace {

constexpr support::regime the_best{.known_to_lead = support::rule::greatest_leads};
constexpr support::regime anyone_may{};

template <template <class...> class Election>
constexpr auto by_id = [](std::size_t, int id, const auto&) { return Election<int>{id}; };

}  // namespace

TEST_CASE("fault matrix: elections on trees") {
    support::check_row("tree_wave", anyone_may, support::trees, by_id<tree_wave>);
    support::check_row("firewire", anyone_may, support::trees, by_id<firewire>);
    support::check_row("firewire by coin", anyone_may, support::trees,
                       [](std::size_t, int, const auto&) { return firewire{}; });
}

TEST_CASE("fault matrix: elections on graphs") {
    support::check_row("extinction", the_best, support::graphs, by_id<extinction>);
    support::check_row("adoption", the_best, support::graphs, by_id<adoption>);
    support::check_row("waiting", the_best, support::graphs, by_id<waiting>);
    support::check_row("traversal_election", the_best, support::graphs, by_id<traversal_election>);
    support::check_row("traversal_election, by_path", the_best, support::graphs,
                       [](std::size_t, int id, const auto& peers) {
                           return traversal_election{id, by_path{id, peers}};
                       });
    support::check_row("ghs", anyone_may, support::graphs,
                       [](std::size_t, int id, const auto& peers) { return ghs{id, peers}; });
}

TEST_CASE("fault matrix: elections on complete networks") {
    support::check_row("afek_gafni", anyone_may, support::complete_networks, by_id<afek_gafni>);
    support::check_row("bully", the_best, support::complete_networks,
                       [](std::size_t, int id, const auto& peers) {
                           return bully{id, peers, {.delay_max = 20}};
                       });
    constexpr invitation_options prompt{.delay_max = 20};
    support::check_row("invitation",
                       {.runs = 300, .trouble = 500, .settling = 2000 + prompt.healed_within(7)},
                       support::complete_networks, [&](std::size_t, int id, const auto& peers) {
                           return invitation{id, peers, prompt};
                       });
    support::check_row("supervised<bully>", support::supervision, support::complete_networks,
                       [](std::size_t, int id, const auto& peers) {
                           return supervised{bully{id, peers, {.delay_max = 20}},
                                             support::watchful(1)};
                       });
}
