// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/network.hpp>

#include <doctest/doctest.h>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

// What a large simulation costs: processes and messages in flight, nothing for nodes that are idle.

using namespace caucus;

namespace {

std::size_t live_bytes = 0;
std::size_t live_bytes_most = 0;
std::size_t allocations = 0;
constexpr std::size_t header = alignof(std::max_align_t);

constexpr std::size_t n = 100'000;
constexpr std::size_t a_little = 64 * 1024;

}  // namespace

void* operator new(std::size_t size) {
    void* p = std::malloc(size + header);
    if (p == nullptr) throw std::bad_alloc{};
    *static_cast<std::size_t*>(p) = size;
    live_bytes += size;
    if (live_bytes > live_bytes_most) live_bytes_most = live_bytes;
    ++allocations;
    return static_cast<char*>(p) + header;
}
void operator delete(void* p) noexcept {
    if (p == nullptr) return;
    void* block = static_cast<char*>(p) - header;
    live_bytes -= *static_cast<std::size_t*>(block);
    std::free(block);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

namespace {

/// What a simulation holds after its run beyond n processes, and how often the run allocated.
struct cost_of_run {
    std::size_t bytes = 0;
    std::size_t allocations = 0;
};

const auto make = [](node v) {
    return chang_roberts<std::uint32_t, silent>{static_cast<std::uint32_t>(v.index), {}};
};

/// One id goes round once; only the leader reports.
template <class Sim>
cost_of_run one_lap(Sim&& make_sim) {
    const std::size_t before = live_bytes;
    auto sim = make_sim();
    sim.start(n - 1);
    const std::size_t allocations_before = allocations;
    CHECK(sim.run().messages == n);
    return {live_bytes - before - n * sizeof(sim[0]), allocations - allocations_before};
}

}  // namespace

TEST_CASE("memory: in rounds, n processes and next to nothing, 10^5 nodes, 10^5 rounds") {
    const cost_of_run cost = one_lap([] { return rounds{ring{n}, make}; });
    CHECK(cost.bytes < a_little);
    CHECK(cost.allocations < 100);
}

TEST_CASE("memory: in events with unit delays, n processes and a wheel") {
    const cost_of_run cost = one_lap([] { return events{ring{n}, make, {.delay = unit{}}}; });
    CHECK(cost.bytes < a_little);
    CHECK(cost.allocations < 100);
}

TEST_CASE("memory: with random delays, 4 bytes a node for lots and 8 a link for fifo") {
    const cost_of_run fifo = one_lap([] { return events{ring{n}, make}; });
    CHECK(fifo.bytes < (4 + 8) * n + a_little);
    CHECK(fifo.bytes > (4 + 8) * n);
    CHECK(fifo.allocations < 3000);   // buckets of the wheel, each once
    const cost_of_run unordered = one_lap([] { return events{ring{n}, make, {.fifo = false}}; });
    CHECK(unordered.bytes < 4 * n + a_little);
}

TEST_CASE("memory: detail costs 12 bytes a node and 8 a link") {
    const cost_of_run cost =
        one_lap([] { return rounds{ring{n}, make, {.detail = detail_level::on}}; });
    CHECK(cost.bytes < (12 + 8) * n + a_little);
    CHECK(cost.bytes > (12 + 8) * n);
}

namespace {

/// Cries whenever it is started, and says what it hears, from whom it is told, and who is back.
struct crier {
    struct cry {};
    using message = cry;
    using timer = nothing;
    using outcome = std::size_t;
    static constexpr cost messages(size s) { return {s.nodes - 1, s.nodes - 1}; }

    static constexpr void start(auto& env) { env.broadcast(cry{}); }
    static constexpr void on(cry, port from, auto& env) { env.report(from.index()); }
    static constexpr void on(suspect s, auto& env) { env.report(s.whom.index()); }
    static constexpr void on(trust t, auto& env) { env.report(t.whom.index()); }
};
const auto make_crier = [](node) { return crier{}; };

struct counts_reports : observer {
    std::uint64_t reports = 0;
    void reported(ticks, node, const auto&) { ++reports; }
};

/// After the first thousand broadcasts among five, no byte more is held.
void check_flat(auto net, std::uint64_t broadcasts) {
    report r;
    std::size_t after_a_thousand = 0;
    for (std::uint64_t i = 0; i < broadcasts; ++i) {
        net.start(i % 5);
        r = net.run();
        if (i == 999) after_a_thousand = live_bytes;
    }
    CHECK(live_bytes == after_a_thousand);
    CHECK(net.outcomes().empty());
    CHECK(r.outcomes == 4 * broadcasts);
    CHECK(r.messages == 4 * broadcasts);
    CHECK(net.watcher().reports == 4 * broadcasts);
}
void check_flat(std::uint64_t broadcasts) {
    check_flat(rounds{complete{5}, make_crier, {.keep_outcomes = false}, counts_reports{}},
               broadcasts);
    check_flat(events{complete{5}, make_crier, {.keep_outcomes = false}, counts_reports{}},
               broadcasts);
}

/// The most that such a simulation of 10,000 nodes, each linked to each, holds at any time.
std::size_t held_most(events_options options, std::size_t crying) {
    const std::size_t before = live_bytes;
    live_bytes_most = live_bytes;
    options.keep_outcomes = false;
    events net{complete{10'000}, make_crier, std::move(options)};
    for (std::size_t v = 0; v < crying; ++v) net.start(v);
    static_cast<void>(net.run());
    return live_bytes_most - before;
}

}  // namespace

TEST_CASE("memory: outcomes that are not kept are counted and told, and take no room") {
    check_flat(2000);
    events kept{complete{5}, make_crier, {.delay = unit{}}};
    kept.start(0);
    CHECK(kept.run().outcomes == 4);
    CHECK(kept.outcomes().size() == 4);
}
TEST_CASE("nightly: memory: a million broadcasts take no more than a thousand" * doctest::skip()) {
    check_flat(1'000'000);
}

TEST_CASE("memory: without kept outcomes another election is noticed all the same") {
    rounds sim{complete{3}, make_crier, {.keep_outcomes = false}};
    sim.start(0);
    CHECK(sim.run().proven);
    sim.start(1);
    CHECK_FALSE(sim.run().proven);
    CHECK(sim.outcomes().empty());
}

TEST_CASE("memory: of 10^8 arcs only those are stored on which something happens") {
    constexpr std::size_t megabyte = 1024 * 1024;
    for (const detector_model& detector :
         {detector_model{perfect{5}}, detector_model{eventual{5, 100, 1000}}}) {
        const fault_plan plan = fault_plan{}.crash(7, 20).restart(7, 60).cut(3, 4, 5, 50);
        CHECK(held_most({.faults = plan, .detector = detector}, 1) < 32 * megabyte);
    }
    CHECK(held_most({.fifo = false, .detector = perfect{5}}, 3) < 32 * megabyte);
}
