// SPDX-License-Identifier: MIT
#include <caucus/layer/on_tree.hpp>

#include <archetypes.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <support/instances.hpp>
#include <support/on_tree.hpp>
#include <support/unstarted.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using support::sizes;
using support::way;

namespace {

constexpr supervised_options quiet(std::size_t nodes) {
    return {.beat = 0, .timeout = 200, .election_max = 600, .reach = nodes};
}
/// Whoever is better than the leader calls an election: so the best leads.
using by_wave = on_tree<supervised<tree_wave<int>, preemptive>>;
using ballots = by_wave::process_type;
ballots electing(int id, const supervised_options& options) {
    return ballots{tree_wave{id}, options, preemptive{}};
}

/// Node 0 is the registry; the others, with these ids, join.
template <class P = by_wave>
auto nodes_with(const std::vector<int>& ids, std::size_t connections) {
    return [=](node v) {
        const std::size_t n = ids.size() + 1;
        return P{electing(v == 0 ? 0 : ids[v - 1], quiet(n)),
                 support::place_of(v, n, connections)};
    };
}
constexpr ticks settling = 20'000;

/// They join one after the other.
template <class P = by_wave>
auto built(const std::vector<int>& ids, std::size_t connections, events_options options = {}) {
    const std::size_t n = ids.size() + 1;
    events net{complete{n}, nodes_with<P>(ids, connections), options};
    for (std::size_t v = 1; v < n; ++v) {
        net.start(v);
        net.run_for(20);
    }
    net.run_for(settling);
    return net;
}
/// All who live hang in one tree and follow their best.
bool is_settled(const auto& g) {
    return support::best_leads(g) && support::all_hang(support::trees_of{g});
}

}  // namespace

// Shape

static_assert(process<by_wave>);
static_assert(by_wave::assumes.topology == shape::complete);
static_assert(by_wave::assumes.links == perfect_links);
static_assert(kind_of<placed, by_wave::outcome> && kind_of<installed<int>, by_wave::outcome>);
static_assert(by_wave::timers(5) == ballots::timers(5));
static_assert(std::is_same_v<decltype(on_tree{electing(1, {}), spanning_tree{}}), by_wave>);
using small = on_tree<supervised<tree_wave<int>, inplace_storage<2>>, inplace_storage<2>>;
static_assert(std::is_same_v<decltype(on_tree{supervised{tree_wave{1}, inplace_storage<2>{}},
                                              spanning_tree{inplace_storage<2>{}}}), small>);
// ghs knows its peers by port, and would wait for those beyond the tree.
static_assert(!needs_a_process_that_hides_suspects__wrap_it_in_supervised<tree_wave<int>>);
using by_ghs = decltype(supervised{ghs{1, std::vector{2}}});
static_assert(!needs_a_process_that_hides_suspects__wrap_it_in_supervised<by_ghs>);
static_assert(needs_a_process_for_trees_or_graphs<by_ghs>);
using by_bully = decltype(supervised{bully{1, std::vector{2}}});
static_assert(!needs_a_process_for_trees_or_graphs<by_bully>);

// By hand

namespace {

/// A node with three ports, the registry behind the last, that is the root by now.
struct bench {
    archetype::environment<by_wave> env{};
    by_wave node{electing(5, quiet(4)), spanning_tree{port{2}}};

    bench() {
        env.ports = 3;
        node.start(env);
        receive(by_wave::tree_type::members{}, port{2});
        env.outbox.clear();
    }
    void receive(const by_wave::message& m, port from) { dispatch(node, m, from, env); }
    void receive_beat(port from) {
        receive(by_wave::carried{ballots::beat{9, epoch<int>{9, 7, {}}, 0}}, from);
    }
    template <class Kind>
    std::size_t sent(port p) const {
        std::size_t count = 0;
        for (const auto& l : env.outbox)
            count += l.out == p && std::holds_alternative<Kind>(l.message);
        return count;
    }
};

}  // namespace

TEST_CASE("on_tree: who hangs alone leads; what P sends goes to those it is linked to") {
    bench b;
    CHECK(b.node.is_leader());
    CHECK_FALSE(b.node.is_link(port{0}));
    b.receive(by_wave::hung{}, port{0});
    CHECK(b.node.is_link(port{0}));
    b.receive(by_wave::left{}, port{0});
    b.receive(by_wave::hung{}, port{1});
    CHECK_FALSE(b.node.is_link(port{0}));
    b.env.outbox.clear();
    b.receive_beat(port{1});                       // of a leader that is better: it is passed on
    CHECK(b.node.leader() == 7);
    CHECK(b.sent<by_wave::carried>(port{1}) > 0);
    CHECK(b.sent<by_wave::carried>(port{0}) == 0);
    CHECK(b.sent<by_wave::carried>(port{2}) == 0);
}

TEST_CASE("on_tree: what comes from a former child, parent or stranger is not for P") {
    bench b;
    b.receive_beat(port{0});
    CHECK(b.node.is_leader());
    b.receive(by_wave::hung{}, port{0});
    b.receive(by_wave::left{}, port{0});
    b.receive_beat(port{0});
    CHECK(b.node.is_leader());

    // It finds a parent, and another that is nearer.
    by_wave below{electing(5, quiet(4)), spanning_tree{port{2}, 2}};
    archetype::environment<by_wave> env;
    env.ports = 3;
    const auto receive = [&](const by_wave::message& m, port p) { dispatch(below, m, p, env); };
    below.start(env);
    receive(by_wave::tree_type::members{{port{0}, port{1}}}, port{2});
    receive(by_wave::tree_type::accept{4}, port{0});
    receive(by_wave::tree_type::accept{5}, port{1});
    CHECK(below.is_link(port{0}));
    receive(by_wave::tree_type::level{2}, port{1});
    CHECK((below.is_link(port{1}) && !below.is_link(port{0})));
    receive(by_wave::carried{ballots::beat{9, epoch<int>{9, 7, {}}, 0}}, port{0});
    CHECK_FALSE(below.leader());
    receive(by_wave::carried{ballots::beat{9, epoch<int>{9, 7, {}}, 0}}, port{1});
    CHECK(below.leader() == 7);
    std::vector<std::string> told;
    for (const auto& l : env.outbox) {
        if (std::holds_alternative<by_wave::hung>(l.message)) told.push_back("hung");
        if (std::holds_alternative<by_wave::left>(l.message)) told.push_back("left");
    }
    CHECK(told == std::vector<std::string>{"hung", "left", "hung"});
}

TEST_CASE("on_tree: a child that was given up does not come in by what it sent before") {
    bench b;
    b.receive(by_wave::tree_type::connect{}, port{0});
    b.receive(by_wave::hung{}, port{0});
    dispatch(b.node, suspect{port{0}}, b.env);
    CHECK_FALSE(b.node.is_link(port{0}));
    CHECK(b.node.suspects(port{0}));
    b.receive(by_wave::hung{}, port{0});
    CHECK_FALSE(b.node.is_link(port{0}));
    b.receive(by_wave::tree_type::connect{}, port{0});   // it is alive, and has heard of it
    b.receive(by_wave::hung{}, port{0});
    CHECK(b.node.is_link(port{0}));
    CHECK_FALSE(b.node.suspects(port{0}));
}

TEST_CASE("on_tree: a child that hangs anew, or becomes the parent, is behind a new link") {
    bench b;
    b.receive(by_wave::hung{}, port{0});
    REQUIRE(b.node.epoch()->number == 1);
    b.receive(by_wave::hung{}, port{0});
    CHECK(b.sent<by_wave::carried>(port{0}) >= 2);       // told of the epoch each time
    CHECK(b.node.epoch()->number == 2);                  // and an election was held without it

    by_wave below{electing(5, quiet(4)), spanning_tree{port{2}, 2}};
    archetype::environment<by_wave> env;
    env.ports = 3;
    const auto receive = [&](const by_wave::message& m, port p) { dispatch(below, m, p, env); };
    below.start(env);
    receive(by_wave::tree_type::members{{port{0}, port{1}}}, port{2});
    receive(by_wave::tree_type::accept{4}, port{0});
    receive(by_wave::tree_type::accept{}, port{1});
    receive(by_wave::hung{}, port{1});
    receive(by_wave::tree_type::level{1}, port{1});      // and then, that it has left
    CHECK(below.tree().parent() == port{1});
    receive(by_wave::left{}, port{1});
    CHECK(below.is_link(port{1}));
    CHECK_FALSE(below.suspects(port{1}));
}

TEST_CASE("on_tree: a detector's word before the start: nothing happens; nor does a lost child") {
    support::check_words_before_start(nodes_with({3, 2}, 1)(node{1}), 2);
    by_wave asleep = nodes_with({3, 2}, 1)(node{1});
    archetype::environment<by_wave> env;
    env.ports = 2;
    dispatch(asleep, by_wave::message{by_wave::hung{}}, port{0}, env);   // of its former life
    CHECK_FALSE(asleep.is_link(port{0}));
    CHECK(support::effects(env) == 0);
}

TEST_CASE("on_tree: a node with more ports than its storage holds says so, once") {
    small narrow{supervised{tree_wave{1}, inplace_storage<2>{}},
                 spanning_tree{port{0}, inplace_storage<2>{}}};
    archetype::environment<small> env;
    env.ports = 3;
    CHECK(dispatch(narrow, request::start{}, env) == answer::no_room);
    CHECK(dispatch(narrow, request::start{}, env) == answer::no_room);
    std::size_t told = 0;
    for (const auto& o : env.heard) told += std::holds_alternative<overflow>(o);
    CHECK(told == 2);   // by the tree, and by the election
    CHECK(env.outbox.empty());
}

namespace {
struct fussy_election : tree_wave<int>, support::three_ports_only {
    fussy_election() : tree_wave<int>(1) {}
};
}  // namespace

TEST_CASE("on_tree: it objects to a registry behind a port that is not there, and to what P does") {
    const by_wave lost{electing(1, {}), spanning_tree{port{3}}};
    CHECK(lost.objection(4) == nullptr);
    CHECK(lost.objection(3) != nullptr);
    using fussy = on_tree<supervised<fussy_election>>;
    const fussy hung{supervised{fussy_election{}}, spanning_tree{port{3}}};
    CHECK(hung.objection(4) == support::three_ports_only::words);
    CHECK(fussy{supervised{fussy_election{}}, spanning_tree{port{0}}}.objection(3) == nullptr);
}

// Paper

TEST_CASE("on_tree: an election on a virtual tree, 1 to 9 nodes, chain or star: the best leads") {
    for (std::size_t n = 1; n <= 9; ++n)
        for (const std::size_t connections : {1u, 9u}) {
            CAPTURE(n);
            const std::vector<int> ids = support::shuffled(n, n);
            const auto net = built(ids, connections);
            CHECK(is_settled(net));
            CHECK_FALSE(net[0].leader());
            for (std::size_t v = 1; v <= n; ++v)
                CHECK(net[v].tree().hops() == (connections == 1 ? v - 1 : v == 1 ? 0 : 1));
        }
}

// Safety and liveness

TEST_CASE("on_tree: the root dies at any time of an election, the best or not") {
    for (const std::vector<int>& ids : {std::vector{4, 1, 3, 2}, std::vector{1, 4, 2, 3}})
        for (ticks at = 0; at <= 60; ++at) {
            CAPTURE(at);
            events net{complete{5}, nodes_with(ids, 1 + at % 3),
                       {.delay = uniform{1, 5}, .faults = fault_plan{}.crash(1, 1 + at),
                        .detector = perfect{3}}};
            for (std::size_t v = 1; v < 5; ++v) net.start(v);
            net.run_for(settling);
            CHECK(is_settled(net));
        }
}

TEST_CASE("on_tree: one joins at any time of an election, the best or the worst") {
    for (const std::vector<int>& ids : {std::vector{1, 3, 2, 4}, std::vector{2, 4, 3, 1}})
        for (ticks at = 0; at <= 40; ++at) {
            CAPTURE(at);
            events net{complete{5}, nodes_with(ids, 1 + at % 3), {.delay = uniform{1, 5}}};
            for (std::size_t v = 1; v < 4; ++v) net.start(v);
            net.run_for(at);
            net.start(4);
            net.run_for(settling);
            CHECK(is_settled(net));
        }
}

TEST_CASE("on_tree: a parent is lost and back again, sooner or later") {
    for (ticks gap = 0; gap <= 30; ++gap)
        for (const std::size_t v : {2u, 3u, 4u}) {
            CAPTURE(gap);
            auto net = built({2, 4, 1, 3}, 1 + gap % 2, {.delay = uniform{1, 5}});
            REQUIRE(is_settled(net));
            const port parent = *net[v].tree().parent();
            net.suspect(v, parent);
            net.run_for(gap);
            net.trust(v, parent);
            net.run_for(settling);
            CHECK(is_settled(net));
        }
}

TEST_CASE("on_tree: a part that has lost its parent has a leader of its own, in another epoch") {
    auto net = built({2, 4, 1, 3}, 1);   // a chain
    net.suspect(3, *net[3].tree().parent());
    net.run_for(50);
    CHECK(net[2].is_leader());
    CHECK(net[4].is_leader());
    CHECK(net[3].leader() == 3);
    CHECK(support::one_an_epoch(net));
    net.trust(3, way(3, 2, 5));
    net.run_for(settling);
    CHECK(is_settled(net));
}

TEST_CASE("on_tree: who comes back after a crash finds a place and leads in epochs of a new life") {
    auto net = built({2, 4, 1}, 1, {.delay = uniform{1, 5}, .detector = perfect{3}});
    net.crash(2);
    net.run_for(settling);
    CHECK(is_settled(net));
    CHECK(net[1].is_leader());
    net.restart(2);
    net.run_for(settling);
    CHECK(is_settled(net));
    CHECK(net[2].is_leader());
    CHECK(net[2].epoch()->incarnation == incarnation{1});
}

namespace {

/// Counts the elections that took too long: as long as the detector is silent about a dead node,
/// one follows another without end. If told so, it loses links to parents only: the one fault that
/// explore's wrong suspicions are to stand for.
struct counted : by_wave {
    using by_wave::by_wave;
    int overdue = 0;
    bool loses_parents = false;
    port_set<> lost = {};

    void on(const auto& kind, port from, auto& env) { by_wave::on(kind, from, env); }
    template <kind_of<by_wave::timer> Timer>
    void on(const Timer& t, auto& env) {
        overdue += std::is_same_v<Timer, ballots::election_overdue>;
        by_wave::on(t, env);
    }
    void on(suspect s, auto& env) {
        if (loses_parents && tree().parent() != s.whom) return;
        if (loses_parents) lost.insert(s.whom);
        by_wave::on(s, env);
    }
    void on(trust t, auto& env) {
        lost.erase(t.whom);
        by_wave::on(t, env);
    }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(by_wave::fields(self), std::tie(self.overdue, self.lost));
    }
};

/// With one who has lost its parent for good, nobody need agree; without a registry no tree heals.
bool is_settled_or_excused(const auto& g) {
    if (!g.alive(0)) return true;
    for (std::size_t v = 1; v < g.nodes(); ++v)
        if (g.alive(v) && !g[v].lost.empty()) return true;
    return is_settled(g);
}

/// The first of them hang already, the others join at any time.
verdict explored(const std::vector<int>& ids, std::size_t hanging, std::size_t connections,
                 fault_budget faults, int overdue_most) {
    const std::size_t n = ids.size() + 1;
    events net{complete{n}, nodes_with<counted>(ids, connections)};
    sizes joining;
    for (std::size_t v = 1; v < n; ++v) {
        if (v > hanging) joining.push_back(v);
        else net.start(v);
        net.run_for(20);
    }
    net.run_for(settling);
    const auto make = [&](node v) {
        counted process = net[v];
        process.overdue = 0;
        process.loses_parents = faults.wrong_suspicions != 0;
        return process;
    };
    const auto few_are_overdue = [overdue_most](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].overdue > overdue_most) return false;
        return true;
    };
    return explore(complete{n}, make,
                   {.initiators = joining,
                    .properties = {always(support::one_an_epoch), sometimes(someone_leads),
                                   finally([](const auto& g) { return is_settled_or_excused(g); })},
                    .faults = faults, .perfect_detector = faults.crashes != 0,
                    .starting = starting::any_time, .max_states = 1'000'000,
                    .within = few_are_overdue});
}
void check(const verdict& v) {
    MESSAGE(v.states, " states, ", v.limit);
    CHECK_MESSAGE(v.holds, v.counterexample.text());
    CHECK((v.complete || v.limit == "within"));
}

}  // namespace

TEST_CASE("on_tree: every schedule of two and three that join: one leader an epoch, the best") {
    check(explored({1, 2}, 0, 1, {}, 2));
    check(explored({2, 1}, 0, 1, {}, 2));
    check(explored({2, 1, 3}, 1, 1, {}, 2));
    check(explored({2, 1, 3}, 2, 2, {}, 2));
}
TEST_CASE("on_tree: every schedule with a crash, joining or hanging, as long as few are overdue") {
    check(explored({1, 2}, 0, 1, {.crashes = 1}, 1));
    check(explored({1, 2}, 1, 1, {.crashes = 1}, 1));
    check(explored({2, 1, 3}, 3, 1, {.crashes = 1}, 1));
    check(explored({3, 1, 2}, 3, 2, {.crashes = 1}, 1));
    check(explored({3, 1, 2}, 2, 1, {.crashes = 1}, 0));
}
TEST_CASE("on_tree: every schedule with a lost parent, which may come back") {
    check(explored({1, 2}, 2, 1, {.wrong_suspicions = 1}, 1));
    check(explored({2, 1, 3}, 3, 1, {.wrong_suspicions = 1}, 1));
    check(explored({2, 1, 3}, 3, 2, {.wrong_suspicions = 1}, 1));
}
