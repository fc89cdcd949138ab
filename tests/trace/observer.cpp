// SPDX-License-Identifier: MIT
#include <caucus/trace/observer.hpp>

#include <doctest/doctest.h>

#include "../run/subjects.hpp"

#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <cstddef>
#include <type_traits>

using namespace caucus;

static_assert(std::is_empty_v<observer>, "costs nothing if unused");

namespace {

/// Hides one of the five, and inherits the others.
struct counts_sends : observer {
    std::size_t sends = 0;
    constexpr void sent(ticks, node, port, const auto&) { ++sends; }
};
struct counts_all : observer {
    std::size_t handles = 0;
    std::size_t effects = 0;
    constexpr void handled(ticks, node, const auto&) { ++handles; }
    constexpr void sent(ticks, node, port, const auto&) { ++effects; }
    constexpr void armed(ticks, node, const auto&, ticks) { ++effects; }
    constexpr void disarmed(ticks, node, const auto&) { ++effects; }
    constexpr void reported(ticks, node, const auto&) { ++effects; }
};

}  // namespace

TEST_CASE("observer: whoever hides one function sees that, and the run is the same") {
    const auto make = [](node) { return subjects::gossip{}; };
    rounds plain{ring{3}, make};
    rounds watched{ring{3}, make, {}, counts_sends{}};
    rounds closely{ring{3}, make, {}, counts_all{}};
    plain.start_all();
    watched.start_all();
    closely.start_all();
    const report r = plain.run();
    CHECK(watched.run().messages == r.messages);
    CHECK(closely.run().messages == r.messages);
    CHECK(watched.watcher().sends == r.messages);
    CHECK(closely.watcher().handles > r.messages);   // every message, starts, timers
    CHECK(closely.watcher().effects > r.messages + r.outcomes);
}
