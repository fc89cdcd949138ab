// SPDX-License-Identifier: MIT
// Prints what a seed decides. It must not depend on the compiler, its options or its library.
#include <caucus/core/random.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/adoption.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/graph/waiting.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/run/swarm.hpp>
#include <caucus/trace/trace_hash.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <vector>

using namespace caucus;

namespace {

struct named_delay {
    const char* name;
    delay_model model;
};

void print(const char* what, const char* delay, std::uint64_t seed, auto& sim, const report& r) {
    std::printf("%s %s seed %" PRIu64 ": %016" PRIx64 ", %" PRIu64 " messages, %" PRIu64
                " bits, %" PRIu64 " ticks, chain %" PRIu64 "\n",
                what, delay, seed, sim.watcher().value(), r.messages, r.bits, r.rounds,
                r.longest_chain);
}

void in_rounds(const char* what, std::uint64_t seed, auto topology, auto make) {
    rounds sim{topology, make, {.seed = seed}, trace_hash{}};
    sim.start_all();
    const report r = sim.run();
    print(what, "rounds", seed, sim, r);
}

void in_events(const char* what, std::uint64_t seed, auto topology, auto make,
               const fault_plan& faults = {}) {
    const named_delay delays[] = {
        {"unit", unit{}},
        {"uniform", uniform{1, 10}},
        {"exponential", exponential{5}},
        {"heavy_tailed", heavy_tailed{1, 3000}},
        {"per_link", per_link{std::vector<ticks>(topology.arcs(), 3)}},
        {"by_hand", by_hand{[](const hop& h, random_source& bits) {
             return 1 + h.arc % 3 + bits.below(4);
         }}}};
    for (const auto& [name, model] : delays)
        for (const bool fifo : {true, false}) {
            events net{topology, make,
                       {.seed = seed, .delay = model, .fifo = fifo, .faults = faults},
                       trace_hash{}};
            net.start_all();
            const report r = net.run();
            print(what, name, seed, net, r);
        }
}

/// Everything that can go wrong, detectors too.
void in_a_swarm(std::uint64_t seed) {
    const complete t{5};
    events_options drawn = swarm{.heals_at = 3000}.draw(seed, t);
    drawn.detector = eventual{5, 10, 2000};
    const auto make = [](node v) {
        return supervised{repaired_ring{chang_roberts{static_cast<int>(v.index)}}, {.beat = 50}};
    };
    events net{t, make, drawn, trace_hash{}};
    net.start_all();
    const report r = net.run_for(5000);
    print("supervised", "swarm", seed, net, r);
}

std::vector<std::uint32_t> ids_of(std::uint64_t seed, std::size_t n) {
    std::vector<std::uint32_t> ids(n);
    for (std::size_t i = 0; i < n; ++i) ids[i] = static_cast<std::uint32_t>(i);
    random_source{seed}.shuffle(ids);
    return ids;
}

}  // namespace

int main() {
    random_source source{2026};
    std::printf("bits %016" PRIx64 "\n", source.bits());

    std::uint64_t hash = 0;
    for (std::uint64_t bound = 1; bound <= 1000; ++bound) hash = mix(hash, source.below(bound));
    std::printf("below %016" PRIx64 "\n", hash);

    std::array order{0, 1, 2, 3, 4, 5, 6, 7};
    source.shuffle(order);
    for (const int i : order) std::printf("%d ", i);
    std::printf("\n");

    constexpr std::size_t n = 16;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const std::vector<std::uint32_t> ids = ids_of(seed, n);
        const auto racing = [&](node v) { return chang_roberts{ids[v]}; };
        in_rounds("chang_roberts", seed, ring{n}, racing);
        in_events("chang_roberts", seed, ring{n}, racing);

        const graph g = random_graph(n, 0.25, seed);
        const auto flooding = [&](node v) { return extinction{ids[v]}; };
        in_rounds("extinction", seed, g, flooding);
        in_events("extinction", seed, g, flooding);
        const auto adopting = [&](node v) { return adoption{ids[v]}; };
        in_rounds("adoption", seed, g, adopting);
        in_events("adoption", seed, g, adopting);
        const auto patient = [&](node v) { return waiting{ids[v]}; };
        in_rounds("waiting", seed, g, patient);
        in_events("waiting", seed, g, patient);

        const auto joining = [&](node v) { return ghs{ids[v], peer_ids(g, v, ids)}; };
        in_rounds("ghs", seed, g, joining);

        const complete all{n};
        const auto bullying = [&](node v) {
            return bully{ids[v], peer_ids(all, v, ids), {.delay_max = 10}};
        };
        in_rounds("bully", seed, all, bullying);
        const fault_plan plan = fault_plan{}.crash(3, 2).crash(5, 7).restart(3, 90);
        in_events("bully", seed, all, bullying, plan);
    }
    for (std::uint64_t seed = 1; seed <= 20; ++seed) in_a_swarm(seed);
}
