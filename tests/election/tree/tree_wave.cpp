// SPDX-License-Identifier: MIT
#include <caucus/election/tree/tree_wave.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/trace.hpp>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>
#include <support/trees.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

template <class... Policies>
using waves = electing<tree_wave, Policies...>;

std::size_t leaves_among(const auto& t, const std::vector<std::size_t>& nodes) {
    std::size_t count = 0;
    for (const std::size_t v : nodes) count += t.degree(node{v}) == 1;
    return count;
}

/// Two at most decide, and they are neighbours; in the end there are two.
template <class Topology>
struct deciders_are_neighbours {
    const Topology* topology;
    bool exactly = false;
    static std::uint64_t observes(const auto& process) { return process.is_decider(); }
    bool operator()(const auto& g) const {
        std::vector<std::size_t> who;
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].is_decider()) who.push_back(v);
        const std::size_t most = g.nodes() == 1 ? 1 : 2;
        if (who.size() > most || (exactly && who.size() < most)) return false;
        return who.size() < 2 || distances(*topology, who[0])[who[1]] == 1;
    }
};

/// silent: of the two that have decided the better one leads, and they alone know it.
struct the_better_decider_leads : detail::election_property {
    static std::uint64_t observes(const auto& process) {
        return mix(detail::election_property::observes(process), process.is_decider());
    }
    bool operator()(const auto& g) const {
        int best = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].is_decider()) best = std::max(best, g[v].id());
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].leader() != (g[v].is_decider() ? std::optional{best} : std::nullopt))
                return false;
        return true;
    }
};

constexpr int elected_at_compile_time(std::array<int, 5> ids, std::size_t initiator) {
    rounds sim{tree{0, 0, 0, 1, 1}, [&](node v) { return tree_wave{ids[v]}; }};
    sim.start(initiator);
    const report r = sim.run();
    return r.messages == 3 * 5 - 3 && r.within_proven() ? *sim[3].leader() : 0;
}

}  // namespace

// Shape

static_assert(process<tree_wave<int>>);
static_assert(deduces<tree_wave, contract_only, least>(
    [](auto... with) { return tree_wave{with...}; }));
static_assert(elected_at_compile_time({17, 4, 42, 8, 3}, 0) == 42);
static_assert(elected_at_compile_time({17, 4, 8, 3, 42}, 4) == 42);
static_assert(sizeof(tree_wave<std::uint16_t, inplace_storage<8>>) <= 32);
static_assert(tree_wave<int>::messages({.nodes = 9}).most == 0);
static_assert(tree_wave<int>::time({.nodes = 9}).most == 0);

// Paper

TEST_CASE("tree_wave: a path of four, its second node starts: out, in, and out again") {
    std::vector<journal::line> lines;
    journal c;
    c.lines = &lines;
    rounds sim{tree{0, 0, 1, 2}, waves<>{{7, 9, 1, 5}}, {}, c};
    sim.start(1);
    sim.run();
    CHECK(in_order(lines) ==
          "0: 1 explosion by 0\n"
          "0: 1 explosion by 1\n"
          "1: 0 contraction by 0\n"      // a leaf, at once
          "1: 2 explosion by 1\n"
          "2: 1 contraction by 1\n"      // 0 has contracted: 2 is left
          "2: 3 contraction by 0\n"
          "3: 2 contraction by 1\n"      // hears 1 first: 3 is left
          "3: 2 knows 9\n"               // and there the two meet
          "3: 2 information by 0\n"
          "4: 1 knows 9\n"
          "4: 1 information by 0\n"
          "4: 3 knows 9\n"
          "5: 0 knows 9\n");
}

// Safety and liveness

TEST_CASE("tree_wave: every schedule of every tree, every set of initiators, n <= 6, fifo: "
          "two neighbours decide, the best leads, all know it, at 3n+k-4 messages") {
    for (std::size_t n = 1; n <= 6; ++n) {
        each_tree(n, [&](const tree& t) {
            each_subset(n, [&](const std::vector<std::size_t>& starters) {
                const deciders_are_neighbours<tree> at_most_two{&t}, two{&t, true};
                const verdict v = explore(t, waves<>{shuffled(n, n + starters.size())},
                                          {.initiators = starters,
                                           .properties = {always(at_most_one_leader),
                                                          always(the_best_leads),
                                                          always(at_most_two), finally(two),
                                                          finally(all_agree),
                                                          finally(someone_leads)}});
                CHECK(v.verified());
                const std::size_t k = starters.size();
                CHECK(v.messages.least == (n == 1 ? 0 : 3 * n + k - 4));
                CHECK(v.messages.most == v.messages.least);
                const cost proven = tree_wave<int>::messages({.nodes = n, .initiators = k});
                CHECK(v.messages.least == proven.least);
            });
        });
    }
}

TEST_CASE("tree_wave: links in any order n <= 5, starts at any time n <= 5, both n <= 4, every "
          "tree, every set of initiators; a late starter is none") {
    const auto check = [&](std::size_t n, bool fifo, starting when) {
        each_tree(n, [&](const tree& t) {
            const deciders_are_neighbours<tree> at_most_two{&t}, two{&t, true};
            const verdict v = explore(t, waves<>{ascending(n)},
                                      {.initiators = any_subset,
                                       .properties = {always(at_most_one_leader),
                                                      always(the_best_leads), always(at_most_two),
                                                      finally(two), finally(all_agree),
                                                      finally(someone_leads)},
                                       .fifo = fifo, .starting = when});
            CHECK(v.verified());
            CHECK(v.messages.least == 3 * n - 3);   // one came first, and the others were late
            CHECK(v.messages.most == 4 * n - 4);
        });
    };
    for (std::size_t n = 2; n <= 5; ++n) {
        check(n, false, starting::at_once);
        check(n, true, starting::any_time);
        if (n < 5) check(n, false, starting::any_time);
    }
}

TEST_CASE("tree_wave: every order of the ids, every set of initiators, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        each_tree(n, [&](const tree& t) {
            CHECK(explore(t, waves<>{ascending(n)},
                          {.initiators = any_subset,
                           .properties = {always(the_best_leads), finally(all_agree)},
                           .starting = starting::any_time, .orders = all_permutations})
                      .verified());
            CHECK(explore(t, waves<least>{ascending(n)},
                          {.initiators = any_subset,
                           .properties = {always(the_best_leads_t<least>{}), finally(all_agree)},
                           .orders = all_permutations})
                      .verified());
        });
    }
}

TEST_CASE("tree_wave: messages may come twice, in any order, every tree, n <= 4") {
    for (std::size_t n = 2; n <= 4; ++n) {
        each_tree(n, [&](const tree& t) {
            const auto repeated = [&](auto make, auto property) {
                const deciders_are_neighbours<tree> two{&t, true};
                const std::uint8_t times = n == 4 ? 1 : 2;
                CHECK(explore(t, make, {.initiators = leaves(t),
                                        .properties = {always(at_most_one_leader), finally(two),
                                                       property},
                                        .faults = {.duplicates = times}, .fifo = n == 4})
                          .verified());
            };
            repeated(waves<>{ascending(n)}, finally(all_agree));
            repeated(waves<silent>{ascending(n)}, finally(the_better_decider_leads{}));
            repeated(waves<explode_inside>{ascending(n)}, finally(all_agree));
        });
    }
}

TEST_CASE("tree_wave: silent: the better of the two that decide leads, and these two know it, at "
          "2n-2+k messages, every tree and set of initiators, n <= 5") {
    for (std::size_t n = 1; n <= 5; ++n) {
        each_tree(n, [&](const tree& t) {
            each_subset(n, [&](const std::vector<std::size_t>& starters) {
                const deciders_are_neighbours<tree> two{&t, true};
                const verdict v = explore(t, waves<silent>{shuffled(n, n + starters.size())},
                                          {.initiators = starters,
                                           .properties = {always(at_most_one_leader), finally(two),
                                                          finally(the_better_decider_leads{}),
                                                          finally(someone_leads)}});
                CHECK(v.verified());
                CHECK(v.messages.least == (n == 1 ? 0 : 2 * n - 2 + starters.size()));
                CHECK(v.messages.most == v.messages.least);
            });
        });
    }
}

TEST_CASE("tree_wave: explode_inside: an initiating leaf contracts at once and saves an explosion, "
          "every tree and set of initiators, n <= 5") {
    for (std::size_t n = 2; n <= 5; ++n) {
        each_tree(n, [&](const tree& t) {
            each_subset(n, [&](const std::vector<std::size_t>& starters) {
                const verdict v = explore(t, waves<explode_inside>{ascending(n)},
                                          {.initiators = starters,
                                           .properties = {always(the_best_leads),
                                                          finally(all_agree)},
                                           .fifo = n < 5});
                CHECK(v.verified());
                const std::size_t k = starters.size();
                CHECK(v.messages.least == 3 * n + k - 4 - leaves_among(t, starters));
                CHECK(v.messages.most == v.messages.least);
                CHECK(tree_wave<int, explode_inside>::messages({.nodes = n, .initiators = k})
                          .contains(v.messages.least));
            });
        });
    }
}

TEST_CASE("tree_wave: contract_only: ends if and only if all leaves start but for one, then at "
          "2n-2 messages, every tree and set of initiators, n <= 6") {
    for (std::size_t n = 2; n <= 6; ++n) {
        each_tree(n, [&](const tree& t) {
            each_subset(n, [&](const std::vector<std::size_t>& starters) {
                const verdict v = explore(t, waves<contract_only>{ascending(n)},
                                          {.initiators = starters,
                                           .properties = {always(the_best_leads),
                                                          finally(all_agree)}});
                CHECK(v.verified() == (leaves_among(t, starters) + 1 >= leaves(t).size()));
                if (v.verified()) CHECK(v.messages.least == 2 * n - 2);
                if (v.verified()) CHECK(v.messages.most == 2 * n - 2);
            });
        });
    }
}

TEST_CASE("tree_wave: start twice is one start; who was reached no longer starts") {
    rounds sim{path{3}, waves<>{{1, 9, 5}}};
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = 1});
    sim.start(1);
    const report r = sim.run();
    CHECK(r.size.initiators == 1);
    CHECK(r.messages == 3 * 3 - 3);
    CHECK(r.within_proven());
    check_elected(sim, 9);
    for (std::size_t v = 0; v < 3; ++v) sim.start(v);
    CHECK(sim.run().messages == r.messages);
}

TEST_CASE("tree_wave: alone, it leads at once; nobody starts, nobody leads") {
    rounds alone{star{1}, waves<>{{4}}};
    alone.start(0);
    alone.start(0);
    const report r = alone.run();
    CHECK(r.messages == 0);
    CHECK(r.within_proven());
    CHECK(alone[0].is_decider());
    check_elected(alone, 4);
    rounds idle{path{3}, waves<>{{1, 2, 3}}};
    CHECK(idle.run().within_proven());
    CHECK_FALSE(idle[2].leader().has_value());
}

// Outside the model

TEST_CASE("tree_wave: a cycle is refused, and if let through never contracts") {
    const graph triangle_with_tail{5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}}};
    const waves<> make{ascending(5)};
    CHECK_THROWS_WITH(rounds(triangle_with_tail, make),
                      "simulation: the algorithm needs a tree, and the graph has a cycle");
    CHECK_THROWS_WITH(rounds(graph{3, {{0, 1}}}, make),
                      "simulation: the graph is not connected: no way from node 0 to node 2");
    rounds sim{triangle_with_tail, make, {.outside_model = true}};
    sim.start_all();
    const report r = sim.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.by_kind("contraction") == 2);   // the tail's
    CHECK(sim.outcomes().empty());
    const auto nobody_decides = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].leader()) return false;
        return true;
    };
    CHECK(explore(graph{4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}}, make,
                  {.initiators = any_subset, .properties = {always(nobody_decides)},
                   .outside_model = true})
              .verified());
}

TEST_CASE("tree_wave: equal ids are refused; the wave does not mind, but cannot break the tie") {
    CHECK_THROWS_WITH(rounds(path{3}, waves<>{{5, 1, 5}}),
                      "simulation: nodes 0 and 2 have the same id");
    rounds sim{path{3}, waves<>{{5, 1, 5}}, {.outside_model = true}};
    sim.start(1);
    CHECK(sim.run().within_proven());
    CHECK((sim[0].is_leader() && sim[2].is_leader()));
    CHECK(sim[1].leader() == 5);
    rounds pair{path{2}, waves<silent>{{7, 7}}, {.outside_model = true}};
    pair.start(0);
    pair.run();
    CHECK((pair[0].is_leader() && pair[1].is_leader()));
}

TEST_CASE("tree_wave: a crashed node or a lost message stops it: silence, and nobody knows") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const std::size_t n = 3 + seed % 20;
        const graph t = random_tree(n, seed);
        std::size_t inner = seed % n;
        while (t.degree(node{inner}) == 1) inner = (inner + 1) % n;
        events net{t, waves<>{shuffled(n, seed)}, {.seed = seed}};
        net.crash(inner);
        net.start_all();
        const report r = net.run();
        CHECK(r.stopped == stop::quiescent);
        CHECK(r.lost > 0);
        CHECK(net.outcomes().empty());
    }
    const auto after_a_loss = [](auto property) {
        return explore(path{3}, waves<>{{1, 2, 3}},
                       {.initiators = {1}, .properties = {property}, .faults = {.losses = 1}});
    };
    CHECK_FALSE(after_a_loss(finally(someone_leads)).holds);
    CHECK(after_a_loss(always(the_best_leads)).verified());
}

TEST_CASE("tree_wave: what comes twice or from nowhere changes nothing") {
    using process = tree_wave<int>;
    notes<process> env;
    env.ports = 1;
    process leaf{4};
    leaf.on(process::information{9}, port{0}, env);   // nobody can know before all have contracted
    CHECK(env.told == 0);
    CHECK_FALSE(leaf.leader());
    for (int twice = 0; twice < 2; ++twice) leaf.on(process::explosion{}, port{0}, env);
    CHECK(env.out.size() == 1);
    for (int twice = 0; twice < 2; ++twice) leaf.on(process::contraction{7}, port{0}, env);
    CHECK(leaf.is_decider());
    leaf.on(process::information{9}, port{0}, env);
    leaf.start(env);
    CHECK(env.out.size() == 1);
    CHECK(env.told == 1);
    CHECK(leaf.leader() == 7);
}

TEST_CASE("tree_wave: a node with more ports than its storage holds says so and stays out") {
    for (const std::size_t initiator : sizes{0, 1}) {
        rounds sim{star{6}, [](node v) { return tree_wave{v.index, inplace_storage<4>{}}; }};
        sim.start(initiator);
        sim.run();
        REQUIRE(sim.outcomes().size() == (initiator == 0 ? 1 : 2));   // X, then C
        CHECK(std::get<overflow>(sim.outcomes()[0].outcome).needed == 5);
        for (std::size_t v = 0; v < 6; ++v) CHECK_FALSE(sim[v].leader());
    }
}
