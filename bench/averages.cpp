// SPDX-License-Identifier: MIT
// Your own figures beside your own times: what an election sends is a counter, so that a change of
// algorithm shows in messages and bits, which no machine's mood can change, and not in time alone.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/run/random_ids.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/run/sample.hpp>
#include <caucus/topology/ring.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

namespace {

template <template <class...> class Election>
void on_random_rings(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    const auto threads = static_cast<std::size_t>(state.range(1));
    const auto run = [=](std::uint64_t seed) {
        return caucus::rounds{caucus::ring{n}, [ids = caucus::random_ids(n, seed)](caucus::node v) {
            return Election<int>{ids[v]};
        }};
    };
    caucus::sample_report r;
    for (auto _ : state) r = caucus::sample(200, run, {.threads = threads});
    state.counters["messages"] = r.messages.mean;
    state.counters["messages_sd"] = r.messages.sd;
    state.counters["bits"] = r.bits.mean;
    state.counters["rounds"] = r.rounds.mean;
    using benchmark::Counter;
    state.counters["runs_per_s"] =
        Counter(static_cast<double>(r.runs), Counter::kIsIterationInvariantRate);
    if (r.outside_proven != 0) state.SkipWithError("a run cost more or less than is proven");
}
void chang_roberts(benchmark::State& state) { on_random_rings<caucus::chang_roberts>(state); }
void peterson(benchmark::State& state) { on_random_rings<caucus::peterson>(state); }
BENCHMARK(chang_roberts)->Args({256, 1})->Args({256, 2})->UseRealTime();
BENCHMARK(peterson)->Args({256, 1})->Args({256, 2})->UseRealTime();

}  // namespace
