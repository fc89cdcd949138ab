// SPDX-License-Identifier: MIT
// Elections on random trees of up to a million nodes and random graphs of up to a million links, in
// rounds: seconds, messages, and the bytes that a simulation needs at most for each node and link,
// besides the graph: about as many for a tenth of the size, so memory grows linearly.
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
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

namespace {

std::size_t bytes_now = 0;
std::size_t bytes_most = 0;

}  // namespace

void* operator new(std::size_t size) {
    void* const p = std::malloc(size);
    if (p == nullptr) throw std::bad_alloc{};
    bytes_now += malloc_usable_size(p);
    bytes_most = std::max(bytes_most, bytes_now);
    return p;
}
void operator delete(void* p) noexcept {
    bytes_now -= malloc_usable_size(p);
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

namespace {

using namespace caucus;

std::vector<std::uint32_t> shuffled_ids(std::size_t n) {
    std::vector<std::uint32_t> ids(n);
    std::iota(ids.begin(), ids.end(), 1u);
    random_source{2026}.shuffle(ids);
    return ids;
}

/// Setting up has a column of its own; `starters` of the nodes start, spread evenly.
void elect(benchmark::State& state, const graph& g, std::size_t starters, auto make) {
    for (auto _ : state) {
        state.PauseTiming();
        bytes_most = bytes_now;
        const std::size_t before = bytes_now;
        const auto began = std::chrono::steady_clock::now();
        rounds sim{g, make, {.detail = detail_level::off}};
        state.counters["setup_s"] =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        for (std::size_t i = 0; i < starters; ++i) sim.start(i * (g.nodes() / starters));
        state.ResumeTiming();
        const report r = sim.run();
        if (!r.within_proven() || !sim[0].leader()) state.SkipWithError("not as proven");
        state.counters["messages"] = static_cast<double>(r.messages);
        state.counters["rounds"] = static_cast<double>(r.rounds);
        state.counters["bytes_per_node_and_link"] =
            static_cast<double>(bytes_most - before) / static_cast<double>(g.nodes() + g.links());
    }
}

constexpr std::int64_t million = 1'000'000;

const graph& tree_of(std::int64_t nodes) {
    static std::map<std::int64_t, graph> trees;
    const auto [at, is_new] = trees.try_emplace(nodes, 1, std::vector<std::pair<int, int>>{});
    if (is_new) at->second = random_tree(static_cast<std::size_t>(nodes), 2026);
    return at->second;
}
/// With so many links, on a quarter as many nodes.
const graph& graph_of(std::int64_t links) {
    static std::map<std::int64_t, graph> graphs;
    const auto [at, is_new] = graphs.try_emplace(links, 1, std::vector<std::pair<int, int>>{});
    const auto many = static_cast<std::size_t>(links);
    if (is_new) at->second = random_sparse_graph(many / 4, many, 2026);
    return at->second;
}

void tree_wave_nodes(benchmark::State& state) {
    const graph& g = tree_of(state.range(0));
    const auto ids = shuffled_ids(g.nodes());
    elect(state, g, static_cast<std::size_t>(state.range(1)),
          [&](node v) { return tree_wave{ids[v]}; });
}
void firewire_nodes(benchmark::State& state) {
    const graph& g = tree_of(state.range(0));
    const auto ids = shuffled_ids(g.nodes());
    elect(state, g, g.nodes(), [&](node v) { return firewire{ids[v]}; });
}
void firewire_by_coin_nodes(benchmark::State& state) {
    const graph& g = tree_of(state.range(0));
    elect(state, g, g.nodes(), [](node) { return firewire{}; });
}
template <template <class...> class Election>
void links(benchmark::State& state) {
    const graph& g = graph_of(state.range(0));
    const auto ids = shuffled_ids(g.nodes());
    elect(state, g, static_cast<std::size_t>(state.range(1)),
          [&](node v) { return Election<std::uint32_t>{ids[v]}; });
}
void ghs_links(benchmark::State& state) {
    const graph& g = graph_of(state.range(0));
    const auto ids = shuffled_ids(g.nodes());
    elect(state, g, static_cast<std::size_t>(state.range(1)), [&](node v) {
        const auto peers = peer_ids(g, v, ids);
        std::vector<std::uint32_t> weights;
        for (const auto peer : peers)
            weights.push_back(static_cast<std::uint32_t>(
                mix(std::min(peer, ids[v]), std::max(peer, ids[v])) >> 32));
        return ghs{ids[v], peers, weights};
    });
}

/// A tenth of the size, and the whole, with that many starters.
void both_sizes(benchmark::internal::Benchmark* b, std::initializer_list<std::int64_t> starters) {
    for (const std::int64_t k : starters)
        for (const std::int64_t size : {million / 10, million}) b->Args({size, k});
    b->Iterations(1)->Unit(benchmark::kSecond);
}
void from_one_or_many(benchmark::internal::Benchmark* b) { both_sizes(b, {1, 1000}); }
void from_one_or_ten(benchmark::internal::Benchmark* b) { both_sizes(b, {1, 10}); }
void from_all_leaves(benchmark::internal::Benchmark* b) { both_sizes(b, {0}); }
void from_one_or_all(benchmark::internal::Benchmark* b) {
    both_sizes(b, {1});
    for (const std::int64_t size : {million / 10, million}) b->Args({size, size / 4});
}

BENCHMARK(tree_wave_nodes)->Apply(from_one_or_many);
BENCHMARK(firewire_nodes)->Apply(from_all_leaves);
BENCHMARK(firewire_by_coin_nodes)->Apply(from_all_leaves);
BENCHMARK(links<extinction>)->Name("extinction_links")->Apply(from_one_or_ten);
BENCHMARK(links<adoption>)->Name("adoption_links")->Apply(from_one_or_ten);
BENCHMARK(links<waiting>)->Name("waiting_links")->Apply(from_one_or_ten);
BENCHMARK(links<traversal_election>)->Name("traversal_election_links")->Apply(from_one_or_ten);
BENCHMARK(ghs_links)->Apply(from_one_or_all);

}  // namespace
