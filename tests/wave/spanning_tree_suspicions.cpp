// SPDX-License-Identifier: MIT
// The registry's tree where detectors err, nodes come back, and messages are late: what holds, what
// does not, and each guard by itself.
#include <caucus/wave/spanning_tree.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>
#include <support/hanging.hpp>
#include <support/instances.hpp>
#include <support/tree_runs.hpp>
#include <support/unstarted.hpp>

#include <cstdint>
#include <tuple>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// Only the registry errs, and it believes all it is told.
struct doubting_registry : tree_node {
    bool is_registry = true;

    doubting_registry() = default;
    doubting_registry(port registry, std::size_t connections)
        : tree_node(registry, connections), is_registry(false) {}

    void on(const auto& kind, port from, auto& env) { tree_node::on(kind, from, env); }
    void on(suspect s, auto& env) {
        if (is_registry) tree_node::on(s, env);
    }
    void on(trust t, auto& env) { tree_node::on(t, env); }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(tree_node::fields(self), std::tie(self.is_registry));
    }
};

/// Any node errs about any other while it hangs. The registry never does, and so believes nothing.
struct losing_links : tree_node {
    using tree_node::tree_node;

    void on(const auto& kind, port from, auto& env) { tree_node::on(kind, from, env); }
    void on(suspect s, auto& env) {
        if (is_attached()) tree_node::on(s, env);
    }
    void on(trust t, auto& env) { tree_node::on(t, env); }
    static constexpr auto fields(auto& self) { return tree_node::fields(self); }
};

template <class P>
verdict judged(std::size_t n, std::size_t connections, std::vector<property<P>> properties,
               std::uint8_t errors, std::uint64_t max_states = ~std::uint64_t{0}) {
    const auto sim = built<P>(n, connections);
    return explore(complete{n}, [&](node v) { return sim[v]; },
                   {.initiators = sizes{}, .properties = properties,
                    .faults = {.wrong_suspicions = errors}, .max_states = max_states,
                    .count_messages = false});
}

/// A node at level 1, below port 0; ports 1 and 2 lead to another neighbour and to the registry.
struct hanging {
    notes env = {};
    tree_node node{port{2}};

    hanging() {
        node.start(env);
        node.on(tree_node::members{{port{0}, port{1}}}, port{2}, env);
        node.on(tree_node::accept{0u}, port{0}, env);
        node.on(tree_node::accept{}, port{1}, env);
        REQUIRE(node.parent() == port{0});
    }
};

}  // namespace

TEST_CASE("spanning_tree: a registry that errs about the root makes two, but not for long") {
    using P = doubting_registry;
    for (const std::size_t connections : {std::size_t{1}, all_connections}) {
        check(judged<P>(3, connections, {always(no_circle), finally(all_hang)}, 2));
        check(judged<P>(4, connections, {always(no_circle), finally(all_hang)}, 1));
        CHECK_FALSE(judged<P>(3, connections, {always(at_most_one_root)}, 1).holds);
    }
}

TEST_CASE("nightly: spanning_tree: a registry that errs twice, four nodes" * doctest::skip()) {
    for (const std::size_t connections : {std::size_t{1}, all_connections})
        check(judged<doubting_registry>(4, connections, {always(no_circle), finally(all_hang)}, 2));
}

TEST_CASE("spanning_tree: a root given up by the registry lets go, enrols anew and hangs below") {
    const auto sim = built(4, all_connections);   // 1 is the root of 2 and 3
    events net{complete{4}, [&](node v) { return sim[v]; }, {}};
    net.suspect(0, way(0, 1, 4));
    net.run();
    CHECK(net[2].is_root());
    CHECK(net[1].parent() == way(1, 2, 4));
    CHECK(net[3].parent() == way(3, 2, 4));
    net.crash(2);   // and the registry is told, though it has not heard that 1 was alive
    for (const std::size_t v : sizes{0, 1, 3}) net.suspect(v, way(v, 2, 4));
    net.run();
    CHECK(net[3].is_root());
    net.crash(3);
    for (const std::size_t v : sizes{0, 1}) net.suspect(v, way(v, 3, 4));
    net.run();
    CHECK(net[1].is_root());
}

TEST_CASE("spanning_tree: a live child given up for dead closes a circle, until it hears of it") {
    using P = losing_links;
    CHECK_FALSE(judged<P>(5, 1, {always(no_circle)}, 2, 60'000).holds);
    CHECK(judged<P>(5, 1, {finally(no_circle)}, 2, 60'000).holds);   // as far as was looked into
}

TEST_CASE("spanning_tree: random joins, crashes, lives after a crash: they hang below one root") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 3 + dice.below(6);
        auto net = joined_at_random(n, nodes_of(n, 1 + dice.below(3)), seed, dice);
        for (std::size_t crashes = 1 + dice.below(4); crashes > 0; --crashes) {
            const std::size_t dead = 1 + dice.below(n - 1);
            net.run_for(dice.below(60));
            net.crash(dead);
            CHECK(net.run_for(10'000).stopped == stop::quiescent);   // its last words are there
            for (std::size_t v = 0; v < n; ++v)
                if (v != dead) net.suspect(v, way(v, dead, n));
            net.run_for(dice.below(60));
            net.restart(dead);
            const std::size_t trusting = dice.below(n);   // some trust it before it starts again
            for (std::size_t v = 0; v < n; ++v) {
                if (v == trusting) net.start(dead);
                if (v != dead) net.trust(v, way(v, dead, n));
                net.run_for(dice.below(10));
                CHECK(no_circle(whole{net}));
            }
            net.start(dead);
        }
        CHECK(net.run().stopped == stop::quiescent);
        CHECK(no_circle(whole{net}));
        CHECK(all_hang(whole{net}));
    }
}

TEST_CASE("spanning_tree: who is trusted again is asked anew: it may have come back another") {
    hanging h;
    h.node.on(suspect{port{0}}, h.env);
    h.node.on(tree_node::detach_ack{1}, port{1}, h.env);
    h.node.on(tree_node::members{{port{0}, port{1}}}, port{2}, h.env);
    h.node.on(tree_node::level{3}, port{1}, h.env);
    CHECK(h.node.hops() == 4u);
    const std::size_t asked = h.env.count<tree_node::connect>();
    h.node.on(trust{port{0}}, h.env);
    CHECK(h.node.hops() == 4u);
    CHECK(h.env.count<tree_node::connect>() == asked + 1);
    h.node.on(tree_node::accept{1u}, port{0}, h.env);
    CHECK(h.node.hops() == 2u);

    hanging other;   // or it comes first
    other.node.on(suspect{port{0}}, other.env);
    other.node.on(tree_node::connect{}, port{0}, other.env);
    other.node.on(tree_node::detach_ack{1}, port{1}, other.env);
    CHECK_FALSE(other.node.is_attached());
}

TEST_CASE("spanning_tree: a suspect that connects is alive, and is waited for like all others") {
    hanging h;
    h.node.on(suspect{port{1}}, h.env);
    h.node.on(tree_node::connect{}, port{1}, h.env);
    CHECK(std::get<tree_node::accept>(h.env.out.back()).level == 1u);   // it can hang from here
    h.node.on(tree_node::detach{1}, port{0}, h.env);
    CHECK(h.env.count<tree_node::detach>() == 2);
    h.node.on(tree_node::detach_ack{1}, port{0}, h.env);
    CHECK(h.env.count<tree_node::detach_ack>() == 0);
    h.node.on(tree_node::detach_ack{1}, port{1}, h.env);
    CHECK(h.env.count<tree_node::detach_ack>() == 1);
}

TEST_CASE("spanning_tree: a suspect on the list is asked as soon as it is trusted") {
    notes env;
    tree_node p{port{2}};
    p.on(suspect{port{0}}, env);
    p.start(env);
    p.on(tree_node::members{{port{0}}}, port{2}, env);
    CHECK(env.count<tree_node::connect>() == 0);
    p.on(trust{port{0}}, env);
    CHECK(env.count<tree_node::connect>() == 1);
    p.on(tree_node::accept{0u}, port{0}, env);
    CHECK(p.parent() == port{0});
}

TEST_CASE("spanning_tree: who was asked when it had not joined is asked again, once it is listed") {
    events net{complete{3}, nodes_of(3, all_connections), {.delay = unit{}}};
    for (const std::size_t v : sizes{1, 2}) {
        net.start(v);
        net.run();
    }
    net.crash(1);
    for (const std::size_t v : sizes{0, 2}) net.suspect(v, way(v, 1, 3));
    net.run();
    net.restart(1);
    for (const std::size_t v : sizes{0, 2}) net.trust(v, way(v, 1, 3));
    net.run();                        // 2 asks 1, which will not remember it
    REQUIRE(net[2].is_root());
    net.suspect(0, way(0, 2, 3));     // a mistake, and 1 comes to be the first on the list
    net.start(1);
    net.run();
    CHECK(net[1].is_root());
    CHECK(net[2].parent() == way(2, 1, 3));
}

TEST_CASE("spanning_tree: a list with the registry, with nobody's port, and with one port twice") {
    notes env;
    tree_node p{port{2}};
    p.start(env);
    p.on(tree_node::members{}, port{0}, env);   // not the registry's word
    CHECK_FALSE(p.is_root());
    p.on(tree_node::members{{port{3}, port{0}, port{2}, port{0}}}, port{2}, env);
    CHECK(env.count<tree_node::connect>() == 2);
    p.on(tree_node::accept{0u}, port{0}, env);
    tree_node registry;
    registry.on(tree_node::connect{}, port{0}, env);
    REQUIRE(std::holds_alternative<tree_node::accept>(env.out.back()));   // a cut strikes off
    p.on(std::get<tree_node::accept>(env.out.back()), port{2}, env);
    CHECK(p.parent() == port{0});
}

TEST_CASE("spanning_tree: who is struck off while it joins enrols again, and hears of more") {
    notes env;
    tree_node p{port{2}};
    p.start(env);
    p.on(tree_node::cut{}, port{2}, env);   // its enrol is on its way
    CHECK(env.count<tree_node::enrol>() == 1);
    p.on(tree_node::members{{port{0}}}, port{2}, env);
    p.on(tree_node::cut{}, port{2}, env);
    CHECK(env.count<tree_node::enrol>() == 2);
    p.on(tree_node::members{{port{0}, port{1}}}, port{2}, env);
    CHECK(env.count<tree_node::connect>() == 2);
    p.on(suspect{port{0}}, env);
    p.on(tree_node::accept{3u}, port{1}, env);
    CHECK(p.hops() == 4u);
}

TEST_CASE("spanning_tree: an answer to the last detach is none to this one, nor is an accept") {
    hanging h;
    h.node.on(tree_node::detach{1}, port{0}, h.env);   // lets go, and asks 0 and 1
    CHECK(h.env.count<tree_node::detach>() == 2);
    CHECK(h.env.count<tree_node::detach_ack>() == 0);
    h.node.on(tree_node::members{}, port{2}, h.env);   // is the root in between, and has let go
    CHECK(h.env.count<tree_node::detach_ack>() == 1);
    h.node.on(tree_node::cut{}, port{2}, h.env);       // lets go again, and asks them
    CHECK(h.env.count<tree_node::detach>() == 4);
    const std::size_t enrolled = h.env.count<tree_node::enrol>();
    h.node.on(tree_node::detach_ack{2}, port{0}, h.env);
    h.node.on(tree_node::detach_ack{1}, port{1}, h.env);
    h.node.on(tree_node::accept{7u}, port{1}, h.env);
    CHECK_FALSE(h.node.is_attached());
    CHECK(h.env.count<tree_node::enrol>() == enrolled);
    h.node.on(tree_node::detach_ack{2}, port{1}, h.env);
    CHECK(h.node.hops() == 8u);
}

TEST_CASE("spanning_tree: a cut is an answer, and pays what is owed") {
    hanging h;
    h.node.on(tree_node::detach{1}, port{0}, h.env);
    h.node.on(suspect{port{0}}, h.env);
    CHECK(h.env.count<tree_node::cut>() == 1);
    const std::size_t enrolled = h.env.count<tree_node::enrol>();
    h.node.on(tree_node::cut{}, port{1}, h.env);
    CHECK(h.env.count<tree_node::enrol>() == enrolled + 1);
    CHECK(h.env.count<tree_node::detach_ack>() == 0);
}

TEST_CASE("spanning_tree: late and repeated messages meet a guard") {
    notes env;
    tree_node p{port{2}, 1};
    p.on(tree_node::members{}, port{2}, env);   // not here yet
    p.on(tree_node::accept{0u}, port{0}, env);
    p.on(tree_node::level{0}, port{0}, env);
    p.on(tree_node::cut{}, port{0}, env);
    CHECK(env.out.empty());
    p.on(tree_node::detach{1}, port{0}, env);   // but who waits is not kept waiting
    CHECK(env.count<tree_node::detach_ack>() == 1);
    p.on(tree_node::connect{}, port{0}, env);
    CHECK(std::holds_alternative<tree_node::cut>(env.out.back()));
    p.start(env);
    p.on(tree_node::detach_ack{0}, port{0}, env);   // nobody was asked
    for (int twice = 0; twice < 2; ++twice) {
        p.on(tree_node::members{{port{0}}}, port{2}, env);
        CHECK(env.count<tree_node::connect>() == 1);
    }
    for (int twice = 0; twice < 2; ++twice) p.on(tree_node::accept{0u}, port{0}, env);
    CHECK(env.told == 1);
    CHECK(p.parent() == port{0});
    for (int twice = 0; twice < 2; ++twice) p.on(tree_node::level{0}, port{0}, env);
    CHECK(env.told == 1);
    p.on(tree_node::members{{port{0}, port{1}}}, port{2}, env);   // it hangs, and needs no more
    CHECK(env.count<tree_node::connect>() == 1);
    for (int twice = 0; twice < 2; ++twice) p.on(suspect{port{0}}, env);
    CHECK(env.count<tree_node::cut>() == 2);   // and the one before it joined
    CHECK(env.count<tree_node::enrol>() == 2);
    for (int twice = 0; twice < 2; ++twice) p.on(tree_node::members{}, port{2}, env);
    CHECK(p.is_root());
    CHECK(env.told == 3);
}

TEST_CASE("spanning_tree: nobody hangs below a level that cannot be counted on: as a root") {
    notes env;
    tree_node p{port{2}};
    p.start(env);
    p.on(tree_node::members{{port{0}, port{1}}}, port{2}, env);
    p.on(tree_node::accept{~0u}, port{0}, env);
    p.on(tree_node::accept{}, port{1}, env);
    CHECK_FALSE(p.is_attached());
    CHECK_FALSE(p.is_root());
    p.on(tree_node::level{~0u}, port{1}, env);
    CHECK_FALSE(p.is_attached());
    p.on(tree_node::level{~0u - 1}, port{1}, env);   // the last that can
    CHECK(p.hops() == ~0u);
}

TEST_CASE("spanning_tree: a detector's word before the start: nothing happens") {
    check_words_before_start(tree_node{port{2}}, 3);
    check_words_before_start(tree_node{}, 3);   // nor at a registry where nobody has enrolled
}

TEST_CASE("spanning_tree: a copy that news has overtaken takes back that news, outside the model") {
    // 2 hears twice that 1 hangs nowhere, the second time after 1 has become the root.
    const verdict v = explore(complete{3}, nodes_of<tree_node>(3, all_connections),
                              {.initiators = members_of(3),
                               .properties = {always(no_circle), always(at_most_one_root),
                                              finally(all_hang)},
                               .faults = {.duplicates = 1}, .starting = starting::any_time});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 13);
}

TEST_CASE("spanning_tree: a late suspicion of a former life does not stick to the present one") {
    hanging h;
    h.node.on(suspect{port{1}, incarnation{0}}, h.env);
    h.node.on(trust{port{1}, incarnation{1}}, h.env);
    const std::size_t cuts = h.env.count<tree_node::cut>();
    h.node.on(suspect{port{1}, incarnation{0}}, h.env);
    CHECK(h.env.count<tree_node::cut>() == cuts);
    h.node.on(suspect{port{1}, incarnation{1}}, h.env);
    CHECK(h.env.count<tree_node::cut>() == cuts + 1);
    const std::size_t asked = h.env.count<tree_node::connect>();
    h.node.on(trust{port{1}, incarnation{0}}, h.env);   // nor does late trust acquit it
    CHECK(h.env.count<tree_node::connect>() == asked);
    h.node.on(trust{port{1}, incarnation{2}}, h.env);
    CHECK(h.env.count<tree_node::connect>() == asked + 1);
}
