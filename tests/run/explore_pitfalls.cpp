// SPDX-License-Identifier: MIT
// Where a search could go wrong without noticing: each of these once did, or would without a guard.
#include <caucus/run/explore.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/run/replay.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace caucus;

namespace {

/// One process for most of these tests, told by its trade what to do: it is compiled once.
enum class trade : std::uint8_t {
    letter, two_letters, postman, backwards, gambler, cheat, juggler, renamer, fickle, breeder,
    idler, drawer, dreamer
};

struct worker {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    [[maybe_unused]] static constexpr bool tosses_coins = true;

    trade does = trade::letter;
    int self = 0;
    int got = 0;
    std::uint32_t life = 0;
    bool started = false;

    static inline int calls = 0;

    void start(auto& env) {
        if (does == trade::idler) return;
        started = true;
        switch (does) {
            case trade::drawer: got = static_cast<int>(env.choose(64)); return;
            case trade::dreamer: got = static_cast<int>(env.choose(std::size_t{1} << 32)); return;
            case trade::backwards: return env.send(prev, 1);
            case trade::cheat: got = static_cast<int>(env.choose(0)); return;
            case trade::fickle: got = ++calls; return;
            case trade::two_letters: env.send(port{0}, 1); return env.send(port{0}, 2);
            default: return env.send(port{0}, 1);
        }
    }
    void on(int m, port from, auto& env) {
        switch (does) {
            case trade::letter: got = 1; return;
            case trade::two_letters: got = got * 10 + m; return;
            case trade::postman:   // 1 is a letter, 2 the answer
                if (m == 1) env.send(from, 2);
                else got = 1;
                return;
            case trade::gambler: got = static_cast<int>(env.choose(70000)); return;
            case trade::juggler:   // back, where that is possible
                return env.send(from < env.degree() ? from : next, m);
            case trade::breeder: ++got; return env.send(next, m);
            case trade::renamer:
                self = 9;
                got = 1;
                return env.send(next, m);
            default: return;
        }
    }
    void on(const recovered<nothing>& r, auto&) { life = r.incarnation.number; }

    int id() const { return self; }
    bool is_leader() const { return false; }
    std::optional<int> leader() const { return got == 0 ? std::nullopt : std::optional<int>{5}; }
};
using all_workers = global_state<worker>;

auto workers(trade t) {
    return [t](node v) { return worker{t, static_cast<int>(v.index)}; };
}
auto equal_workers(trade t) {
    return [t](node) { return worker{t}; };
}

/// Forwards a ball for ever, and keeps something.
struct keeper {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    using kept = int;
    int none = 0;
    void start(auto& env) { env.send(next, 0); }
    void on(int, port, auto& env) { env.send(next, 0); }
};

/// Random rules, the same at every node: state and input give a state and perhaps a message.
struct alike {
    using message = std::uint8_t;
    using timer = nothing;
    using outcome = nothing;
    std::uint64_t table = 0;
    std::uint8_t is = 0;

    void start(auto& env) { act(99, env); }
    void on(std::uint8_t m, port from, auto& env) { act(2 * from.index() + m, env); }
    void act(std::uint64_t input, auto& env) {
        const std::uint64_t row = mix(mix(table, is), mix(input, 0));
        is = row % 4;
        const std::uint64_t drawn = mix(row, 0);
        if (row / 4 % 4 != 0)
            env.send(port{drawn % env.degree()}, static_cast<std::uint8_t>(drawn >> 32 & 1));
    }
};
struct few_are_idle {
    static constexpr bool any_node = true;
    std::size_t few;
    static std::uint64_t observes(const alike& p) { return p.is == 0; }
    bool operator()(const global_state<alike>& g) const {
        std::size_t idle = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) idle += g[v].is == 0;
        return idle < few;
    }
};

/// Says that it is a ring, and is not one for its last node.
struct lame_ring {
    static constexpr shape kind = shape::one_way_ring;
    static constexpr bool one_inlet = true;
    std::size_t nodes() const { return 3; }
    std::size_t links() const { return 2; }
    std::size_t arcs() const { return 2; }
    std::size_t degree(node v) const { return v < 2 ? 1 : 0; }
    far_end across(node v, port) const { return {node{(v + 1) % 2}, prev}; }
    std::size_t arc(node v, port) const { return v; }
    bool connected() const { return false; }
    bool acyclic() const { return false; }
};
struct nowhere : lame_ring {
    std::size_t nodes() const { return 0; }
    std::size_t links() const { return 0; }
    std::size_t arcs() const { return 0; }
};

struct lock {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    bool in = false;
    void request(auto&) { in = true; }
    void release(auto&) { in = false; }
    bool holds() const { return in; }
    void on(int, port, auto&) {}
};

}  // namespace

TEST_CASE("explore: a property that names a node is not judged on a turned ring") {
    const auto first_alone = [](const all_workers& g) { return g[0].got == 0 || g[1].got == 1; };
    for (const reduction r : {reduction::none, reduction::every}) {
        const auto v = explore(ring{2}, equal_workers(trade::letter),
                               {.properties = {always(first_alone)}, .reduce = r});
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.size() == 1);
    }
}

TEST_CASE("explore: fair livelocks of equal nodes are found with rotations as without") {
    std::size_t livelocks = 0;
    const auto compare = [&](std::uint64_t seed, std::size_t n, std::size_t few) {
        CAPTURE(seed);
        const auto make = [seed](node) { return alike{mix(seed, 0)}; };
        const auto judged = [&](reduction r) {
            return explore(two_way_ring{n}, make,
                           {.properties = {finally(few_are_idle{few})}, .reduce = r,
                            .max_states = 3000});
        };
        const verdict full = judged(reduction::none);
        if (!full.limit.empty()) return;
        CHECK(judged(reduction::rotations).holds == full.holds);
        CHECK(judged(reduction::every).holds == full.holds);
        livelocks += full.counterexample.loop_from.has_value();
    };
    // In these a turned ring hides whose turn it is: on it, each of them looks starved.
    const std::vector<std::uint64_t> treacherous{3994, 4015, 4230, 4360, 4569,
                                                 4786, 4816, 4854, 5083};
    for (const std::uint64_t seed : treacherous)
        for (const std::size_t few : {1u, 2u})
            for (const std::size_t n : {2u, 3u}) compare(seed, n, few);
    CHECK(livelocks >= 9);
    for (std::uint64_t seed = 1; seed <= 60; ++seed) compare(seed, 2 + seed % 2, 1 + seed % 3);
}

TEST_CASE("explore: in every order, whoever comes back is who it was") {
    const auto all_different = [](const all_workers& g) {
        unsigned seen = 0;
        for (std::size_t v = 0; v < 3; ++v) seen |= g.alive(v) ? 1u << g[v].self : 0;
        return !(g.alive(0) && g.alive(1) && g.alive(2)) || seen == 7;
    };
    const auto v = explore(complete{3}, workers(trade::letter),
                           {.initiators = {0}, .properties = {always(all_different)},
                            .faults = {.crashes = 1, .amnesias = 1}, .orders = all_permutations});
    CHECK(v.verified());
}

TEST_CASE("explore: in every order, whoever is told to start is each in turn") {
    const auto last_has = [](const all_workers& g) {
        for (std::size_t v = 0; v < 3; ++v)
            if (g[v].self == 2 && g[v].started) return true;
        return false;
    };
    CHECK(explore(ring{3}, workers(trade::letter), {.initiators = {0},
                                                    .properties = {sometimes(last_has)},
                                                    .orders = all_permutations}).holds);
}

TEST_CASE("explore: a crash in the middle of a handler is no side of a coin") {
    const auto someone_died = [](const global_state<keeper>& g) {
        return !g.alive(0) || !g.alive(1);
    };
    for (const std::uint8_t crashes : {std::uint8_t{0}, std::uint8_t{1}}) {
        const auto v = explore(ring{2}, [](node) { return keeper{}; },
                               {.initiators = {0}, .properties = {finally(someone_died)},
                                .faults = {.crashes = crashes}});
        CHECK(v.counterexample.how == "can be avoided for ever");
    }
}

TEST_CASE("explore: what comes while its addressee is dead is lost, even if it lives again") {
    const auto answered = [](const all_workers& g) {
        return !g.alive(0) || !g.alive(1) || g[0].got != 0 || g[0].life != 0;
    };
    const auto v = explore(path{2}, equal_workers(trade::postman),
                           {.initiators = {0}, .properties = {finally(answered)},
                            .faults = {.crashes = 1, .amnesias = 1}});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 3);   // crash, loss, restart
}

TEST_CASE("explore: on a fifo link the copy of a message may come before the next one, or after") {
    const auto heard = [](int letters) {
        const auto v = explore(
            ring{2}, equal_workers(trade::two_letters),
            {.initiators = {0},
             .properties = {sometimes([letters](const all_workers& g) {
                 return g[1].got == letters;
             })},
             .faults = {.duplicates = 1}});
        return v.holds;
    };
    CHECK(heard(112));
    CHECK(heard(121));
    CHECK(heard(122));
    CHECK_FALSE(heard(211));
}

TEST_CASE("explore: tens of thousands of sides of one coin are told apart") {
    const auto v = explore(ring{1}, equal_workers(trade::gambler),
                           {.properties = {always([](const all_workers& g) {
                                return g[0].got != 69999;
                            })}});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.steps.back().coins == std::vector<std::uint32_t>{69999});
    CHECK(v.counterexample.text().find("69999") != std::string::npos);
}

TEST_CASE("explore: what cannot be is refused, with its reason") {
    CHECK_THROWS_WITH(explore(ring{3}, equal_workers(trade::backwards)),
                      "explore: a process sends on port 1 and has 1");
    CHECK_THROWS_WITH(explore(ring{3}, equal_workers(trade::cheat)),
                      "explore: a process chooses among none");
    CHECK_THROWS_WITH(explore(ring{3}, equal_workers(trade::dreamer)),
                      "explore: a process chooses among 4294967296, and 1048576 at most");
    CHECK_THROWS_WITH(explore(nowhere{}, equal_workers(trade::letter)),
                      "explore: there are no nodes");
    CHECK_THROWS_WITH(explore(ring{3}, equal_workers(trade::letter), {.threads = 100'000}),
                      "explore: 100000 threads, and 1024 at most");
    CHECK_THROWS_WITH(explore(ring{3}, equal_workers(trade::letter), {.initiators = {64}}),
                      "explore: initiator 64 of at most 64 nodes");
    explore_options<worker> many;
    for (int i = 0; i < 8; ++i)
        many.properties.push_back(finally([](const all_workers&) { return true; }));
    CHECK_THROWS_WITH(explore(ring{3}, equal_workers(trade::letter), many),
                      "explore: 8 properties with finally, and 7 at most");
}

TEST_CASE("explore: a topology that only says that it is a ring is not turned") {
    const auto make = [](node v) { return worker{v < 2 ? trade::letter : trade::fickle}; };
    CHECK(explore(lame_ring{}, make, {.initiators = {0, 1}}).verified());
    CHECK(explore(lame_ring{}, equal_workers(trade::letter), {.initiators = {0, 1}}).verified());
}

TEST_CASE("explore: the id is part of what the_best_leads looks at") {
    for (const reduction r : {reduction::none, reduction::every})
        CHECK_FALSE(explore(ring{2}, equal_workers(trade::renamer),
                            {.initiators = {0}, .properties = {always(the_best_leads)},
                             .reduce = r}).holds);
}

TEST_CASE("explore: clients that stay for different times are different") {
    const auto make = [](node v) {
        return client{lock{}, {.entries = 1, .thinking = 1, .staying = v == 0 ? 1u : 9u}};
    };
    const auto last_is_out = [](const global_state<client<lock>>& g) {
        return g[0].holds() && !g[1].holds() && g[1].entries_left() == 0;
    };
    const auto v = explore(complete{2}, make, {.properties = {sometimes(last_is_out)}});
    CHECK(v.complete);
    CHECK_FALSE(v.holds);
}

TEST_CASE("explore: a loop that is told is fair: two balls, and both move") {
    const auto v = explore(path{4}, equal_workers(trade::juggler),
                           {.initiators = {0, 3},
                            .properties = {finally([](const all_workers&) { return false; })}});
    REQUIRE(v.counterexample.loop_from.has_value());
    std::uint64_t moved = 0;
    for (std::size_t i = *v.counterexample.loop_from; i < v.counterexample.size(); ++i)
        moved |= std::uint64_t{1} << v.counterexample.steps[i].what.node;
    CHECK((moved & 0b0011) != 0);
    CHECK((moved & 0b1100) != 0);
}

TEST_CASE("explore: a chain that never ends is said to be endless") {
    const auto v = explore(ring{2}, equal_workers(trade::juggler),
                           {.initiators = {0}, .count_messages = false, .chains = true});
    CHECK(v.complete);
    CHECK(v.longest_chain == never);
}

TEST_CASE("explore: what a truncated search saw at an end is judged, and nothing is verified") {
    const auto nothing_came = [](const all_workers& g) { return g[1].got == 0; };
    const auto v = explore(ring{2}, equal_workers(trade::letter),
                           {.initiators = {0}, .properties = {finally(nothing_came)},
                            .max_depth = 1});
    CHECK_FALSE(v.holds);
    const auto breeding = explore(ring{1}, equal_workers(trade::breeder), {.max_states = 500});
    CHECK(breeding.limit == "max_states");
    CHECK_FALSE(breeding.verified());
    CHECK(explore(ring{2}, equal_workers(trade::letter), {.initiators = {0}, .max_states = 2})
              .verified());
}

TEST_CASE("explore: memory is bounded though every state brings a new process") {
    const auto v = explore(ring{1}, equal_workers(trade::breeder), {.max_memory = 4u << 20});
    CHECK(v.limit == "max_memory");
    CHECK(v.states < (4u << 20) / 40);
}

TEST_CASE("explore: processes that know their peers do not change places") {
    const std::vector<int> ids{1, 2, 3};
    const auto make = [&](node v) { return bully{ids[v], peer_ids(complete{3}, v, ids)}; };
    CHECK_THROWS_WITH(explore(complete{3}, make, {.orders = all_permutations}),
                      "explore: these processes know their peers, and cannot change places");
}

TEST_CASE("explore: a handler that does two things for one input is named") {
    const auto v = explore(ring{1}, equal_workers(trade::fickle));
    CHECK_FALSE(v.deterministic);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.text().find("start at worker{") != std::string::npos);
}

TEST_CASE("replay: after the story the coins fall on heads") {
    const auto make = [](node) { return worker{trade::gambler}; };
    const auto v = explore(ring{1}, make, {.properties = {always([](const all_workers& g) {
                                               return g[0].got == 0;
                                           })}});
    auto net = replay(v.counterexample, ring{1}, make);
    CHECK(net[0].got == 1);
    net.start(0);
    net.run();
    CHECK(net[0].got == 0);
}

TEST_CASE("explore: refuses networks that the algorithm is not made for, unless told otherwise") {
    using P = chang_roberts<int>;
    const auto twins = [](node v) { return P{v < 2 ? 7 : 5}; };
    CHECK_THROWS_WITH(explore(ring{3}, twins, {.properties = {always(at_most_one_leader)}}),
                      "explore: nodes 0 and 1 have the same id");
    const auto two_lead = explore(ring{3}, twins, {.properties = {always(at_most_one_leader)},
                                                   .outside_model = true});
    CHECK_FALSE(two_lead.holds);

    using wave = extinction<int>;
    const graph halves{4, {{0, 1}, {2, 3}}};
    const auto by_number = [](node v) { return wave{static_cast<int>(v.index)}; };
    CHECK_THROWS_WITH(explore(halves, by_number),
                      "explore: the graph is not connected: no way from node 0 to node 2");
    CHECK_FALSE(explore(halves, by_number, {.properties = {always(at_most_one_leader)},
                                            .outside_model = true}).holds);
    CHECK_THROWS_WITH(explore(graph{3, {{1, 2}}}, by_number, {.orders = all_permutations}),
                      "explore: the graph is not connected: no way from node 0 to node 1");

    const std::vector<int> ids{1, 2, 3};
    const auto backwards_from = [&](node v) {
        return std::vector{ids[(v + 2) % 3], ids[(v + 1) % 3]};
    };
    const auto mistaken = [&](node v) { return bully{ids[v], backwards_from(v)}; };
    CHECK_THROWS_WITH(
        explore(complete{3}, mistaken),
        "explore: behind port 0 of node 0 is node 1, not the peer that it was told of");
    const auto in_order = [](node v) { return peterson{static_cast<int>(v.index)}; };
    CHECK_THROWS_WITH(
        explore(ring{3}, in_order, {.fifo = false}),
        "explore: the algorithm needs fifo links; leave fifo on, or say outside_model");
    CHECK(explore(ring{3}, in_order, {.fifo = false, .outside_model = true}).complete);
}

TEST_CASE("explore: limits are looked at while states to begin with are made") {
    const auto stopped = [](std::size_t n, trade does, const explore_options<worker>& options) {
        const auto v = explore(ring{n}, workers(does), options);
        CHECK_FALSE(v.complete);
        CHECK_FALSE(v.verified());
        return std::pair{v.limit, v.states};
    };
    using result = std::pair<std::string, std::uint64_t>;
    const result at_1000{"max_states", 1001};
    CHECK(stopped(24, trade::letter, {.initiators = any_subset, .max_states = 1000}) == at_1000);
    CHECK(stopped(64, trade::letter, {.initiators = any_subset, .max_states = 1000}) == at_1000);
    CHECK(stopped(20, trade::letter, {.orders = all_permutations, .max_states = 1000}) == at_1000);
    CHECK(stopped(20, trade::drawer, {.max_states = 1000}) == at_1000);
    CHECK(stopped(40, trade::letter, {.initiators = any_subset, .max_memory = 1 << 20}).first ==
          "max_memory");
    // 2^40 sets of nodes that do nothing when they start: all states to begin with are equal.
    CHECK(stopped(40, trade::idler, {.initiators = any_subset, .max_states = 1000}) ==
          result{"max_states", 1});
    CHECK(stopped(3, trade::letter, {.max_states = 0}) == result{"max_states", 1});
    CHECK(stopped(3, trade::letter, {.max_depth = 0}) == result{"max_depth", 1});
    CHECK(stopped(3, trade::letter, {.max_memory = 0}) == result{"max_memory", 1});
}

TEST_CASE("explore: as many states to begin with as the limit allows are no reason to stop") {
    const auto v = explore(ring{3}, workers(trade::idler), {.initiators = any_subset,
                                                            .max_states = 7});
    CHECK(v.verified());
    CHECK(v.states == 1);
}

TEST_CASE("explore: a property that is broken from the beginning is told without a step") {
    const auto nobody_started = [](const all_workers& g) { return !g[2].started; };
    const auto v = explore(ring{3}, workers(trade::letter),
                           {.initiators = any_subset, .properties = {always(nobody_started)},
                            .orders = all_permutations});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 0);
    CHECK(v.counterexample.starters == 0b100);
    CHECK(v.counterexample.opening.size() == 1);
}

TEST_CASE("explore: a network of one node, and one in which nobody starts") {
    const auto alone = explore(ring{1}, workers(trade::letter));
    CHECK(alone.verified());
    CHECK(alone.states == 2);
    const auto silent = explore(ring{3}, workers(trade::letter),
                                {.initiators = std::vector<std::size_t>{}});
    CHECK(silent.verified());
    CHECK(silent.states == 1);
    CHECK(silent.messages.most == 0);
}
