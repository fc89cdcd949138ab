// SPDX-License-Identifier: MIT
// Many runs over links that lose, repeat and reorder: 1 to 30 % loss, and whole storms with
// crashes, restarts and partitions. The last message of each may be lost.
#include <caucus/multicast/nacked.hpp>

#include <doctest/doctest.h>
#include <support/casts.hpp>
#include <support/instances.hpp>

#include <cstddef>
#include <cstdint>

using namespace caucus;
using namespace support;

namespace {

constexpr auto members(nacked_options how) {
    return [how](std::size_t, node v) { return nacked<int>{static_cast<int>(v.index), how}; };
}

/// Links with 1 to 30 % loss to the end, repetitions and another order; nobody crashes.
cast_tally lossy_runs(std::uint64_t first, std::uint64_t count, std::size_t history) {
    cast_tally sum;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const double loss = static_cast<double>(1 + seed % 30) / 100;
        events_options how{.seed = seed, .fifo = seed % 2 == 0, .outside_model = true};
        how.faults = fault_plan{}.links(
            {.loss = loss, .duplication = seed % 3 == 0 ? 0.2 : 0.0,
             .reordering = seed % 5 == 0 ? 0.2 : 0.0});
        const auto make = members({.history = history, .window = 2 + seed % 7, .requests = 5});
        run_casts(seed, 2 + seed % 4, make, how, 1000, 20'000, history >= 64, sum);
    }
    MESSAGE(sum.delivered, " delivered, ", sum.missed, " missed, ", sum.stalled, " stalled");
    CHECK(sum.delivered > count);
    CHECK(sum.refused == 0);
    CHECK(sum.bad == 0);
    return sum;
}
/// Whole storms.
cast_tally stormy_runs(std::uint64_t first, std::uint64_t count) {
    cast_tally sum;
    const swarm storms{.heals_at = 2000};
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::size_t nodes = 2 + seed % 4;
        const auto make = members({.history = 1 + seed % 11, .window = 1 + seed % 7,
                                   .requests = 4, .beat = 20 + seed % 50});
        run_casts(seed, nodes, make, storms.draw(seed, complete{nodes}), storms.heals_at, 12'000,
                  false, sum);
    }
    MESSAGE(sum.delivered, " delivered, ", sum.missed, " missed, ", sum.stalled, " stalled");
    CHECK(sum.delivered > count);
    CHECK(sum.bad == 0);
    return sum;
}
constexpr std::uint64_t daily = sanitized ? 100 : 700;

}  // namespace

TEST_CASE("nacked: integrity, fifo, validity, agreement under 1 to 30 % loss") {
    CHECK(lossy_runs(1, daily, 64).missed == 0);
}
TEST_CASE("nacked: a history of two: what is missed is told, 1 to 30 % loss") {
    CHECK(lossy_runs(1, daily, 2).missed > 0);
}
TEST_CASE("nacked: the same in storms") {
    const cast_tally sum = stormy_runs(1, daily);
    CHECK(sum.missed > 0);
    CHECK(sum.stalled > 0);
}
TEST_CASE("nightly: nacked: 100,000 runs under 1 to 30 % loss" * doctest::skip()) {
    lossy_runs(1001, 100'000, 64);
}
TEST_CASE("nightly: nacked: 100,000 storms" * doctest::skip()) { stormy_runs(1001, 100'000); }
