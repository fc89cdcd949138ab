// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/tally.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <variant>

using namespace caucus;
using namespace caucus::simulation;

namespace {
struct ping { std::uint8_t number; };
struct pong {};
using message = std::variant<ping, pong>;
}  // namespace

TEST_CASE("tally: counts by kind, and bits by what a kind holds and one byte for the kind") {
    tally<message> counts;
    counts.sent(ping{1});
    counts.sent(message{pong{}});
    counts.sent(message{ping{2}});
    report r;
    counts.fill(r);
    CHECK(counts.messages() == 3);
    CHECK(r.messages == 3);
    CHECK(r.by_kind("ping") == 2);
    CHECK(r.by_kind<pong>() == 1);
    CHECK(r.bits == 2 * (8 + 8) + 8);
    CHECK_FALSE(r.detailed);
}

TEST_CASE("tally: a chain grows by what its sender had received") {
    tally<message> counts;
    counts.keep_detail(3, 3);
    CHECK(counts.sent_in_detail(0, 0) == 1);
    counts.received_in_detail(1, 1);
    CHECK(counts.sent_in_detail(1, 1) == 2);
    counts.received_in_detail(2, 2);
    counts.received_in_detail(2, 1);   // a shorter one changes nothing
    CHECK(counts.sent_in_detail(2, 2) == 3);
    report r;
    counts.fill(r);
    CHECK(r.longest_chain == 3);
    CHECK(r.by_node[1] == 1);
    CHECK(r.by_link[2] == 1);
}
