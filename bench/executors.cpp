// SPDX-License-Identifier: MIT
// Messages per second of each algorithm on each executor.
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/wave/echo.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace caucus;

std::vector<int> random_ids(std::size_t n) {
    std::vector<int> ids(n);
    std::iota(ids.begin(), ids.end(), 1);
    random_source{n}.shuffle(ids);
    return ids;
}

/// Builds outside the clock, runs inside it.
void time_runs(benchmark::State& state, auto build, auto start) {
    std::uint64_t messages = 0;
    for (auto _ : state) {
        state.PauseTiming();
        auto sim = build();
        state.ResumeTiming();
        start(sim);
        messages += sim.run().messages;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(messages));
}

constexpr auto everybody = [](auto& sim) { sim.start_all(); };
constexpr auto the_first = [](auto& sim) { sim.start(0); };

/// The same processes on `rounds`, and on `events` with unit, random integer and memoryless delays.
void on_every_executor(const char* name, const auto& topology, auto make, auto start) {
    const auto add = [&](const char* executor, auto build) {
        const std::string full = std::string(name) + "/" + executor;
        benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
            time_runs(state, build, start);
        })->Unit(benchmark::kMillisecond);
    };
    const auto with = [=](delay_model delay) {
        return [=] { return events{topology, make, {.delay = delay}}; };
    };
    add("rounds", [=] { return rounds{topology, make}; });
    add("events_unit", with(unit{}));
    add("events_uniform", with(uniform{1, 10}));
    add("events_exponential", with(exponential{100}));
}

const bool registered = [] {
    static const std::vector<int> ids = random_ids(1'000'000);
    on_every_executor("chang_roberts_ring_1e5", ring{100'000},
                      [](node v) { return chang_roberts{ids[v]}; }, everybody);
    on_every_executor("chang_roberts_ring_1e6", ring{1'000'000},
                      [](node v) { return chang_roberts{ids[v]}; }, everybody);
    const graph sparse = random_sparse_graph(100'000, 300'000, 1);
    on_every_executor("echo_graph_1e5_3e5", sparse, [](node) { return echo{1, sum{}}; }, the_first);
    on_every_executor("extinction_graph_1e5_3e5", sparse, [](node v) { return extinction{ids[v]}; },
                      everybody);
    on_every_executor("bully_complete_200", complete{200}, [](node v) {
        return bully{ids[v], peer_ids(complete{200}, v, ids), {.delay_max = 2000}};
    }, everybody);
    return true;
}();

}  // namespace
