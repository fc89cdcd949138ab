// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/sleep_bits.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

handlers<chang_roberts<int>> candidates{
    [](node v) { return chang_roberts{static_cast<int>(v.index)}; }};

action start(std::uint32_t v) { return {action::kind::start, v}; }
action delivery(std::uint32_t v, std::uint32_t arc, std::uint32_t message) {
    return {action::kind::deliver, v, arc, 0, message};
}
action expiry_of(std::uint32_t v, std::uint32_t timer) {
    return {action::kind::expire, v, 0, 0, timer};
}

}  // namespace

TEST_CASE("sleep_bits: starts and links have bits of their own, at the node where they happen") {
    world w{wiring{ring{3}}, {}, candidates};
    const sleep_bits bits{w};
    std::uint64_t taken = 0;
    for (std::uint32_t v = 0; v < 3; ++v) {
        const std::uint32_t arc = (v + 2) % 3;   // from the predecessor
        const std::uint64_t mine = bits.of(start(v)) | bits.of(delivery(v, arc, 9));
        CHECK(bits.of(start(v)) != bits.of(delivery(v, arc, 9)));
        CHECK(bits.at(v) == mine);
        CHECK((taken & mine) == 0);
        taken |= mine;
    }
    CHECK((taken & sleep_bits::sleepless) == 0);
    CHECK(bits.of(delivery(0, 2, 9)) == bits.of(delivery(0, 2, 4)));   // fifo: whichever is first
}

TEST_CASE("sleep_bits: unordered links: messages have their own bits, as long as there are some") {
    world w{wiring{ring{3}}, {.fifo = false}, candidates};
    const sleep_bits bits{w};
    CHECK(bits.of(delivery(0, 2, 0)) != bits.of(delivery(0, 2, 1)));
    CHECK(bits.of(delivery(0, 2, 20)) == sleep_bits::sleepless);
    CHECK((bits.at(0) & bits.of(delivery(0, 2, 19))) != 0);
}

TEST_CASE("sleep_bits: timers have bits at their nodes, those left over never sleep") {
    const std::vector<int> ids{3, 2, 1};
    handlers<bully<int>> bullies{
        [&](node v) { return bully{ids[v], peer_ids(complete{3}, v, ids)}; }};
    world w{wiring{complete{3}}, {.when = timers::any_time}, bullies};
    const sleep_bits bits{w};
    CHECK((bits.at(1) & bits.of(expiry_of(1, 0))) != 0);
    CHECK((bits.at(2) & bits.of(expiry_of(1, 0))) == 0);
    CHECK(bits.of(expiry_of(1, 0)) != bits.of(expiry_of(1, 1)));
    CHECK(bits.of(expiry_of(1, 60)) == sleep_bits::sleepless);
}
