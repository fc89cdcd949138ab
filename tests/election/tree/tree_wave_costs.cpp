// SPDX-License-Identifier: MIT
#include <caucus/election/tree/tree_wave.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>
#include <support/trees.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

template <class... Policies>
using waves = electing<tree_wave, Policies...>;

/// Whom each node contracted to, and how often.
struct contractions : observer {
    std::vector<std::vector<std::size_t>>* ports_used = nullptr;
    template <class Kind>
    void sent(ticks, node v, port p, const Kind&) {
        if (kind_name<Kind>() == text{"contraction"}) (*ports_used)[v].push_back(p);
    }
};

/// Everybody contracts once, two neighbours to each other, nobody else; and these two decide.
void check_meeting(const auto& sim, const std::vector<std::vector<std::size_t>>& ports_used) {
    std::vector<std::size_t> inward;
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        REQUIRE(ports_used[v].size() == 1);
        inward.push_back(sim.topology().across(node{v}, port{ports_used[v][0]}).node);
    }
    std::size_t met = 0;
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        met += inward[inward[v]] == v;
        CHECK(sim[v].is_decider() == (inward[inward[v]] == v));
    }
    CHECK(met == 2);
}

/// A random tree with some initiators, and what everything must cost there.
struct instance {
    graph topology;
    std::vector<int> ids;
    std::vector<std::size_t> starters;
    std::size_t starting_leaves = 0;

    explicit instance(std::uint64_t seed)
        : instance(2 + random_source{seed}.below(60), seed) {}
    instance(std::size_t n, std::uint64_t seed)
        : topology(random_tree(n, seed)), ids(shuffled(n, seed)) {
        random_source dice{mix(seed, 7)};
        const std::uint64_t every = 1 + dice.below(n);
        starters.push_back(dice.below(n));
        for (std::size_t v = 0; v < n; ++v)
            if (v != starters[0] && dice.below(every) == 0) starters.push_back(v);
        for (const std::size_t v : starters) starting_leaves += topology.degree(node{v}) == 1;
    }
};

/// Runs it to the end: the counts are exact, kind by kind.
report check_costs(auto& sim, const std::vector<std::size_t>& starters, std::uint64_t explosions) {
    for (const std::size_t v : starters) sim.start(v);
    const report r = sim.run();
    const std::uint64_t n = sim.nodes();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.size.initiators == starters.size());
    CHECK(r.by_kind("explosion") == explosions);
    CHECK(r.by_kind("contraction") == n);
    CHECK(r.by_kind("information") == (sim.outcomes().size() == n ? n - 2 : 0));
    CHECK(r.within_proven());
    return r;
}

}  // namespace

TEST_CASE("tree_wave: explosions n-2+k, contractions n, information n-2, on 2000 random trees, "
          "n <= 61, with any delays, fifo or not") {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        CAPTURE(seed);
        const instance i{seed};
        const std::size_t n = i.ids.size();
        const std::uint64_t all_explode = n - 2 + i.starters.size();
        const delay_model delay = every_delay()[seed % 5];
        std::vector<std::vector<std::size_t>> ports_used(n);
        contractions watcher;
        watcher.ports_used = &ports_used;
        events net{i.topology, waves<>{i.ids},
                   {.seed = seed, .delay = delay, .fifo = seed % 2 == 0}, watcher};
        check_costs(net, i.starters, all_explode);
        check_elected(net, static_cast<int>(n));
        check_meeting(net, ports_used);

        events quiet{i.topology, waves<silent>{i.ids}, {.seed = seed, .delay = delay}};
        check_costs(quiet, i.starters, all_explode);
        CHECK(quiet.outcomes().size() == 2);
        events inside{i.topology, waves<explode_inside>{i.ids}, {.seed = seed, .delay = delay}};
        check_costs(inside, i.starters, all_explode - i.starting_leaves);
        check_elected(inside, static_cast<int>(n));
        events inward{i.topology, waves<contract_only>{i.ids}, {.seed = seed, .delay = delay}};
        check_costs(inward, leaves(i.topology), 0);
        check_elected(inward, static_cast<int>(n));
    }
}

TEST_CASE("tree_wave: late starters count only if nobody had reached them, on 500 random trees") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        const instance i{seed};
        events net{i.topology, waves<>{i.ids}, {.seed = seed, .delay = exponential{20}}};
        for (const std::size_t v : i.starters) {
            net.start(v);
            net.run_for(seed % 7);
        }
        const report r = net.run();
        CHECK(r.messages == 3 * i.ids.size() + r.size.initiators - 4);
        CHECK(r.within_proven());
        check_elected(net, static_cast<int>(i.ids.size()));
    }
}

TEST_CASE("tree_wave: the card: exact, but for how many leaves are among those that start") {
    using all_explode = tree_wave<int>;
    CHECK(all_explode::messages({.nodes = 1, .initiators = 1}).most == 0);
    CHECK(all_explode::messages({.nodes = 2, .initiators = 1}).most == 3);
    CHECK(all_explode::messages({.nodes = 7, .initiators = 1}).mean == 18.0);
    CHECK(all_explode::messages({.nodes = 7, .initiators = 7}).least == 4 * 7 - 4);   // Tel: 4N-4
    using quiet = tree_wave<int, silent>;
    CHECK(quiet::messages({.nodes = 7, .initiators = 3}).mean == 2 * 7 - 2 + 3.0);
    CHECK(quiet::messages({.nodes = 1, .initiators = 1}).most == 0);
    using inward = tree_wave<int, contract_only>;
    CHECK(inward::messages({.nodes = 1, .initiators = 1}).most == 0);
    CHECK(inward::messages({.nodes = 7, .initiators = 3}).mean == 12.0);

    // Leaves first, then the others; or the other way round: on a star and on a path.
    using inside = tree_wave<int, explode_inside>;
    for (std::size_t n = 2; n <= 8; ++n) {
        for (std::size_t k = 1; k <= n; ++k) {
            std::vector<std::uint64_t> sent;
            const auto run = [&](const auto& t, std::size_t first, std::size_t step) {
                rounds sim{t, waves<explode_inside>{ascending(n)}};
                for (std::size_t v = 0; v < k; ++v) sim.start((first + v * step) % n);
                sent.push_back(sim.run().messages);
            };
            run(star{n}, n - 1, n - 1);   // its centre, node 0, comes last
            run(path{n}, 1 % n, 1);       // its ends, n-1 and 0, come last
            const cost c = inside::messages({.nodes = n, .initiators = k});
            CHECK(*std::min_element(sent.begin(), sent.end()) == c.least);
            CHECK(*std::max_element(sent.begin(), sent.end()) == c.most);
        }
    }
}

TEST_CASE("tree_wave: the card's time, with and without the diameter") {
    const auto check = [](cost c, std::uint64_t least_rounds, std::uint64_t most_rounds) {
        CHECK(c.least == least_rounds);
        CHECK(c.most == most_rounds);
    };
    using wave = tree_wave<int>;
    check(wave::time({.nodes = 7}), 0, 0);
    check(wave::time({.nodes = 1, .initiators = 1}), 0, 0);
    check(wave::time({.nodes = 2, .initiators = 1}), 1, 2);
    check(wave::time({.nodes = 3, .initiators = 3}), 2, 2);
    check(wave::time({.nodes = 7, .initiators = 1}), 2, 12);            // a star, or a path
    check(wave::time({.nodes = 7, .initiators = 1, .diameter = 4}), 4, 8);
    check(wave::time({.nodes = 7, .initiators = 6, .diameter = 4}), 4, 5);
    check(wave::time({.nodes = 2, .initiators = 2, .diameter = 1}), 1, 1);
    using quiet = tree_wave<int, silent>;
    check(quiet::time({.nodes = 7, .initiators = 7, .diameter = 5}), 3, 5);
    check(quiet::time({.nodes = 7, .initiators = 7, .diameter = 6}), 4, 6);
}

TEST_CASE("tree_wave: a path of seven in unit delays, its nodes in turn: 18 messages, 9 to 12 "
          "rounds") {
    const ticks rounds_taken[] = {12, 11, 10, 9, 10, 11, 12};
    for (std::size_t v = 0; v < 7; ++v) {
        rounds sim{path{7}, waves<>{ascending(7)}};
        sim.start(v);
        const report r = sim.run();
        CHECK(r.messages == 18);
        CHECK(r.rounds == rounds_taken[v]);
    }
}

TEST_CASE("tree_wave: the two that decide are far from a single initiator; at the centre, if all "
          "start") {
    rounds far{path{7}, waves<>{ascending(7)}};
    far.start(0);
    far.run();
    CHECK((far[5].is_decider() && far[6].is_decider()));
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const instance i{seed};
        rounds sim{i.topology, waves<>{i.ids}};
        sim.start_all();
        sim.run();
        const std::size_t radius = (diameter(i.topology) + 1) / 2;
        std::size_t central = 0;
        for (std::size_t v = 0; v < sim.nodes(); ++v)
            central += sim[v].is_decider() && eccentricity(i.topology, v) == radius;
        CHECK(central >= 1);   // two, if the tree has two centres
    }
}

TEST_CASE("tree_wave: from the diameter to twice that, or to it and those asleep; both reached") {
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        CAPTURE(seed);
        const instance i{seed};
        const std::size_t n = i.ids.size();
        const std::size_t across = diameter(i.topology);
        const auto check = [&](auto make, const std::vector<std::size_t>& starters) {
            rounds sim{i.topology, make};
            for (const std::size_t v : starters) sim.start(v);
            const report r = sim.run();
            using process = std::invoke_result_t<decltype(make)&, node>;
            CHECK(process::time(r.size).contains(r.rounds));
            size s = r.size;
            s.diameter = across;
            CHECK(process::time(s).contains(r.rounds));
            return r.rounds;
        };
        for (const auto& starters : {i.starters, leaves(i.topology), everybody(n)}) {
            check(waves<>{i.ids}, starters);
            check(waves<silent>{i.ids}, starters);
            check(waves<explode_inside>{i.ids}, starters);
        }
        check(waves<contract_only>{i.ids}, leaves(i.topology));
        check(waves<contract_only, silent>{i.ids}, leaves(i.topology));
        CHECK(check(waves<>{i.ids}, leaves(i.topology)) == across);
        CHECK(check(waves<silent>{i.ids}, leaves(i.topology)) == across / 2 + 1);
    }
    for (std::size_t n = 2; n <= 12; ++n) {
        for (std::size_t k = 1; k <= n; ++k) {
            rounds sim{path{n}, waves<>{ascending(n)}};
            for (std::size_t v = 0; v < k; ++v) sim.start(v);
            const size s{.nodes = n, .links = n - 1, .initiators = k, .diameter = n - 1};
            CHECK(sim.run().rounds == tree_wave<int>::time(s).most);
        }
    }
}
