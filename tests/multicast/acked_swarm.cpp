// SPDX-License-Identifier: MIT
// Many runs over links that lose, repeat and reorder: 1 to 30 % loss, and whole storms with
// crashes, restarts and partitions.
#include <caucus/multicast/acked.hpp>

#include <doctest/doctest.h>
#include <support/casts.hpp>
#include <support/instances.hpp>

#include <cstddef>
#include <cstdint>

using namespace caucus;
using namespace support;

namespace {

template <class... Policies>
constexpr auto members = [](acked_options how) {
    return [how](std::size_t n, node v) {
        return acked<int, int, Policies...>{static_cast<int>(v.index), others(n, v), how};
    };
};

/// Links with 1 to 30 % loss to the end, repetitions and another order; nobody crashes.
template <class... Policies>
cast_tally lossy_runs(std::uint64_t first, std::uint64_t count) {
    cast_tally sum;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const double loss = static_cast<double>(1 + seed % 30) / 100;
        events_options how{.seed = seed, .fifo = seed % 2 == 0, .outside_model = true};
        how.faults = fault_plan{}.links(
            {.loss = loss, .duplication = seed % 3 == 0 ? 0.2 : 0.0,
             .reordering = seed % 5 == 0 ? 0.2 : 0.0});
        const auto make = members<Policies...>({.window = 1 + seed % 7, .retries = 3});
        run_casts(seed, 2 + seed % 4, make, how, 1000, 12'000, sizeof...(Policies) == 0, sum);
    }
    MESSAGE(sum.delivered, " delivered, ", sum.missed, " missed, ", sum.refused, " refused");
    CHECK(sum.delivered > count);
    CHECK(sum.bad == 0);
    return sum;
}
/// Whole storms; with a detector in every other run.
template <class... Policies>
cast_tally stormy_runs(std::uint64_t first, std::uint64_t count) {
    cast_tally sum;
    const swarm storms{.heals_at = 2000};
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::size_t nodes = 2 + seed % 4;
        events_options how = storms.draw(seed, complete{nodes});
        if (seed % 2 == 0)
            how.detector = eventual{.delay = 1 + seed % 70, .wrong = seed % 4, .until = 1500};
        const auto make = members<Policies...>({.window = 1 + seed % 7, .retries = 4});
        run_casts(seed, nodes, make, how, storms.heals_at, 10'000, false, sum);
    }
    MESSAGE(sum.delivered, " delivered, ", sum.missed, " missed, ", sum.refused, " refused, ",
            sum.stalled, " stalled");
    CHECK(sum.delivered > count);
    CHECK(sum.bad == 0);
    return sum;
}
constexpr std::uint64_t daily = sanitized ? 100 : 500;

}  // namespace

TEST_CASE("acked: integrity, fifo, validity, agreement under 1 to 30 % loss") {
    const cast_tally sum = lossy_runs<>(1, daily);
    CHECK(sum.missed == 0);
    CHECK(sum.refused > 0);
}
TEST_CASE("acked, drop_oldest: nothing is refused; what is missed is told, 1 to 30 % loss") {
    const cast_tally sum = lossy_runs<drop_oldest>(1, daily);
    CHECK(sum.missed > 0);
    CHECK(sum.refused == 0);
}
TEST_CASE("acked: the same in storms") {
    const cast_tally sum = stormy_runs<>(1, daily);
    CHECK(sum.refused > 0);
    CHECK(sum.stalled > 0);
}
TEST_CASE("acked, expel: the same in storms, but for those who are left behind") {
    CHECK(stormy_runs<expel>(1, daily).missed > 0);
}
TEST_CASE("nightly: acked: 100,000 runs under 1 to 30 % loss" * doctest::skip()) {
    lossy_runs<>(1001, 100'000);
}
TEST_CASE("nightly: acked: 100,000 storms" * doctest::skip()) { stormy_runs<>(1001, 100'000); }
TEST_CASE("nightly: acked, drop_oldest: 20,000 storms" * doctest::skip()) {
    stormy_runs<drop_oldest>(1001, 20'000);
}
TEST_CASE("nightly: acked, expel: 20,000 storms" * doctest::skip()) {
    stormy_runs<expel>(1001, 20'000);
}
