// SPDX-License-Identifier: MIT
// However many messages are sent, what is held stays the same: also over links that lose some.
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/nacked.hpp>

#include <doctest/doctest.h>

#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <support/casts.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

using namespace caucus;
using namespace support;

namespace {

std::size_t live_bytes = 0;
constexpr std::size_t header = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size) {
    void* p = std::malloc(size + header);
    if (p == nullptr) throw std::bad_alloc{};
    *static_cast<std::size_t*>(p) = size;
    live_bytes += size;
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

struct counts_deliveries : observer {
    std::uint64_t delivered = 0;
    std::uint64_t missed = 0;
    void reported(ticks, node, const auto& outcome) {
        visit_kind(outcome, [&](const auto& kind) {
            if constexpr (requires { kind.from; kind.payload; }) ++delivered;
            if constexpr (requires { kind.from; kind.count; }) missed += kind.count;
        });
    }
};

/// Five members send in turn, each time 40 bytes on the heap, while 5 % is lost. Beyond what the
/// first thousand took, buffers and the simulation's own may still grow to their bounds; what every
/// broadcast left behind, or every second, would be more than that.
void check_flat(auto make, std::uint64_t broadcasts, std::size_t a_little) {
    events net{complete{5}, make,
               {.seed = 3, .faults = fault_plan{}.links({.loss = 0.05}), .keep_outcomes = false},
               counts_deliveries{}};
    std::uint64_t accepted = 0;
    std::size_t after_a_thousand = 0;
    for (std::uint64_t i = 0; i < broadcasts; ++i) {
        const request::broadcast<std::string> cast{std::string(40, 'a')};
        accepted += net.call(i % 5, cast) == answer::accepted;
        net.run_for(30);
        if (i == 999) after_a_thousand = live_bytes;
    }
    net.run_for(20'000);
    CHECK(live_bytes < after_a_thousand + a_little);
    CHECK(net.watcher().delivered + net.watcher().missed == 5 * accepted);
    CHECK(net.watcher().missed * 1000 <= broadcasts);
    CHECK(accepted * 10 > broadcasts * 9);
    MESSAGE(accepted, " accepted, ", net.watcher().missed, " missed; ", live_bytes, " bytes, ",
            after_a_thousand, " after a thousand");
}
void check_flat(std::uint64_t broadcasts, std::size_t a_little) {
    check_flat([](node v) {
        return acked<std::string>{static_cast<int>(v.index), others(5, v)};
    }, broadcasts, a_little);
    check_flat([](node v) { return nacked<std::string>{static_cast<int>(v.index)}; }, broadcasts,
               a_little);
}

}  // namespace

TEST_CASE("memory: acked, nacked: three thousand broadcasts take no more than one thousand") {
    check_flat(3000, 16 * 1024);
}
TEST_CASE("nightly: memory: acked, nacked: a million broadcasts do not, either" * doctest::skip()) {
    check_flat(1'000'000, 64 * 1024);
}
