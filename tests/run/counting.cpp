// SPDX-License-Identifier: MIT
#include <caucus/run/counting.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/endpoint.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

using namespace caucus;

namespace {

using race = chang_roberts<int>;

struct to_the_right {
    static constexpr guarantee guarantees = guarantee::reliable | guarantee::fifo;
    std::deque<race::message>* inbox;
    static std::size_t degree() { return 1; }
    void send(port, const race::message& m) { inbox->push_back(m); }
};
struct ether {
    std::size_t sent = 0;
    static std::size_t degree() { return 3; }
    void send(port, const auto&) { ++sent; }
    void broadcast(const auto&) { ++sent; }
};
/// Says one thing to everybody.
struct crier {
    struct cry { std::uint32_t what; };
    using message = cry;
    using timer = nothing;
    using outcome = nothing;
    bool heard = false;
    void start(auto& env) { env.broadcast(cry{7}); }
    void on(cry, port, auto&) { heard = true; }
};
struct no_clock {
    static ticks now() { return 0; }
};

}  // namespace

static_assert(counting<to_the_right>::guarantees == to_the_right::guarantees);
static_assert(counting<ether>::guarantees == guarantee::none);

TEST_CASE("counting: on one's own transport the same figures as in a simulation") {
    const std::vector ids{3, 1, 5, 2, 4};
    rounds sim{ring{5}, [&](node v) { return race{ids[v]}; }};
    sim.start_all();
    const report simulated = sim.run();

    std::vector<std::deque<race::message>> inboxes(5);
    std::vector<to_the_right> channels;
    std::vector<counting<to_the_right>> counted;
    for (std::size_t v = 0; v < 5; ++v) channels.push_back({&inboxes[(v + 1) % 5]});
    for (to_the_right& each : channels) counted.emplace_back(each);
    no_clock clock;
    const auto deaf = [](const race::outcome&) {};
    std::deque<endpoint<race, counting<to_the_right>, no_clock, decltype(deaf)>> nodes;
    for (std::size_t v = 0; v < 5; ++v) nodes.emplace_back(race{ids[v]}, counted[v], clock, deaf);
    for (auto& each : nodes) each.start();
    for (bool busy = true; busy;) {
        busy = false;
        for (std::size_t v = 0; v < 5; ++v) {
            if (inboxes[v].empty()) continue;
            const race::message m = inboxes[v].front();
            inboxes[v].pop_front();
            nodes[v].receive(prev, m);
            busy = true;
        }
    }
    report sum;
    std::uint64_t elections = 0;
    std::uint64_t announcements = 0;
    for (const auto& each : counted) {
        sum.messages += each.so_far().messages;
        sum.bits += each.so_far().bits;
        elections += each.so_far().by_kind("election");
        announcements += each.so_far().by_kind<race::elected>();
        CHECK(each.transmissions() == each.so_far().messages);
    }
    CHECK(sum.messages == simulated.messages);
    CHECK(sum.bits == simulated.bits);
    CHECK(elections == simulated.by_kind("election"));
    CHECK(announcements == 5);
}

TEST_CASE("counting: a broadcast is one transmission, and a message for each neighbour") {
    ether medium;
    counting counted{medium};
    counted.broadcast(race::message{race::election{7}});
    counted.send(port{1}, race::message{race::elected{7}});
    CHECK(medium.sent == 2);
    CHECK(counted.transmissions() == 2);
    CHECK(counted.so_far().messages == 4);
    CHECK(counted.so_far().by_kind("election") == 3);
    CHECK(counted.so_far().by_kind("elected") == 1);
    CHECK(counted.so_far().bits == 4 * (8 + 32));
    CHECK(counted.transmitted_bits() == 2 * (8 + 32));
}

TEST_CASE("counting: a broadcast over a medium costs the messages and bits of simulations") {
    rounds sim{complete{4}, [](node) { return crier{}; }};
    sim.start(0);
    const report simulated = sim.run();
    ether medium;
    counting counted{medium};
    no_clock clock;
    const auto deaf = [](const nothing&) {};
    endpoint self{crier{}, counted, clock, deaf};
    self.start();
    CHECK(counted.so_far().messages == simulated.messages);
    CHECK(counted.so_far().bits == simulated.bits);
    CHECK(counted.so_far().by_kind("cry") == simulated.by_kind("cry"));
    CHECK(counted.transmissions() == 1);
    CHECK(3 * counted.transmitted_bits() == simulated.bits);
}

TEST_CASE("counting: of bytes, all that counts is how many; kinds that never came are known") {
    ether medium;
    counting counted{medium};
    counted.send(port{0}, std::string_view{"seven b"});
    counted.send(port{0}, std::string_view{""});
    CHECK(counted.so_far().bits == 56);
    CHECK(counted.so_far().kinds.size() == 1);
    CHECK_THROWS_AS(static_cast<void>(counted.so_far().by_kind("elected")), error);
    counted.send(port{0}, race::message{race::election{7}});
    CHECK(counted.so_far().by_kind("elected") == 0);
}
