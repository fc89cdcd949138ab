// SPDX-License-Identifier: MIT
#include <caucus/exclusion/raymond.hpp>

#include <caucus/core/random.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/tree.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>
#include <support/raymonds.hpp>
#include <support/trees.hpp>
#include <support/wild.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// Node v hangs below one before it.
tree drawn_tree(std::size_t n, std::uint64_t seed) {
    random_source dice{mix(seed, n)};
    std::vector<std::size_t> parents(n, 0);
    for (std::size_t v = 1; v < n; ++v) parents[v] = static_cast<std::size_t>(dice.below(v));
    return tree{parents};
}
tree hub(std::size_t n) { return tree{std::vector<std::size_t>(n, 0)}; }

void check_trees(std::uint64_t runs) {
    for (std::size_t n = 1; n <= 6; ++n) {
        const tree t = drawn_tree(n, runs);
        check_runs(t, raymonds(t, n / 2), 3, runs / 6 + 1, false, true);
    }
}

/// Twice the distance from whoever entered last to any node, itself included.
average idle_law(const tree& t) {
    average all;
    for (std::size_t v = 0; v < t.nodes(); ++v)
        for (const std::size_t hops : distances(t, v)) all.add(2 * static_cast<double>(hops));
    return all;
}
double error_of(const average& a, std::size_t entries) {
    return std::sqrt(a.variance() / static_cast<double>(entries));
}
/// Messages an entry when nobody else wants anything, over so many.
double idle_cost(const tree& t, std::size_t entries) {
    rounds sim{t, raymonds(t, 0)};
    random_source dice{7};
    average all;
    for (; entries != 0; --entries)
        all.add(static_cast<double>(
            cost_alone(sim, static_cast<std::size_t>(dice.below(t.nodes())))));
    return all.mean();
}
/// The sheet's figure is that of runs with 20 entries a node or more.
void check_idle(const tree& t, double sheet) {
    CAPTURE(t.nodes());
    const average law = idle_law(t);
    CHECK(std::abs(sheet - law.mean()) < 2 * error_of(law, 20 * t.nodes()));
    CHECK(std::abs(idle_cost(t, 2000) - law.mean()) < 3 * error_of(law, 2000));
}

/// Messages an entry when whoever has left asks again soon.
double busy_cost(const tree& t, const delay_model& delay, ticks staying) {
    average all;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        events net{t, clients(raymonds(t, 0), sections{.entries = 40, .staying = staying}),
                   {.seed = seed, .delay = delay, .fifo = false}, watch<raymond<>>()};
        net.start_all();
        const report r = net.run();
        REQUIRE(net.watcher().get<0>().entries() == 40 * t.nodes());
        all.add(static_cast<double>(r.messages) / static_cast<double>(40 * t.nodes()));
    }
    return all.mean();
}
void check_busy(const tree& t, double sheet) {
    const double n = static_cast<double>(t.nodes());
    CAPTURE(n);
    CHECK(std::abs(busy_cost(t, unit{}, 1) - 4 * (n - 1) / n) < 0.03);
    CHECK(std::abs(busy_cost(t, exponential{10}, 3) - sheet) < 0.2);
}

}  // namespace

// Safety and liveness

TEST_CASE("raymond: any delays, copies and overtaking: exclusion, rising fences, all are served") {
    check_trees(2'000);
}

TEST_CASE("raymond: in storms, over reliable, nobody meets another, and all are served") {
    const tree t = drawn_tree(5, 3);
    CHECK(unserved_in_storms(t, raymonds(t, 2), 500) == 0);
}

// Cost

TEST_CASE("raymond: alone 3.5, 6.4, 9.6, 12.7 messages in binary trees of 7, 15, 31, 63") {
    check_idle(binary_tree(7), 3.5);
    check_idle(binary_tree(15), 6.4);
    check_idle(binary_tree(31), 9.6);
    check_idle(binary_tree(63), 12.7);
    check_idle(hub(15), 3.4);
}

// A round serves all once, and crosses every link twice, each time called by a wish. It is less
// where the token's holder enters again before the news comes that others wait: the sheet's load
// is of that kind, 10 ticks a message and 4 from one entry to the next wish.
TEST_CASE("raymond: all the time by all 4(n-1)/n; if they ask sooner than they hear 2.0 to 2.8") {
    check_busy(binary_tree(7), 2.0);
    check_busy(binary_tree(15), 2.3);
    check_busy(binary_tree(31), 2.7);
    check_busy(binary_tree(63), 2.8);
    check_busy(hub(15), 2.2);
}

TEST_CASE("raymond: 10,000 ask at once, in a binary tree, a star, a random tree") {
    const auto check = [](const tree& t) {
        const saturated_cost c = saturated(t, raymonds(t, 0), 1, 1, false);
        CHECK(c.entries == t.nodes());
        CHECK(c.per_entry() < 4);
    };
    check(binary_tree(10'000));
    check(hub(10'000));
    check(drawn_tree(10'000, 1));
}

// Outside the model

TEST_CASE("raymond: wild messages do no harm but to the rule") {
    disturb(200, wild_trees, [](std::size_t, int id, const auto& peers) {
        const port some{static_cast<std::size_t>(id) % peers.size()};
        return client{raymond{id == 1 ? std::optional<port>{} : some},
                      sections{.entries = 3}};
    });
}

// Nightly

TEST_CASE("nightly: raymond: 100,000 runs with any delays, copies and overtaking" *
          doctest::skip()) {
    check_trees(100'000);
}

TEST_CASE("nightly: raymond: 100,000 storms over reliable" * doctest::skip()) {
    const tree t = drawn_tree(4, 3);
    CHECK(unserved_in_storms(t, raymonds(t, 2), 100'000, 1'000) == 0);
}
