// SPDX-License-Identifier: MIT
// What adoption costs at worst: over all schedules, and by construction.
#include <caucus/election/graph/adoption.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/wave_runs.hpp>

#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// On a path: the worst initiator beside the free nodes, ever better ones in turn on either side.
/// Then each wave in its turn adopts all that is between it and the one before.
std::vector<int> inside_out(std::size_t n, std::size_t k) {
    std::vector<int> ids(n, 0);
    std::size_t left = (k + 1) / 2;
    std::size_t right = n - k / 2;
    for (std::size_t wave = 1; wave <= k; ++wave)
        ids[wave % 2 == 1 ? --left : right++] = static_cast<int>(wave);
    int unused = static_cast<int>(k);
    for (int& id : ids)
        if (id == 0) id = ++unused;
    return ids;
}
std::uint64_t worst_on_a_tree(std::uint64_t n, std::uint64_t k) {
    return 2 * (n - 1) + (k - 1) * n - k * (k - 1) / 2;
}

}  // namespace

TEST_CASE("adoption: fewest and most over all schedules, any order of ids, every graph, n <= 4") {
    // On the two densest graphs for one initiator and for all: in between it takes too long.
    check_costs<adoption>({
        {{0, 0}},                                         // path{1}
        {{2, 2}, {3, 3}},                                 // path{2}
        {{4, 4}, {5, 6}, {6, 7}},                         // path{3}
        {{6, 6}, {8, 9}, {10, 10}},                       // complete{3}
        {{6, 6}, {7, 9}, {8, 11}, {9, 12}},               // path{4}
        {{6, 6}, {7, 8}, {8, 10}, {9, 11}},               // star{4}
        {{8, 8}, {10, 12}, {12, 14}, {14, 15}},           // two_way_ring{4}
        {{8, 8}, {9, 12}, {11, 15}, {13, 16}},            // paw
        {{10, 10}, {17, 19}},                             // diamond
        {{12, 12}, {21, 22}}});                           // complete{4}
}

TEST_CASE("adoption: (k+1)|E| is reached by two initiators: see the triangle, square and paw") {
    const auto most = [](std::size_t n, std::size_t links) {
        return adoption<int>::messages({.nodes = n, .links = links, .initiators = 2}).most;
    };
    CHECK(most(3, 3) == 9 + 2);
    CHECK(most(4, 4) == 12 + 3);
}

TEST_CASE("adoption: on a path 2(n-1)+(k-1)n-k(k-1)/2 at worst: all schedules, n = 2, 3, 4, 5") {
    for (std::size_t n = 2; n <= 5; ++n)
        for (const std::size_t k : n < 5 ? sizes{1, 2, n} : sizes{2, n})
            CHECK(costs_of_all_schedules<adoption>(as_graph(path{n}), {k})[0].second ==
                  worst_on_a_tree(n, k));
}

TEST_CASE("adoption: no tree costs more than a path, random trees and delays, n <= 30") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        random_source dice{seed};
        const std::size_t n = 2 + dice.below(29);
        const std::vector<int> ids = shuffled(n, seed);
        const std::vector<std::size_t> starters = some_of(n, dice);
        for (const delay_model& delay : every_delay()) {
            events net{random_tree(n, seed), electing<adoption>{ids},
                       {.seed = seed, .delay = delay, .fifo = seed % 2 == 0}};
            const report r = check_wave_election(net, ids, starters);
            CHECK(r.proven->most == worst_on_a_tree(n, starters.size()) + n - 1);
        }
    }
}

TEST_CASE("adoption: the worst case of a path: better and better waves from either end in turn") {
    for (const std::size_t n : sizes{2, 3, 6, 7, 12, 40})
        for (std::size_t k = 1; k <= n; ++k) {
            CAPTURE(n);
            CAPTURE(k);
            const std::vector<int> ids = inside_out(n, k);
            std::vector<std::size_t> starters;
            for (std::size_t v = 0; v < n; ++v)
                if (ids[v] <= static_cast<int>(k)) starters.push_back(v);
            events net{path{n}, electing<adoption>{ids}, {.delay = worse_waves_first(ids)}};
            const report r = check_wave_election(net, ids, starters);
            CHECK(without_announcement(r) == worst_on_a_tree(n, k));
            CHECK(r.messages == r.proven->most);
        }
}

TEST_CASE("adoption: joined, one caller costs what all do; suppressed, 2|E|+k-1 at best: "
          "all schedules, any order of ids, n <= 4") {
    check_first_costs<adoption, join>({
        {{0, 0}},                                         // path{1}
        {{3, 3}, {3, 3}},                                 // path{2}
        {{6, 7}, {6, 7}, {6, 7}},                         // path{3}
        {{10, 10}, {10, 10}, {10, 10}},                   // complete{3}
        {{9, 12}, {9, 12}},                               // path{4}
        {{9, 11}, {9, 11}},                               // star{4}
        {{14, 15}}});                                     // two_way_ring{4}
    check_first_costs<adoption, suppress>({
        {{0, 0}},                                         // path{1}
        {{2, 3}, {3, 3}},                                 // path{2}
        {{4, 7}, {5, 7}, {6, 7}},                         // path{3}
        {{6, 10}, {8, 10}, {10, 10}},                     // complete{3}
        {{6, 12}, {9, 12}},                               // path{4}
        {{6, 11}, {9, 11}},                               // star{4}
        {{8, 15}}});                                      // two_way_ring{4}
}
