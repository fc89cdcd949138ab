// SPDX-License-Identifier: MIT
#include <archetypes.hpp>

#include <doctest/doctest.h>

#include <caucus/core/dispatch.hpp>
#include <caucus/detector/heartbeat.hpp>
#include <caucus/detector/phi_accrual.hpp>
#include <caucus/detector/swim.hpp>
#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/complete/invitation.hpp>
#include <caucus/election/graph/adoption.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/election/graph/waiting.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/election/ring/peterson_alternating.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/election/tree/firewire.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/layer/grouped.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/synchronizer.hpp>
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
#include <caucus/wave/traversal.hpp>

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
template <caucus::reads_clock P>
struct least_environment<P> : archetype::environment<P>, archetype::watch {};

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
        using caucus::request::start;
        static_cast<void>(caucus::dispatch(processes[v], start{}, environments[v]));
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
    /// All start.
    void elect() {
        for (std::size_t v = 0; v < processes.size(); ++v) start(v);
        run();
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

/// Whatever the preference, the best leads.
template <class Election, class Topology>
static void elects_on(const Topology& topology, const std::vector<int>& ranks) {
    const int best = static_cast<int>(ranks.size());
    for (const int sign : {1, -1}) {
        by_hand_network<Election, Topology> net{topology};
        for (const int rank : ranks) net.add(Election{id::ranked(rank), by_rank{sign}});
        net.elect();
        all_know(net, id::ranked(sign == 1 ? best : 1));
    }
}
template <class Election>
static void elects_on_a_ring() {
    elects_on<Election>(caucus::ring{5}, {3, 1, 5, 2, 4});
}
template <class Election>
static void elects_on_a_two_way_ring() {
    elects_on<Election>(caucus::two_way_ring{5}, {3, 1, 5, 2, 4});
}
template <class Election>
static void elects_on_a_graph() {
    elects_on<Election>(caucus::complete{4}, {3, 1, 4, 2});
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
    net.elect();
    all_know(net, id::ranked(3));
    elects_on_a_ring<caucus::peterson_alternating<id, by_rank>>();
}

TEST_CASE("franklin, hirschberg_sinclair, two_way: elect with the least environment and id") {
    elects_on_a_two_way_ring<caucus::franklin<id, by_rank>>();
    elects_on_a_two_way_ring<caucus::hirschberg_sinclair<id, by_rank>>();
    elects_on_a_two_way_ring<caucus::two_way<id, by_rank>>();
}

TEST_CASE("extinction, adoption, waiting: elect with the least environment and id") {
    elects_on_a_graph<caucus::extinction<id, by_rank>>();
    elects_on_a_graph<caucus::adoption<id, by_rank>>();
    elects_on_a_graph<caucus::waiting<id, by_rank>>();
}

TEST_CASE("traversal_election: elects with the least environment and id, by colour and by path") {
    const std::vector ids{id::ranked(3), id::ranked(1), id::ranked(4), id::ranked(2)};
    using by_colour = caucus::traversal_election<id, by_rank>;
    by_hand_network<by_colour, caucus::complete> coloured{caucus::complete{4}};
    for (const id& each : ids) coloured.add(by_colour{each, by_rank{-1}});
    coloured.elect();
    all_know(coloured, id::ranked(1));

    using path = caucus::by_path<id, std::vector<id>>;
    using by_path = caucus::traversal_election<id, by_rank, path>;
    by_hand_network<by_path, caucus::complete> listed{caucus::complete{4}};
    for (std::size_t v = 0; v < 4; ++v)
        listed.add(by_path{ids[v], by_rank{},
                           path{ids[v], {ids[(v + 1) % 4], ids[(v + 2) % 4], ids[(v + 3) % 4]}}});
    listed.elect();
    all_know(listed, id::ranked(4));
}

TEST_CASE("tree_wave, firewire: elect with the least environment, id and an own preference") {
    using wave = caucus::tree_wave<id, by_rank>;
    by_hand_network<wave, caucus::star> net{caucus::star{4}};
    for (const int rank : {3, 1, 4, 2}) net.add(wave{id::ranked(rank), by_rank{-1}});
    net.start(2);
    net.run();
    all_know(net, id::ranked(1));

    using by_id = caucus::firewire<id, by_rank>;
    by_hand_network<by_id, caucus::path> line{caucus::path{2}};
    for (const int rank : {1, 2}) line.add(by_id{id::ranked(rank), {.reaction = 0}, by_rank{-1}});
    line.elect();
    all_know(line, id::ranked(1));

    by_hand_network<caucus::firewire<>, caucus::path> pair{caucus::path{2}};
    for (std::size_t v = 0; v < 2; ++v) pair.add(caucus::firewire{});
    pair.elect();
    CHECK(pair.processes[0].is_leader() != pair.processes[1].is_leader());
    for (const auto& environment : pair.environments) CHECK(environment.heard.size() == 1);
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

TEST_CASE("afek_gafni: elects with the least environment, id and an own preference") {
    using election = caucus::afek_gafni<id, by_rank>;
    by_hand_network<election, caucus::complete> net{caucus::complete{4}};
    for (const int rank : {3, 1, 4, 2}) net.add(election{id::ranked(rank), by_rank{-1}});
    net.elect();
    all_know(net, *net.processes[0].leader());
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

TEST_CASE("invitation: groups with the least environment, id and an own preference") {
    using process = caucus::invitation<id, caucus::heap_storage, by_rank>;
    const std::vector ids{id::ranked(2), id::ranked(1), id::ranked(3)};
    by_hand_network<process, caucus::complete> net{caucus::complete{3}};
    for (std::size_t v = 0; v < 3; ++v)
        net.add(process{ids[v], std::vector{ids[(v + 1) % 3], ids[(v + 2) % 3]}, {}, by_rank{-1}});
    for (std::size_t v = 0; v < 3; ++v) net.start(v);
    for (int steps = 0; steps < 60; ++steps) CHECK((net.carry_one() || net.fire_one()));
    std::size_t leaders = 0;
    for (const auto& each : net.processes) {
        CHECK(each.group() == net.processes[0].group());
        leaders += each.is_leader();
    }
    CHECK(leaders == 1);
}

/// What a wave folds: can be copied, and nothing else.
class value {
public:
    explicit value(int x) : x_(x) {}
    int get() const { return x_; }

private:
    int x_;
};

template <template <class...> class Wave>
static void folds_on_a_star() {
    const auto add = [](const value& a, const value& b) { return value{a.get() + b.get()}; };
    using wave = Wave<value, decltype(add)>;
    by_hand_network<wave, caucus::star> net{caucus::star{5}};
    for (int v = 0; v < 5; ++v) net.add(wave{value{v}, add});
    net.start(2);
    net.run();
    REQUIRE(net.environments[2].heard.size() == 1);
    CHECK(net.environments[2].heard[0].value.get() == 0 + 1 + 2 + 3 + 4);
}

TEST_CASE("echo, traversal: fold values that can only be copied, in the least environment") {
    folds_on_a_star<caucus::echo>();
    folds_on_a_star<caucus::traversal>();
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

/// A detector of two neighbours in the least environment: one is silent, and then is not.
template <class Detector>
static void suspects_and_trusts(Detector self, const auto& silence, const auto& sign_of_life) {
    static_assert(caucus::environment_for<least_environment<Detector>, Detector>);
    least_environment<Detector> env;
    env.ports = 2;
    self.start(env);
    CHECK_FALSE(env.outbox.empty());
    self.on(silence, env);
    CHECK((self.suspects(port{0}) != self.suspects(port{1})));
    for (const port p : caucus::ports(2)) self.on(sign_of_life, p, env);
    CHECK_FALSE((self.suspects(port{0}) || self.suspects(port{1})));
}

TEST_CASE("heartbeat, swim: watch the least process in the least environment") {
    using beating = caucus::heartbeat<archetype::process>;
    suspects_and_trusts(beating{archetype::process{}}, beating::silence{port{1}}, beating::beat{});
    using accruing = caucus::heartbeat<archetype::process, caucus::phi_accrual<>>;
    suspects_and_trusts(accruing{archetype::process{}, {}, caucus::phi_accrual<>{}},
                        accruing::silence{port{1}}, accruing::beat{});
    using probing = caucus::swim<archetype::process>;
    suspects_and_trusts(probing{archetype::process{}}, probing::period_over{},
                        probing::ping{port{2}, 1, {{{}, 0, 1}, {}}});
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

TEST_CASE("layers: carry an election and parcels, in least surroundings") {
    using election = caucus::franklin<id, by_rank>;
    using rounds_of_it = caucus::synchronizer<election, caucus::for_rounds>;
    const auto elects = []<class Layer>(auto wrap, const Layer*) {
        by_hand_network<Layer, caucus::two_way_ring> net{caucus::two_way_ring{3}};
        for (const int rank : {3, 1, 2}) net.add(wrap(election{id::ranked(rank), by_rank{-1}}));
        net.elect();
        for (std::size_t v = 0; v < 3; ++v) CHECK(net.environments[v].heard.size() == 1);
        return net.processes;
    };
    const auto sure = elects([](election e) { return caucus::reliable{e}; },
                             static_cast<caucus::reliable<election>*>(nullptr));
    for (const auto& each : sure) CHECK(each.leader() == id::ranked(1));
    const auto open = elects([](election e) { return caucus::candid{e}; },
                             static_cast<caucus::candid<election>*>(nullptr));
    for (const auto& each : open) CHECK(each.leader() == id::ranked(1));
    const auto even = elects(
        [](election e) { return caucus::synchronizer{e, caucus::for_rounds{20}}; },
        static_cast<rounds_of_it*>(nullptr));
    for (const auto& each : even) CHECK(each.leader() == id::ranked(1));
    const auto one = elects([](election e) { return caucus::grouped{std::vector{e}}; },
                            static_cast<caucus::grouped<election>*>(nullptr));
    for (const auto& each : one) CHECK(each[0].leader() == id::ranked(1));

    const auto carries = [](auto wrap, auto look) {
        caucus::events net{caucus::path{2}, [&](node) { return wrap(courier{}); }};
        net.start(0);
        net.run();
        CHECK((look(net[0]).seen == 2 && look(net[1]).seen == 2));
    };
    const auto inside = [](const auto& layer) -> const courier& { return layer.process(); };
    carries([](courier c) { return caucus::reliable{c}; }, inside);
    carries([](courier c) { return caucus::synchronizer{c, caucus::for_rounds{9}}; }, inside);
    carries([](courier c) { return caucus::grouped{std::vector{c}}; },
            [](const auto& layer) -> const courier& { return layer[0]; });
}

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
