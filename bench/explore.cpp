// SPDX-License-Identifier: MIT
// States per second and bytes per state of explore, reductions off, one thread, on two systems that
// bench/spin.sh gives to SPIN as well; and what reductions make of a ring.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <support/textbook_lock.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <variant>

namespace {

using namespace caucus;

void show(benchmark::State& state, const verdict& v) {
    state.counters["states"] = static_cast<double>(v.states);
    state.counters["transitions"] = static_cast<double>(v.transitions);
    state.counters["states_per_s"] = v.states_per_second();
    state.counters["bytes_per_state"] = v.bytes_per_state;
    state.counters["edge_bytes"] = v.edge_bytes_per_state;   // only where messages are counted
    if (!v.verified()) state.SkipWithError("does not hold, or is not complete");
}

void chang_roberts_worst_order(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    verdict v;
    for (auto _ : state)
        v = explore(ring{n}, [=](node u) { return chang_roberts{static_cast<int>(n - u.index)}; },
                    {.properties = {always(at_most_one_leader)}, .reduce = reduction::none,
                     .count_messages = false});
    show(state, v);
}
BENCHMARK(chang_roberts_worst_order)
    ->Arg(12)
    ->Arg(13)
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

/// The same, with the edges kept for the least and most messages.
void chang_roberts_counted(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    verdict v;
    for (auto _ : state)
        v = explore(ring{n}, [=](node u) { return chang_roberts{static_cast<int>(n - u.index)}; },
                    {.properties = {always(at_most_one_leader)}, .reduce = reduction::none});
    show(state, v);
}
BENCHMARK(chang_roberts_counted)->Arg(12)->Iterations(1)->Unit(benchmark::kMillisecond);

/// On as many threads: the same result, and how much sooner.
void chang_roberts_threads(benchmark::State& state) {
    verdict v;
    for (auto _ : state)
        v = explore(ring{12}, [=](node u) { return chang_roberts{12 - static_cast<int>(u.index)}; },
                    {.properties = {always(at_most_one_leader)}, .reduce = reduction::none,
                     .count_messages = false, .threads = static_cast<std::size_t>(state.range(0))});
    show(state, v);
}
BENCHMARK(chang_roberts_threads)->Arg(1)->Arg(2)->Iterations(3)->Unit(benchmark::kMillisecond);

void chang_roberts_reduced(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    verdict v;
    for (auto _ : state)
        v = explore(ring{n}, [=](node u) { return chang_roberts{static_cast<int>(n - u.index)}; },
                    {.properties = {always(at_most_one_leader), finally(all_agree)}});
    show(state, v);
}
BENCHMARK(chang_roberts_reduced)->Arg(13)->Arg(32)->Arg(64)->Unit(benchmark::kMillisecond);

void ricart_agrawala_one_request_each(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    const auto make = [=](node v) {
        return client{support::textbook_lock{static_cast<std::uint8_t>(v.index)}, {.entries = 1}};
    };
    const auto one_inside = [](const auto& g) {
        std::size_t inside = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) inside += g[v].holds();
        return inside <= 1;
    };
    verdict v;
    for (auto _ : state)
        v = explore(complete{n}, make,
                    {.properties = {always(one_inside)}, .reduce = reduction::none,
                     .timers = timers::any_time, .count_messages = false});
    show(state, v);
}
BENCHMARK(ricart_agrawala_one_request_each)
    ->Arg(3)
    ->Arg(4)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
