// SPDX-License-Identifier: MIT
#include <caucus/run/endpoint.hpp>

#include <doctest/doctest.h>

#include "subjects.hpp"

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <type_traits>
#include <utility>
#include <vector>

// Endpoints over queues of our own, beside the simulation: the same election, message for message.

using namespace caucus;

namespace {

template <class Topology, class P>
class wired_network {
public:
    template <class Make>
    wired_network(Topology topology, Make make) : topology_(topology) {
        for (std::size_t v = 0; v < topology_.nodes(); ++v)
            seats_.emplace_back(*this, node{v}, make(node{v}));
    }

    void start(std::size_t v) { seat_of(v).self.start(); }

    /// Tick by tick: a node's messages by port, then its timers.
    void run() {
        while (!queue_.empty() || any_deadline()) {
            ++time_;
            std::vector<letter> arriving = std::exchange(queue_, {});
            std::stable_sort(arriving.begin(), arriving.end(), [](const auto& a, const auto& b) {
                return a.to.node != b.to.node ? a.to.node.index < b.to.node.index
                                              : a.to.port.index() < b.to.port.index();
            });
            for (const letter& l : arriving)
                CHECK(seat_of(l.to.node).self.receive(l.to.port, l.content));
            for (seat& s : seats_) s.self.advance();
        }
    }

    std::uint64_t messages() const { return messages_; }
    ticks now() const { return time_; }
    const P& operator[](std::size_t v) { return seat_of(v).self.process(); }
    std::size_t outcomes() const { return outcomes_; }

private:
    struct letter {
        far_end to;
        typename P::message content;
    };
    struct wires {
        static constexpr caucus::guarantee guarantees = perfect_links;
        std::size_t degree() const { return net.topology_.degree(self); }
        void send(port p, const typename P::message& m) {
            ++net.messages_;
            net.queue_.push_back({checked_across(net.topology_, self, p), m});
        }
        wired_network& net;
        node self;
    };
    struct ear {
        void report(const typename P::outcome&) { ++net.outcomes_; }
        wired_network& net;
    };
    struct seat {
        seat(wired_network& net, node v, P process)
            : channel{net, v}, listener{net}, self{std::move(process), channel, net, listener} {}
        wires channel;
        ear listener;
        endpoint<P, wires, wired_network, ear> self;
    };

    bool any_deadline() const {
        return std::any_of(seats_.begin(), seats_.end(),
                           [](const seat& s) { return s.self.next_deadline().has_value(); });
    }
    seat& seat_of(std::size_t v) {
        return *std::next(seats_.begin(), static_cast<std::ptrdiff_t>(v));
    }

    Topology topology_;
    std::list<seat> seats_;
    std::vector<letter> queue_;
    std::uint64_t messages_ = 0;
    std::size_t outcomes_ = 0;
    ticks time_ = 0;
};

template <class Topology, class Make>
wired_network(Topology, Make) -> wired_network<Topology, std::invoke_result_t<Make, node>>;

void same_as_rounds(auto topology, auto make, const std::vector<std::size_t>& initiators) {
    wired_network net{topology, make};
    rounds sim{topology, make};
    for (const std::size_t v : initiators) net.start(v), sim.start(v);
    net.run();
    const report r = sim.run();
    CHECK(net.messages() == r.messages);
    CHECK(net.outcomes() == r.outcomes);
    CHECK(net.now() == r.rounds);
    for (std::size_t v = 0; v < topology.nodes(); ++v) {
        CHECK(net[v].leader().has_value());
        CHECK(same(net[v], sim[v]));
    }
}

struct one_wire {
    static constexpr caucus::guarantee guarantees = guarantee::reliable;
    static constexpr std::size_t degree() { return 1; }
    void send(port, const chang_roberts<int>::message&) { ++sent; }
    int sent = 0;
};

}  // namespace

TEST_CASE("endpoint: a ring of them elects as rounds do, chang_roberts") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const std::size_t n = 1 + seed;
        const auto ids = subjects::shuffled_ids(n, seed);
        const auto make = [&](node v) { return chang_roberts{ids[v]}; };
        same_as_rounds(ring{n}, make, {0});
        same_as_rounds(ring{n}, make, {n - 1, 0, n / 2});
    }
}

TEST_CASE("endpoint: a graph of them elects as rounds do, extinction") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const std::size_t n = 4 + seed;
        const auto ids = subjects::shuffled_ids(n, seed);
        const auto make = [&](node v) { return extinction{ids[v]}; };
        same_as_rounds(random_graph(n, 0.4, seed), make, {seed % n});
        same_as_rounds(random_tree(n, seed), make, {0, 1, 2, 3});
    }
}

TEST_CASE("endpoint: a complete network of them elects as rounds do, timers included, bully") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const std::size_t n = 1 + seed % 8;
        const auto ids = subjects::shuffled_ids(n, seed);
        const auto make = [&](node v) { return bully{ids[v], peer_ids(complete{n}, v, ids)}; };
        same_as_rounds(complete{n}, make, {0});
        same_as_rounds(complete{n}, make, {seed % n, 0, n / 2});
    }
}

TEST_CASE("endpoint: a one-way ring hears by prev and no other port") {
    one_wire channel;
    struct { ticks now() const { return 0; } } clock;
    auto ignore = [](const elected<int>&) {};
    endpoint self{chang_roberts{5}, channel, clock, ignore};
    CHECK_FALSE(self.receive(next, chang_roberts<int>::election{9}));
    CHECK(channel.sent == 0);
    CHECK(self.receive(prev, chang_roberts<int>::election{9}));
    CHECK(channel.sent == 1);
}
