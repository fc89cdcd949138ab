// SPDX-License-Identifier: MIT
#include <caucus/election/graph/traversal_election.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/traversal_elections.hpp>

#include <array>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// Runs to the end: the one leads that the card says, all know and said so once, parents span.
report check_election(auto& sim, const std::vector<int>& ids,
                      const std::vector<std::size_t>& starters) {
    for (const std::size_t v : starters) sim.start(v);
    const report r = sim.run();
    const int best = elected_by_card(sim[0], ids, starters);
    check_elected(sim, best);
    std::size_t leader = 0;
    while (ids[leader] != best) ++leader;
    CHECK(spans(sim, leader));
    CHECK(is_depth_first(sim));
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.within_proven());
    CHECK(r.size.initiators == starters.size());
    CHECK(r.by_kind("elected") == sim.nodes() - 1);
    CHECK(r.by_kind("finished") >= sim.nodes() - 1);
    return r;
}

template <class Steering, class... Policies>
void check_every_start(const graph& g, const std::vector<int>& ids) {
    const auto make = electing_on<Steering, Policies...>(g, ids);
    using process = decltype(make(node{0}));
    each_subset(g.nodes(), [&](const std::vector<std::size_t>& starters) {
        rounds sim{g, make};
        const report r = check_election(sim, ids, starters);
        CHECK(process::time(r.size).contains(r.rounds));
        events net{g, make, {.seed = static_cast<std::uint64_t>(ids[0]),
                             .delay = heavy_tailed{1, 100}, .fifo = false}};
        check_election(net, ids, starters);
    });
}

/// Every schedule, starts at any time, links in any order. A start at a visited node is none: so
/// that is every set of starters too.
template <class Steering, class... Policies>
void check_every_schedule(const graph& g, const std::vector<int>& ids, fault_budget faults = {}) {
    const auto elect = electing_on<Steering, Policies...>(g, ids);
    const auto make = [&](node v) { return noted{elect(v)}; };
    const auto somebody_leads = [](const auto& s) {
        for (std::size_t v = 0; v < s.nodes(); ++v)
            if (s[v].is_leader() && s[v].leader() == s[v].id()) return true;
        return false;
    };
    explore_options<decltype(make(node{0}))> options{
        .properties = {always(at_most_one_leader), always(no_starter_is_better_than_the_leader{}),
                       finally(somebody_leads)},
        .faults = faults, .fifo = false, .starting = starting::any_time};
    if constexpr (announces<Policies...>) options.properties.push_back(finally(all_agree));
    const verdict v = explore(g, make, options);
    INFO(v.counterexample.text());
    CHECK(v.verified());
    CHECK(v.messages.most <= elect(node{0}).messages({g.nodes(), g.links(), g.nodes()}).most);
}

constexpr int elected_at_compile_time(std::array<int, 4> ids) {
    const graph g{4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}};
    rounds sim{g, [&](node v) { return traversal_election{ids[v]}; }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() ? *sim[3].leader() : 0;
}
constexpr int elected_by_path_at_compile_time(std::array<int, 4> ids) {
    rounds sim{complete{4}, [&](node v) {
        const std::array peers{ids[(v + 1) % 4], ids[(v + 2) % 4], ids[(v + 3) % 4]};
        return traversal_election{ids[v], by_path{ids[v], peers}};
    }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() ? *sim[3].leader() : 0;
}

}  // namespace

// Shape

static_assert(process<traversal_election<int>>);
static_assert(deduces<traversal_election, silent, least>(
    [](auto... with) { return traversal_election{with...}; }));
static_assert(elected_at_compile_time({17, 4, 42, 8}) == 42);
static_assert(elected_by_path_at_compile_time({17, 4, 42, 8}) == 42);
static_assert(sizeof(traversal_election<std::uint16_t, inplace_storage<8>>) <= 64);
static_assert(std::is_trivially_copyable_v<traversal_election<int, inplace_storage<8>>>);
static_assert(std::is_same_v<decltype(traversal_election{3L, silent{}, least{}}),
                             traversal_election<long, silent, least>>);

constexpr bool is_between(cost proven, std::uint64_t fewest, std::uint64_t most) {
    return proven.least == fewest && proven.most == most;
}
template <class... Wake>
constexpr size_t bytes = sizeof(traversal_election<int, Wake...>);
static_assert(bytes<join> == bytes<> && bytes<suppress> == bytes<>);
using with_colours = traversal_election<int>;
static_assert(with_colours::elects == winner::best_caller);
using joined = traversal_election<int, join>;
using suppressed = traversal_election<int, suppress, silent>;
static_assert(is_between(joined::messages({5, 7, 0}), 0, 0));
static_assert(is_between(joined::messages({5, 7, 3}), 14 + 4 + 4, 14 + 4 * 10 + 4));
static_assert(is_between(suppressed::messages({5, 7, 3}), 14 + 2, 14 + 4 * 10));
static_assert(is_between(joined::time({5, 7, 5}), 14 + 1, 14 + 4));
static_assert(is_between(joined::time({5, 7, 3}), 14 + 1, 14 + 4 * 10 + 4));
static_assert(is_between(suppressed::time({5, 7, 3}), 14, 14 + 4 * 10));
using silent_colours = traversal_election<int, silent>;
using with_lists = traversal_election<int, by_path<int, std::vector<int>>>;
static_assert(is_between(with_colours::messages({5, 7, 0}), 0, 0));
static_assert(is_between(with_colours::messages({5, 7, 3}), 14 + 2 + 4, 14 + 12 * 2 + 4));
static_assert(is_between(silent_colours::messages({5, 7, 3}), 14 + 2, 14 + 12 * 2));
static_assert(is_between(with_lists::messages({5, 7, 3}), 8 + 2 + 4, 8 + 6 * 2 + 4));
static_assert(is_between(with_colours::time({5, 7, 0}), 0, 0));
static_assert(is_between(with_colours::time({1, 0, 1}), 0, 0));
static_assert(is_between(with_colours::time({5, 7, 3}), 14 + 1, 14 + 4));
static_assert(is_between(silent_colours::time({5, 7, 3}), 14, 14));

// Paper

TEST_CASE("traversal_election: a path 1 2 3, all start: 1 and 2 end at their better neighbours") {
    const std::vector<int> ids{1, 2, 3};
    rounds sim{path{3}, electing_on<by_colours>(path{3}, ids)};
    const report r = check_election(sim, ids, {0, 1, 2});
    // T1 T2 T3 to the neighbours: 1, 2 end there | T3 on to the end | back | home | tell | tell
    CHECK(r.by_kind("token") == 4);
    CHECK(r.by_kind("finished") == 2);
    CHECK(r.rounds == 2 * 2 + 2);
}

// Safety and liveness

TEST_CASE("traversal_election: the best starter leads, every kind of graph, order, start, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n)
        for (const graph& g : every_kind_of_graph(n))
            each_permutation(n, [&](const std::vector<int>& ids) {
                check_every_start<by_colours>(g, ids);
                check_every_start<by_paths>(g, ids);
            });
}

TEST_CASE("traversal_election: every schedule, every graph, order, starters at any time, n <= 3") {
    for (std::size_t n = 1; n <= 3; ++n)
        each_connected_graph(n, [&](const graph& g) {
            each_permutation(n, [&](const std::vector<int>& ids) {
                check_every_schedule<by_colours>(g, ids);
                check_every_schedule<by_paths>(g, ids);
                check_every_schedule<by_colours, silent>(g, ids);
                check_every_schedule<by_paths, silent>(g, ids);
            });
        });
}

TEST_CASE("traversal_election: every schedule, every kind of graph, order, start, n = 4") {
    const std::vector<graph> graphs = every_kind_of_graph(4);
    each_permutation(4, [&](const std::vector<int>& ids) {
        for (const graph& g : graphs) check_every_schedule<by_colours, silent>(g, ids);
        check_every_schedule<by_paths, silent>(graphs.back(), ids);
    });
}

template <class Wake>
void check_whoever_calls() {
    for (std::size_t n = 1; n <= 4; ++n)
        for (const graph& g : every_kind_of_graph(n))
            each_permutation(n, [&](const std::vector<int>& ids) {
                check_every_start<by_colours, Wake>(g, ids);
                if (n < 4) check_every_start<by_paths, Wake>(g, ids);
                if (n < 4) check_every_schedule<by_colours, Wake>(g, ids);
                if (n < 4) check_every_schedule<by_paths, Wake, silent>(g, ids, {.duplicates = 1});
            });
}

TEST_CASE("traversal_election: joined or suppressed, whoever calls, the best of all leads: every "
          "kind of graph, order and start, n <= 4; any schedule, fifo or not, n <= 3") {
    check_whoever_calls<join>();
    check_whoever_calls<suppress>();
}

TEST_CASE("traversal_election: four callers alone on a ring of four: four leaders, else one") {
    const std::vector<int> ids{2, 1, 4, 3};
    const two_way_ring t{4};
    const auto leader_by = [&](const auto& make, std::size_t caller) {
        rounds sim{t, make};
        sim.start(caller);
        sim.run();
        return sim[0].leader();
    };
    for (std::size_t caller = 0; caller < 4; ++caller) {
        CHECK(leader_by(electing_on<by_colours>(t, ids), caller) == ids[caller]);
        CHECK(leader_by(electing_on<by_colours, join>(t, ids), caller) == 4);
        CHECK(leader_by(electing_on<by_colours, suppress>(t, ids), caller) == 4);
    }
}

TEST_CASE("nightly: traversal_election: every schedule, kind of graph, order and start, by path, "
          "with announcements, a message twice, n = 4" * doctest::skip()) {
    for (const graph& g : every_kind_of_graph(4))
        each_permutation(4, [&](const std::vector<int>& ids) {
            check_every_schedule<by_colours>(g, ids);
            check_every_schedule<by_paths>(g, ids);
            check_every_schedule<by_paths, silent>(g, ids);
            check_every_schedule<by_colours, silent>(g, ids, {.duplicates = 1});
        });
}

TEST_CASE("traversal_election: repeated messages are harmless, every graph and order, n <= 3") {
    for (std::size_t n = 2; n <= 3; ++n)
        each_connected_graph(n, [&](const graph& g) {
            each_permutation(n, [&](const std::vector<int>& ids) {
                check_every_schedule<by_colours>(g, ids, {.duplicates = 1});
                check_every_schedule<by_paths>(g, ids, {.duplicates = 1});
            });
        });
}

TEST_CASE("traversal_election: one leader with any delays, fifo or not, random graphs, n <= 30") {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 2 + dice.below(29);
        const std::vector<int> ids = shuffled(n, seed);
        const std::size_t links = std::min(n - 1 + dice.below(2 * n), n * (n - 1) / 2);
        const graph g = random_sparse_graph(n, links, seed);
        std::vector<std::size_t> starters{dice.below(n)};
        for (std::size_t v = 0; v < n; ++v)
            if (v != starters[0] && dice.below(3) == 0) starters.push_back(v);
        for (const delay_model& delay : every_delay()) {
            const events_options options{.seed = seed, .delay = delay, .fifo = seed % 2 == 0};
            events coloured{g, electing_on<by_colours>(g, ids), options};
            check_election(coloured, ids, starters);
            events listed{g, electing_on<by_paths>(g, ids), options};
            check_election(listed, ids, starters);
            events joined_by{g, electing_on<by_colours, join>(g, ids), options};
            check_election(joined_by, ids, starters);
            events suppressing{g, electing_on<by_colours, suppress>(g, ids), options};
            check_election(suppressing, ids, starters);
        }
    }
}

TEST_CASE("traversal_election: start twice is one start, and a visited node no longer starts") {
    const std::vector<int> ids{1, 9, 5};
    rounds sim{path{3}, electing_on<by_colours>(path{3}, ids)};
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = 1});
    sim.start(1);   // better, but too late
    const report r = sim.run();
    CHECK(r.size.initiators == 1);
    CHECK(r.within_proven());
    check_elected(sim, 1);
    sim.start(1);
    CHECK(sim.run().messages == r.messages);
}

TEST_CASE("traversal_election: starters that come late but unvisited take part") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const std::size_t n = 8;
        const std::vector<int> ids = shuffled(n, seed);
        const graph g = random_tree(n, seed);
        events net{g, electing_on<by_paths>(g, ids), {.seed = seed}};
        net.start(seed % n);
        net.run_for(seed % 13);
        net.start((seed + 3) % n);
        const report r = net.run();
        CHECK(r.within_proven());
        const int first = ids[seed % n];
        check_elected(net, r.size.initiators == 2 ? std::max(first, ids[(seed + 3) % n]) : first);
    }
}

TEST_CASE("traversal_election: the least wins where it is preferred; silent tells nobody else") {
    const std::vector<int> ids{4, 2, 7, 3};
    rounds sim{complete{4}, electing_on<by_colours, least>(complete{4}, ids)};
    sim.start_all();
    sim.run();
    check_elected(sim, 2);
    rounds quiet{complete{4}, electing_on<by_paths, silent>(complete{4}, ids)};
    quiet.start_all();
    CHECK(quiet.run().within_proven());
    CHECK(quiet.outcomes().size() == 1);
    CHECK(quiet[2].is_leader());
    CHECK_FALSE(quiet[0].leader());
}

// Outside the model

TEST_CASE("traversal_election: a crashed node takes the token along") {
    const std::vector<int> ids{1, 2, 3, 4};
    events net{path{4}, electing_on<by_colours>(path{4}, ids), {.delay = unit{}}};
    net.crash(0);
    net.start_all();
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(net.outcomes().empty());
}

TEST_CASE("traversal_election: what is not connected, equal ids and strange peers are refused") {
    const graph apart{3, {{0, 1}}};
    const std::vector<int> ids{1, 2, 3};
    CHECK_THROWS_WITH(rounds(apart, electing_on<by_colours>(apart, ids)),
                      "simulation: the graph is not connected: no way from node 0 to node 2");
    CHECK_THROWS_WITH(rounds(path{3}, electing_on<by_colours>(path{3}, {5, 1, 5})),
                      "simulation: nodes 0 and 2 have the same id");
    CHECK_THROWS_WITH(rounds(path{3}, electing_on<by_paths>(star{3}, ids)),
                      "simulation: node 0 knows 2 peers and has 1 ports");
}

TEST_CASE("traversal_election: equal ids mix their tokens: two leaders on a path of two") {
    rounds sim{path{2}, electing_on<by_colours>(path{2}, {5, 5}), {.outside_model = true}};
    sim.start_all();
    sim.run();
    CHECK(sim[0].is_leader());
    CHECK(sim[1].is_leader());
}

TEST_CASE("traversal_election: what nobody has asked for is ignored") {
    using process = traversal_election<int>;
    notes<process> env;
    env.ports = 3;
    process self{4};
    self.on(process::elected{9}, port{0}, env);        // no token was here
    self.on(process::finished{4, {}}, port{0}, env);   // nor sent
    CHECK(env.out.empty());
    self.on(process::token{7, {}}, port{1}, env);
    CHECK(env.out.size() == 1);                        // on by 0
    self.on(process::finished{7, {}}, port{2}, env);   // not from where the token went
    self.on(process::finished{3, {}}, port{0}, env);   // not of the token that holds this node
    self.on(process::token{3, {}}, port{0}, env);
    self.on(process::token{7, {}}, port{1}, env);      // repeated
    CHECK(env.out.size() == 1);
    self.on(process::token{7, {}}, port{2}, env);      // came round: back where it came from
    CHECK(env.out.size() == 2);
    self.on(process::finished{7, {}}, port{0}, env);   // 2 is coloured: home
    CHECK(env.out.size() == 3);
    CHECK(env.told == 0);
    for (int twice = 0; twice < 2; ++twice) self.on(process::elected{7}, port{1}, env);
    CHECK(env.told == 1);
    CHECK(env.out.size() == 4);                        // 0 is the only child
}

TEST_CASE("traversal_election: a node with more ports than its storage holds says so") {
    const auto make = [](node v) { return traversal_election{v.index + 1, inplace_storage<4>{}}; };
    rounds sim{star{6}, make};
    sim.start_all();
    sim.run();
    CHECK(std::get<overflow>(sim.outcomes()[0].outcome).needed == 5);
    for (std::size_t v = 0; v < 6; ++v) CHECK_FALSE(sim[v].is_leader());
    rounds joined_by{star{6}, [](node v) {
        return traversal_election{v.index + 1, join{}, inplace_storage<4>{}};
    }};
    joined_by.start(1);
    joined_by.run();
    REQUIRE(joined_by.outcomes().size() == 1);   // the centre says so once
    CHECK(std::get<overflow>(joined_by.outcomes()[0].outcome).needed == 5);
}

TEST_CASE("traversal_election: by path in place, a list without room ends all tokens, no leader") {
    for (const std::size_t n : sizes{4, 5, 6}) {
        const path t{n};
        rounds sim{t, electing_on<by_paths, inplace_storage<4>>(t, ascending(n))};
        sim.start_all();
        sim.run();
        std::size_t overflows = 0;
        for (const auto& o : sim.outcomes()) overflows += o.outcome.index() == 1;
        CHECK(overflows == (n == 4 ? 0 : 1));
        for (std::size_t v = 0; v < n; ++v) CHECK(sim[v].is_leader() == (n == 4 && v == 3));
    }
}
