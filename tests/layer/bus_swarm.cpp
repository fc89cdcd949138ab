// SPDX-License-Identifier: MIT
// Storms of loss, delay, crashes and partitions, in which devices come late and leave, too.
#include <caucus/layer/bus.hpp>

#include <caucus/detector/heartbeat.hpp>
#include <caucus/election/tree/firewire.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/swarm.hpp>
#include <caucus/topology/generators.hpp>
#include <support/buses.hpp>
#include <support/instances.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using namespace caucus;
using namespace support;

namespace {

constexpr ticks settling = 30'000;   // five collisions in a row are rare, and take 3000 ticks

auto watched(auto election) {
    return heartbeat{reliable{bus{election}}, {.beat = 100}, fixed_timeout{350}};
}

/// Storms, calm, storms: each bus has one leader when all has healed, and never two.
template <class Elect>
void weather(std::uint64_t runs, Elect elect, const swarm& how = {}) {
    std::uint64_t resets = 0, parted = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        CAPTURE(seed);
        const graph t = random_tree(2 + seed % 8, seed);
        events net{t, [&](node v) { return watched(elect(v)); }, how.draw(seed, t)};
        net.start_all();
        const auto two = [&] { return two_lead_on_a_bus(net); };
        net.run_until(two, {.max_ticks = how.heals_at + settling});
        CHECK_FALSE(two());
        CHECK(each_bus_is_identified(net));
        resets += bus_in(net[0]).resets();
        parted += bus_in(net[0]).resets() > 2;
    }
    MESSAGE(runs, " runs, ", resets, " resets as seen by node 0, more than two in ", parted);
    CHECK(parted > runs / 4);
}
constexpr std::uint64_t runs_a_day = sanitized ? 10 : 100;
constexpr swarm coming_and_going{.newcomers_max = 3, .leavers_max = 2};
const auto coin = [](node) { return firewire{}; };
const auto id = [](node v) { return firewire{static_cast<int>(v.index)}; };

}  // namespace

TEST_CASE("bus: heartbeat<reliable<bus<firewire>>> through storms of loss, delay, crashes, "
          "partitions: one leader on each bus, by coin and by id, a hundred runs each") {
    weather(runs_a_day, coin);
    weather(runs_a_day, id);
}

TEST_CASE("bus: so it is if devices come late and leave, in the same storms") {
    weather(runs_a_day, coin, coming_and_going);
    weather(runs_a_day, id, coming_and_going);
}

TEST_CASE("nightly: bus: both, ten thousand runs each" * doctest::skip()) {
    for (const swarm& how : {swarm{}, coming_and_going}) {
        weather(10'000, coin, how);
        weather(10'000, id, how);
    }
}
