// SPDX-License-Identifier: MIT
// The three elections by waves on the same instances: messages but for announcements, and the time
// to the decision, against figures measured elsewhere by 200 instances each. Unit delays, all
// initiators start together; where two samples of 200 are compared, both err.
#include <caucus/election/graph/adoption.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/waiting.hpp>

#include <caucus/topology/complete.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/wave_runs.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

constexpr std::uint64_t instances = 200;

struct figures {
    double messages;
    double time;
};

/// Uniform over the connected graphs with that many links.
graph uniform_graph(std::size_t n, std::size_t links, std::uint64_t seed) {
    random_source dice{seed};
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b) pairs.emplace_back(a, b);
    for (;;) {
        dice.shuffle(pairs);
        const graph g{n, std::vector(pairs.begin(),
                                     pairs.begin() + static_cast<std::ptrdiff_t>(links))};
        if (g.connected()) return g;
    }
}

graph grid(std::size_t side) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t v = 0; v < side * side; ++v) {
        if (v % side != side - 1) edges.emplace_back(v, v + 1);
        if (v + side < side * side) edges.emplace_back(v, v + side);
    }
    return graph{side * side, edges};
}

template <template <class...> class Election>
void check_average(auto draw, std::size_t k, figures expected, bool time_too) {
    average messages;
    average time;
    for (std::uint64_t seed = 1; seed <= instances; ++seed) {
        const graph g = draw(seed);
        const std::vector<int> ids = shuffled(g.nodes(), seed);
        std::vector<std::size_t> starters = everybody(g.nodes());
        random_source{seed + instances}.shuffle(starters);
        rounds sim{g, electing<Election>{ids}};
        for (std::size_t i = 0; i < k; ++i) sim.start(starters[i]);
        const report r = sim.run();
        CHECK(r.within_proven());
        messages.add(static_cast<double>(without_announcement(r)));
        time.add(static_cast<double>(sim.outcomes()[0].at));
    }
    const auto check = [](const average& found, double figure) {
        const double errors = 4 * std::sqrt(2 * found.variance() / instances);
        CHECK(std::abs(found.mean() - figure) <= errors + 0.05);   // as it is rounded
    };
    CAPTURE(k);
    check(messages, expected.messages);
    if (time_too) check(time, expected.time);
}

struct row {
    std::size_t k;
    figures by_extinction;
    figures by_adoption;
    figures by_waiting;
};
void check_rows(auto draw, const std::vector<row>& rows, bool time_too = true) {
    for (const row& r : rows) {
        check_average<extinction>(draw, r.k, r.by_extinction, time_too);
        check_average<adoption>(draw, r.k, r.by_adoption, time_too);
        check_average<waiting>(draw, r.k, r.by_waiting, time_too);
    }
}

}  // namespace

TEST_CASE("waves on average: random graphs of 50 nodes and 100 links, 1 to 50 initiators") {
    check_rows([](std::uint64_t seed) { return uniform_graph(50, 100, seed); },
               {{1, {200, 10}, {200, 10}, {200, 10}},
                {2, {279.8, 9.9}, {239.1, 11.8}, {282.8, 14.8}},
                {5, {408.8, 10.0}, {311.4, 14.6}, {355.8, 20.9}},
                {10, {504.6, 9.9}, {369.9, 15.2}, {389.5, 23.9}},
                {25, {650.8, 9.8}, {449.3, 15.6}, {434.1, 26.9}},
                {50, {791.6, 9.9}, {522.3, 15.8}, {492.0, 26.1}}});
}

TEST_CASE("waves on average: random trees of 50 nodes, 10 and 50 initiators") {
    check_rows([](std::uint64_t seed) { return random_tree(50, seed); },
               {{10, {244.1, 29.5}, {130.4, 25.8}, {244.4, 52.1}},
                {50, {372.9, 28.2}, {204.4, 28.0}, {333.9, 51.2}}});
}

TEST_CASE("waves on average: a ring of 50, a grid of 7 by 7, 10 initiators and all") {
    const graph ring = as_graph(two_way_ring{50});
    check_rows([&](std::uint64_t) { return ring; },
               {{10, {205.5, 50}, {202.9, 101}, {202.9, 101}},
                {50, {324.0, 50}, {300.4, 108}, {300.4, 108}}});
    check_rows([](std::uint64_t) { return grid(7); },
               {{10, {419.1, 18.7}, {280.7, 26.2}, {363.9, 37.1}},
                {49, {642.7, 18.8}, {425.0, 27.0}, {463.0, 38.1}}});
}

TEST_CASE("waves on average: the complete graph of 20, messages handled in the order of nodes") {
    // In which order a node takes what arrives together matters here, and to the time still more.
    const graph all_pairs = as_graph(complete{20});
    check_rows([&](std::uint64_t) { return all_pairs; },
               {{10, {1102, 3}, {665.8, 4.9}, {720.2, 13.4}},
                {20, {1371, 3}, {818.0, 4.9}, {741, 21}}}, false);
}
