// SPDX-License-Identifier: MIT
#include <caucus/layer/on_tree.hpp>

#include <archetypes.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <support/instances.hpp>
#include <support/least.hpp>
#include <support/on_tree.hpp>
#include <support/unstarted.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using support::ballots;
using support::built;
using support::by_wave;
using support::is_settled;
using support::nodes_with;
using support::quiet;
using support::settling;
using support::supervised_wave;
using support::way;

// Shape

static_assert(process<by_wave>);
static_assert(by_wave::assumes.topology == shape::complete);
static_assert(by_wave::assumes.links == perfect_links);
struct told_of_all : ballots {
    static constexpr model assumes = {shape::tree, guarantee::none, naming::distinct,
                                      timing::bounded_delay, false};
};
static_assert(!on_tree<told_of_all>::assumes.uniform && by_wave::assumes.uniform);
static_assert(on_tree<told_of_all>::assumes.time == timing::bounded_delay);
static_assert(kind_of<placed, by_wave::outcome> && kind_of<installed<int>, by_wave::outcome>);
static_assert(by_wave::timers(5) == ballots::timers(5));
static_assert(std::is_same_v<decltype(on_tree{supervised_wave(1, {}), spanning_tree{}}), by_wave>);
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

namespace {

/// The least that fits: one kind of message, no timer, no outcome. It greets whom it trusts.
struct least_neighbour {
    struct greeting { int number; };
    using message = greeting;
    using timer = nothing;
    using outcome = nothing;
    static constexpr bool heeds_suspicions = true;
    static constexpr withheld withholds = withheld::suspicions;
    static constexpr model assumes = {shape::tree};
    int number = 0;
    bool started = false;
    std::vector<int> heard{};
    std::vector<int> words{};   // p: trust in p, -1 - p: suspicion of it

    void start(auto& env) {
        started = true;
        env.broadcast(greeting{10 * number});
    }
    void on(greeting g, port, auto&) { heard.push_back(g.number); }
    void on(suspect s, auto&) { words.push_back(-1 - static_cast<int>(s.whom.index())); }
    void on(trust t, auto& env) {
        words.push_back(static_cast<int>(t.whom.index()));
        env.send(t.whom, greeting{number});
    }
};

}  // namespace

TEST_CASE("on_tree: carries what the least process sends over links of the tree, in rounds") {
    const std::size_t n = 4;
    rounds sim{complete{n}, [&](node v) {
        return on_tree{least_neighbour{static_cast<int>(v.index)}, support::place_of(v, n, 1)};
    }};
    for (std::size_t v = 0; v < n; ++v) {   // a chain 1, 2, 3
        sim.start(v);
        sim.run();
    }
    CHECK_FALSE(sim[0].process().started);
    CHECK(sim[0].process().words.empty());
    CHECK(sim[1].process().words == std::vector{-1, -2, -3, 0});
    CHECK(sim[2].process().words == std::vector{-1, -2, -3, 2, 0});
    CHECK(sim[1].process().heard == std::vector{2, 20});
    CHECK(sim[2].process().heard == std::vector{1, 3, 30});
    CHECK(sim[3].process().heard == std::vector{2});
    const report r = sim.run();
    CHECK(r.by_kind("hung") == 2);
    CHECK(r.by_kind("left") == 0);
    CHECK(r.by_kind("carried") == 6);
}

// By hand

namespace {

/// A node with three ports, the registry behind the last, that is the root by now.
struct bench {
    archetype::environment<by_wave> env{};
    by_wave node{supervised_wave(5, quiet(4)), spanning_tree{port{2}}};

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
    by_wave below{supervised_wave(5, quiet(4)), spanning_tree{port{2}, 2}};
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
    using least = on_tree<least_neighbour>;
    least below{least_neighbour{}, spanning_tree{port{2}, 2}};
    archetype::environment<least> env;
    env.ports = 3;
    const auto receive = [&](const least::message& m, port p) { dispatch(below, m, p, env); };
    std::vector<int> words;
    const auto is_told = [&](const std::vector<int>& more) {
        words.insert(words.end(), more.begin(), more.end());
        return below.process().words == words;
    };
    below.start(env);
    receive(least::tree_type::members{{port{0}, port{1}}}, port{2});
    receive(least::tree_type::accept{4}, port{0});
    CHECK(is_told({}));
    receive(least::tree_type::accept{}, port{1});
    CHECK(is_told({-1, -2, -3, 0}));
    receive(least::hung{}, port{1});
    CHECK(is_told({1}));
    receive(least::hung{}, port{1});
    CHECK(is_told({-2, 1}));
    receive(least::tree_type::level{1}, port{1});   // and next, that it has left
    CHECK(below.tree().parent() == port{1});
    CHECK(is_told({-2, 1, -1}));
    receive(least::left{}, port{1});
    CHECK(is_told({}));
    CHECK(below.is_link(port{1}));

    // A circle for a while, as wrong suspicions may close one: the link lasts as long as one end
    // hangs from the other.
    receive(least::hung{}, port{1});
    receive(least::left{}, port{1});
    CHECK(is_told({-2, 1}));
    receive(least::hung{}, port{1});
    receive(least::tree_type::level{0}, port{0});
    CHECK(below.tree().parent() == port{0});
    CHECK(is_told({-2, 1, 0}));
    CHECK(below.is_link(port{1}));
    receive(least::left{}, port{1});
    CHECK(is_told({-2}));
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
    CHECK(told == 1);
    CHECK(env.outbox.empty());
}

namespace {
struct fussy_election : tree_wave<int>, support::three_ports_only {
    fussy_election() : tree_wave<int>(1) {}
};
}  // namespace

TEST_CASE("on_tree: it objects to a registry behind a port that is not there, and to what P does") {
    const by_wave lost{supervised_wave(1, {}), spanning_tree{port{3}}};
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

TEST_CASE("on_tree: the same in rounds, all join at once") {
    rounds sim{complete{6}, nodes_with({2, 1, 5, 3, 4}, 2)};
    for (std::size_t v = 0; v < 6; ++v) sim.start(v);
    sim.run_for(settling);
    for (std::size_t v = 1; v < 6; ++v) {
        CHECK(sim[v].leader() == 5);
        CHECK(sim[v].epoch() == sim[3].epoch());
        CHECK(sim[v].is_leader() == (v == 3));
    }
    CHECK_FALSE(sim[0].leader());
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

TEST_CASE("on_tree: a part that has lost its parent may have a leader of its own, in its epoch") {
    auto net = built({2, 4, 1, 3}, 1);   // a chain
    net.suspect(3, *net[3].tree().parent());
    std::size_t leaders_most = 0;
    for (int i = 0; i < 200; ++i) {
        net.run_for(1);
        std::size_t leaders = 0;
        for (std::size_t v = 1; v < 5; ++v) leaders += net[v].is_leader();
        leaders_most = std::max(leaders_most, leaders);
        CHECK(support::one_an_epoch(net));
    }
    CHECK(leaders_most > 1);
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
