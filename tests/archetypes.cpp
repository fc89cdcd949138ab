// SPDX-License-Identifier: MIT
#include <archetypes.hpp>

#include <doctest/doctest.h>

#include <caucus/core/dispatch.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/election/ring/peterson_alternating.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/run/endpoint.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <caucus/wave/echo.hpp>
#include <caucus/wave/spanning_tree.hpp>

using archetype::by_rank;
using archetype::id;
using caucus::node;
using caucus::port;

static_assert(caucus::identity<id> && !std::totally_ordered<id>);
static_assert(caucus::process<archetype::process>);
static_assert(caucus::environment_for<archetype::environment<archetype::process>,
                                      archetype::process>);

// No algorithm gets more than it asks for.
using ring_node = caucus::chang_roberts<id, by_rank>;
using ring_environment = archetype::environment<ring_node>;
static_assert(caucus::environment_for<ring_environment, ring_node>);
static_assert(!caucus::chance<ring_environment> && !caucus::timepiece<ring_environment>);
static_assert(!caucus::clock<ring_environment, int> && !caucus::memory<ring_environment, int>);

/// With dice for those who toss them.
template <class P>
struct least_environment : archetype::environment<P> {};
template <caucus::tosses_coins P>
struct least_environment<P> : archetype::environment<P>, archetype::loaded_dice {};

/// Processes in the least environment, and nobody else: messages travel one at a time, the first
/// sent by the lowest node first; timers run out, shortest first, when all is silent.
template <class P, class Topology>
struct by_hand_network {
    Topology topology;
    std::vector<P> processes{};
    std::vector<least_environment<P>> environments{};

    void add(P process) {
        const node v{processes.size()};
        processes.push_back(process);
        environments.emplace_back().ports = topology.degree(v);
    }
    void start(std::size_t v) {
        caucus::dispatch(processes[v], caucus::request::start{}, environments[v]);
    }
    bool carry_one() {
        for (std::size_t v = 0; v < processes.size(); ++v) {
            auto& outbox = environments[v].outbox;
            if (outbox.empty()) continue;
            const auto letter = outbox.front();
            outbox.erase(outbox.begin());
            const caucus::far_end far = topology.across(node{v}, letter.out);
            caucus::dispatch(processes[far.node], letter.message, far.port,
                             environments[far.node]);
            return true;
        }
        return false;
    }
    bool fire_one() {
        if constexpr (!std::is_same_v<typename P::timer, caucus::nothing>) {
            for (std::size_t v = 0; v < processes.size(); ++v) {
                auto& armed = environments[v].armed;
                if (armed.empty()) continue;
                const auto first = armed.front();
                armed.erase(armed.begin());
                caucus::dispatch(processes[v], caucus::expiry<typename P::timer>{first.timer},
                                 environments[v]);
                return true;
            }
        }
        return false;
    }
    void run() {
        int steps = 0;
        while (carry_one() || fire_one()) REQUIRE(++steps < 10'000);
    }
};

template <class Network>
static void all_know(const Network& net, id leader) {
    for (std::size_t v = 0; v < net.processes.size(); ++v) {
        CAPTURE(v);
        CHECK(net.processes[v].leader() == leader);
        CHECK(net.processes[v].is_leader() == (net.processes[v].id() == leader));
        CHECK(net.environments[v].heard.size() == 1);
    }
}

template <class Election>
static void elects_on_a_ring() {
    for (const int sign : {1, -1}) {
        by_hand_network<Election, caucus::ring> net{caucus::ring{5}};
        for (const int rank : {3, 1, 5, 2, 4}) net.add(Election{id::ranked(rank), by_rank{sign}});
        for (std::size_t v = 0; v < 5; ++v) net.start(v);
        net.run();
        all_know(net, id::ranked(sign == 1 ? 5 : 1));
    }
}

TEST_CASE("chang_roberts: elects with the least environment, id and an own preference") {
    elects_on_a_ring<ring_node>();
}

TEST_CASE("peterson: elects with the least environment, id and an own preference, in all forms") {
    elects_on_a_ring<caucus::peterson<id, by_rank>>();
    using as_printed = caucus::peterson<id, by_rank, caucus::printed>;
    by_hand_network<as_printed, caucus::ring> net{caucus::ring{3}};
    for (const int rank : {3, 1, 2})
        net.add(as_printed{id::ranked(rank), by_rank{}, caucus::printed{}});
    for (std::size_t v = 0; v < 3; ++v) net.start(v);
    net.run();
    all_know(net, id::ranked(3));
    elects_on_a_ring<caucus::peterson_alternating<id, by_rank>>();
}

template <class Election>
static void elects_on_a_two_way_ring() {
    for (const int sign : {1, -1}) {
        by_hand_network<Election, caucus::two_way_ring> net{caucus::two_way_ring{5}};
        for (const int rank : {3, 1, 5, 2, 4}) net.add(Election{id::ranked(rank), by_rank{sign}});
        for (std::size_t v = 0; v < 5; ++v) net.start(v);
        net.run();
        all_know(net, id::ranked(sign == 1 ? 5 : 1));
    }
}

TEST_CASE("franklin, hirschberg_sinclair, two_way: elect with the least environment and id") {
    elects_on_a_two_way_ring<caucus::franklin<id, by_rank>>();
    elects_on_a_two_way_ring<caucus::hirschberg_sinclair<id, by_rank>>();
    elects_on_a_two_way_ring<caucus::two_way<id, by_rank>>();
}

TEST_CASE("extinction: elects with the least environment, id and an own preference") {
    using wave = caucus::extinction<id, by_rank>;
    by_hand_network<wave, caucus::complete> net{caucus::complete{4}};
    for (const int rank : {3, 1, 4, 2}) net.add(wave{id::ranked(rank), by_rank{-1}});
    for (std::size_t v = 0; v < 4; ++v) net.start(v);
    net.run();
    all_know(net, id::ranked(1));
}

TEST_CASE("ghs: elects with the least environment, id, weight and an own preference") {
    class weight {
    public:
        weight() = default;
        explicit weight(int x) : x_(x) {}
        bool operator<(const weight& other) const { return x_ < other.x_; }

    private:
        int x_ = 0;
    };
    using tree = caucus::ghs<id, weight, caucus::heap_storage, by_rank>;
    const std::vector ids{id::ranked(2), id::ranked(1), id::ranked(3)};
    const std::vector weights{weight{5}, weight{4}, weight{3}};   // of 0-1, 1-2, 2-0
    by_hand_network<tree, caucus::complete> net{caucus::complete{3}};
    for (std::size_t v = 0; v < 3; ++v)
        net.add(tree{ids[v], std::vector{ids[(v + 1) % 3], ids[(v + 2) % 3]},
                     std::vector{weights[v], weights[(v + 2) % 3]}, by_rank{-1}});
    net.start(1);
    net.run();
    all_know(net, id::ranked(2));
    CHECK_FALSE(net.processes[0].is_branch(port{0}));
}

TEST_CASE("bully: elects with the least environment, id and an own preference") {
    using bully = caucus::bully<id, caucus::heap_storage, by_rank>;
    const std::vector ids{id::ranked(2), id::ranked(1), id::ranked(3)};
    by_hand_network<bully, caucus::complete> net{caucus::complete{3}};
    for (std::size_t v = 0; v < 3; ++v)
        net.add(bully{ids[v], std::vector{ids[(v + 1) % 3], ids[(v + 2) % 3]}, {}, by_rank{}});
    net.start(1);
    net.run();
    for (const auto& process : net.processes) CHECK(process.leader() == ids[2]);
}

TEST_CASE("echo: folds values that can be copied, and nothing else, in the least environment") {
    class value {
    public:
        explicit value(int x) : x_(x) {}
        int get() const { return x_; }

    private:
        int x_;
    };
    const auto add = [](const value& a, const value& b) { return value{a.get() + b.get()}; };
    using wave = caucus::echo<value, decltype(add)>;
    by_hand_network<wave, caucus::star> net{caucus::star{5}};
    for (int v = 0; v < 5; ++v) net.add(wave{value{v}, add});
    net.start(2);
    net.run();
    REQUIRE(net.environments[2].heard.size() == 1);
    CHECK(net.environments[2].heard[0].value.get() == 0 + 1 + 2 + 3 + 4);
}

TEST_CASE("spanning_tree: four join in the least environment") {
    using tree = caucus::spanning_tree<>;
    by_hand_network<tree, caucus::complete> net{caucus::complete{5}};
    net.add(tree{});   // the registry
    for (const std::size_t v : {1u, 2u, 3u, 4u}) net.add(tree{port{4 - v}});
    for (const std::size_t v : {3u, 1u, 4u, 2u}) net.start(v);
    net.run();
    std::size_t roots = 0;
    for (std::size_t v = 1; v < 5; ++v) {
        CHECK(net.processes[v].is_attached());
        roots += net.processes[v].is_root() ? 1 : 0;
    }
    CHECK(roots == 1);
}

/// Passes a parcel on until it is used up.
struct courier {
    using message = archetype::parcel;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    int seen = 0;

    constexpr void start(auto& env) { env.broadcast(message::of(3)); }
    constexpr void on(const message& m, port from, auto& env) {
        ++seen;
        if (m.content() > 0) env.send(from, message::of(m.content() - 1));
    }
};

TEST_CASE("rounds, events: carry messages that have no default value, for a process with no card") {
    const auto make = [](node) { return courier{}; };
    caucus::rounds sim{caucus::path{2}, make};
    sim.start(0);
    CHECK(sim.run().messages == 4);
    CHECK((sim[0].seen == 2 && sim[1].seen == 2));
    caucus::events net{caucus::path{2}, make};
    net.start(0);
    CHECK(net.run().messages == 4);
    CHECK((net[0].seen == 2 && net[1].seen == 2));
}

TEST_CASE("rounds, events, endpoint: run the least process") {
    const auto make = [](node) { return archetype::process{}; };
    caucus::rounds sim{caucus::ring{3}, make};
    sim.start_all();
    CHECK(sim.run().messages == 0);
    caucus::events net{caucus::ring{3}, make};
    net.start_all();
    CHECK(net.run().messages == 0);
    archetype::channel<caucus::nothing> channel{2};
    archetype::watch clock;
    archetype::listener<caucus::nothing> listener;
    caucus::endpoint self{archetype::process{}, channel, clock, listener};
    self.start();
    self.advance();
    CHECK_FALSE(self.next_deadline());
    CHECK(channel.outbox.empty());
}
