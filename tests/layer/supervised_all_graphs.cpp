// SPDX-License-Identifier: MIT
// supervised over every election on trees, graphs and complete networks: elects without faults, and
// the last column of tests/fault_matrix.md.
#include <caucus/layer/stamped.hpp>
#include <caucus/layer/supervised.hpp>

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
#include <caucus/layer/reliable.hpp>
#include <support/stacks.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

using namespace caucus;

namespace {

/// supervised<reliable<…>>, where the way to the leader may lead over all nodes.
void check_on(const char* name, const char* inner, auto shape, auto elect,
              std::uint64_t runs = support::supervision.runs) {
    support::regime how = support::supervision_of(7);
    how.runs = runs;
    support::check_stack(name, std::string("supervised<reliable<") + inner + ">>", how, shape,
                         [elect](std::size_t n, int id, const auto& peers) {
                             return supervised{reliable{elect(id, peers)}, support::watchful(n)};
                         });
}
template <template <class...> class Election>
constexpr auto by_id = [](int id, const auto&) { return Election<int>{id}; };

}  // namespace

TEST_CASE("supervised: over every election on trees") {
    check_on("tree_wave", "tree_wave", support::trees, by_id<tree_wave>);
    // Were those left waiting who hear of an election by a beat alone, three in a thousand stalled.
    check_on("firewire", "firewire", support::trees, by_id<firewire>, 1500);
}

TEST_CASE("supervised: over every election on graphs") {
    check_on("extinction", "extinction", support::graphs, by_id<extinction>);
    check_on("adoption", "adoption", support::graphs, by_id<adoption>);
    check_on("waiting", "waiting", support::graphs, by_id<waiting>);
    check_on("traversal_election", "traversal_election", support::graphs,
             by_id<traversal_election>);
    check_on("traversal_election, by_path", "traversal_election", support::graphs,
             [](int id, const auto& peers) {
                 return traversal_election{id, by_path{id, peers}};
             });
    check_on("ghs", "ghs", support::graphs,
             [](int id, const auto& peers) { return ghs{id, peers}; });
}

TEST_CASE("supervised: over every election on complete networks") {
    check_on("afek_gafni", "afek_gafni", support::complete_networks, by_id<afek_gafni>);
    const auto bullies = [](std::size_t, int id, const auto& peers) {
        return supervised{bully{id, peers, {.delay_max = 20}}, support::watchful(1)};
    };
    for (const char* name : {"bully", "supervised<bully>"})
        support::check_stack(name, "supervised<bully>", support::supervision,
                             support::complete_networks, bullies);
    support::check_stack("invitation", "stamped<invitation>", support::supervision,
                         support::complete_networks, [](std::size_t, int id, const auto& peers) {
                             return stamped{invitation{id, peers, {.delay_max = 20}},
                                               support::watchful(1)};
                         });
}
