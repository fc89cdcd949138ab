// SPDX-License-Identifier: MIT
// What does the generality of `rounds` cost? Chang-Roberts on a ring of random ids, the library's
// and a hand-written loop's time per message taken in turn, and their ratio.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include "hand_written.hpp"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace {

std::vector<std::int32_t> random_ids(std::size_t n) {
    std::vector<std::int32_t> ids(n);
    std::iota(ids.begin(), ids.end(), 1);
    caucus::random_source{n}.shuffle(ids);
    return ids;
}

/// The best of all runs: noise only ever adds.
struct stopwatch {
    void time(std::uint64_t& messages, auto run) {
        const auto begin = std::chrono::steady_clock::now();
        messages = run();
        const auto end = std::chrono::steady_clock::now();
        const std::chrono::duration<double, std::nano> taken = end - begin;
        least = std::min(least, taken.count() / static_cast<double>(messages));
    }
    double least = std::numeric_limits<double>::infinity();
};

void ring_against_hand_written(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    const std::vector<std::int32_t> ids = random_ids(n);
    const auto make = [&](caucus::node v) { return caucus::chang_roberts{ids[v]}; };
    stopwatch library;
    stopwatch by_hand;
    std::uint64_t messages = 0;
    for (auto _ : state) {
        caucus::rounds sim{caucus::ring{n}, make, {.detail = caucus::detail_level::off}};
        library.time(messages, [&] {
            sim.start_all();
            return sim.run().messages;
        });
        hand_written::chang_roberts_in_rounds loop{ids};
        std::uint64_t expected = 0;
        by_hand.time(expected, [&] {
            loop.run();
            return loop.messages();
        });
        if (messages != expected) state.SkipWithError("the two do not count the same");
    }
    state.counters["library_ns"] = library.least;
    state.counters["by_hand_ns"] = by_hand.least;
    state.counters["ratio"] = library.least / by_hand.least;
    state.counters["messages"] = static_cast<double>(messages);
}
BENCHMARK(ring_against_hand_written)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(ring_against_hand_written)->Arg(1'000'000)->Iterations(15)->Unit(benchmark::kMillisecond);

void ring_of_ten_million(benchmark::State& state) {
    const std::size_t n = 10'000'000;
    const std::vector<std::int32_t> ids = random_ids(n);
    std::uint64_t messages = 0;
    for (auto _ : state) {
        const auto make = [&](caucus::node v) { return caucus::chang_roberts{ids[v]}; };
        caucus::rounds sim{caucus::ring{n}, make};
        sim.start_all();
        messages = sim.run().messages;
    }
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    state.counters["peak_MiB"] = static_cast<double>(used.ru_maxrss) / 1024;
    state.counters["messages"] = static_cast<double>(messages);
}
BENCHMARK(ring_of_ten_million)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
