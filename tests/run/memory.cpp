// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/network.hpp>

#include <doctest/doctest.h>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

// What a large simulation costs: processes and messages in flight, nothing for nodes that are idle.

using namespace caucus;

namespace {

std::size_t live_bytes = 0;
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
