// SPDX-License-Identifier: MIT
// Elections on a random tree of a million nodes and on random graphs of a million links, in rounds:
// seconds, messages, and bytes of memory for each node and link.
#include <caucus/core/random.hpp>
#include <caucus/election/graph/adoption.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/election/graph/waiting.hpp>
#include <caucus/election/tree/firewire.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/peers.hpp>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using namespace caucus;

double peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

std::vector<std::uint32_t> shuffled_ids(std::size_t n) {
    std::vector<std::uint32_t> ids(n);
    std::iota(ids.begin(), ids.end(), 1u);
    random_source{2026}.shuffle(ids);
    return ids;
}

/// Setting up is not timed; `starters` of the nodes start, spread evenly.
void elect(benchmark::State& state, const graph& g, std::size_t starters, auto make) {
    for (auto _ : state) {
        state.PauseTiming();
        rounds sim{g, make, {.detail = detail_level::off}};
        for (std::size_t i = 0; i < starters; ++i) sim.start(i * (g.nodes() / starters));
        state.ResumeTiming();
        const report r = sim.run();
        if (!r.within_proven() || !sim[0].leader()) state.SkipWithError("not as proven");
        state.counters["messages"] = static_cast<double>(r.messages);
        state.counters["rounds"] = static_cast<double>(r.rounds);
    }
    state.counters["peak_bytes_per_node_and_link"] =
        peak_bytes() / static_cast<double>(g.nodes() + g.links());
}

const graph& big_tree() {
    static const graph g = random_tree(1'000'000, 2026);
    return g;
}
/// A million links on so many nodes.
const graph& big_graph() {
    static const graph g = random_sparse_graph(250'000, 1'000'000, 2026);
    return g;
}

void tree_wave_million_nodes(benchmark::State& state) {
    const auto ids = shuffled_ids(big_tree().nodes());
    elect(state, big_tree(), static_cast<std::size_t>(state.range(0)),
          [&](node v) { return tree_wave{ids[v]}; });
}
void firewire_million_nodes(benchmark::State& state) {
    const auto ids = shuffled_ids(big_tree().nodes());
    elect(state, big_tree(), big_tree().nodes(), [&](node v) { return firewire{ids[v]}; });
}
template <template <class...> class Election>
void million_links(benchmark::State& state) {
    const auto ids = shuffled_ids(big_graph().nodes());
    elect(state, big_graph(), static_cast<std::size_t>(state.range(0)),
          [&](node v) { return Election<std::uint32_t>{ids[v]}; });
}
void ghs_million_links(benchmark::State& state) {
    const auto ids = shuffled_ids(big_graph().nodes());
    elect(state, big_graph(), static_cast<std::size_t>(state.range(0)), [&](node v) {
        const auto peers = peer_ids(big_graph(), v, ids);
        std::vector<std::uint32_t> weights;
        for (const auto peer : peers)
            weights.push_back(static_cast<std::uint32_t>(
                mix(std::min(peer, ids[v]), std::max(peer, ids[v])) >> 32));
        return ghs{ids[v], peers, weights};
    });
}

BENCHMARK(tree_wave_million_nodes)->Arg(1)->Arg(1000)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(firewire_million_nodes)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(million_links<extinction>)->Name("extinction_million_links")
    ->Arg(1)->Arg(10)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(million_links<adoption>)->Name("adoption_million_links")
    ->Arg(1)->Arg(10)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(million_links<waiting>)->Name("waiting_million_links")
    ->Arg(1)->Arg(10)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(million_links<traversal_election>)->Name("traversal_election_million_links")
    ->Arg(1)->Arg(10)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(ghs_million_links)->Arg(1)->Arg(250'000)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
