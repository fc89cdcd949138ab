// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/trace/trace_hash.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>
#include <support/trace.hpp>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>

#include <array>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

template <class... Policies>
auto nodes_with(const std::vector<int>& ids, Policies... policies) {
    return [&ids, policies...](node v) { return chang_roberts{ids[v], policies...}; };
}

/// On `rounds`, all of `starters` in round 0.
template <class... Policies>
report in_rounds(const std::vector<int>& ids, const std::vector<std::size_t>& starters,
                 Policies... policies) {
    rounds sim{ring{ids.size()}, nodes_with(ids, policies...)};
    for (const std::size_t v : starters) sim.start(v);
    return sim.run();
}

}  // namespace

// Shape

static_assert(process<chang_roberts<int>>);
static_assert(std::is_same_v<decltype(chang_roberts{3}), chang_roberts<int>>);
static_assert(std::is_same_v<decltype(chang_roberts{3, silent{}, join{}}),
                             chang_roberts<int, silent, join>>);
static_assert(std::is_same_v<decltype(chang_roberts{3, join{}, silent{}}),
                             chang_roberts<int, join, silent>>);
static_assert(sizeof(chang_roberts<std::uint16_t>) <= 8);
static_assert(sizeof(chang_roberts<std::uint16_t, join, max_seen, silent>) <= 8);
static_assert(std::is_trivially_copyable_v<chang_roberts<int>>);
static_assert(std::is_same_v<decltype(chang_roberts{3L, silent{}, join{}}),
                             chang_roberts<long, silent, join>>);

constexpr int elected_at_compile_time(std::array<int, 4> ids) {
    rounds sim{ring{4}, [&](node v) { return chang_roberts{ids[v]}; }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() && sim[0].leader() == sim[3].leader() ? *sim[1].leader() : 0;
}
static_assert(elected_at_compile_time({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time({4, 3, 2, 1}) == 4);
static_assert(chang_roberts<int>::messages({.nodes = 5}).least == 0);   // nobody started
static_assert(chang_roberts<int>::messages({.nodes = 5}).most == 0);
static_assert(chang_roberts<int>::time({.nodes = 5}).least == 0);
static_assert(chang_roberts<int>::time({.nodes = 5}).most == 0);

// Paper

TEST_CASE("chang_roberts: the paper's rules, section 2, step by step on a ring 2 3 1") {
    const std::vector<int> ids{2, 3, 1};
    CHECK(chronicle_of(ring{3}, nodes_with(ids)) ==
          "0: 0 election 2\n"
          "0: 1 election 3\n"
          "0: 2 election 1\n"     // 1 reaches 2 and 2 reaches 3: stopped; 3 reaches 1: passed on
          "1: 2 election 3\n"
          "2: 0 election 3\n"
          "3: 1 knows 3\n"        // home again
          "3: 1 elected 3\n"
          "4: 2 knows 3\n"
          "4: 2 elected 3\n"
          "5: 0 knows 3\n"
          "5: 0 elected 3\n");
}

struct watch : observer {
    std::vector<std::vector<int>>* seen;   // by sender and id
    void sent(ticks, node v, port, const auto& kind) {
        if constexpr (requires { kind.candidate; })
            ++(*seen)[v][static_cast<std::size_t>(kind.candidate)];
    }
};

TEST_CASE("chang_roberts: E(max) visits every node once, and at most one copy of an id is about") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const std::vector<int> ids = shuffled(12, seed);
        std::vector<std::vector<int>> seen(12, std::vector<int>(13));
        watch w;
        w.seen = &seen;
        events sim{ring{12}, nodes_with(ids), {.seed = seed, .delay = exponential{9}}, w};
        sim.start_all();
        sim.run();
        for (const auto& links : seen) {
            CHECK(links[12] == 1);
            for (const int times : links) CHECK(times <= 1);
        }
    }
}

// Safety and liveness

TEST_CASE("chang_roberts: the best of all leads, every order and start set, rounds, n <= 5") {
    for (std::size_t n = 1; n <= 5; ++n) {
        each_permutation(n, [&](const std::vector<int>& ids) {
            each_subset(n, [&](const std::vector<std::size_t>& starters) {
                const auto elect = [&](int expected, auto... policies) {
                    rounds sim{ring{n}, nodes_with(ids, policies...)};
                    for (const std::size_t v : starters) sim.start(v);
                    const report r = sim.run();
                    REQUIRE(r.stopped == stop::quiescent);
                    REQUIRE(r.within_proven());
                    check_elected(sim, expected);
                };
                const int best = static_cast<int>(n);
                elect(best);
                elect(best, join{});
                elect(best_of(ids, starters), relay_only{});
                elect(best, max_seen{});
                elect(best_of(ids, starters), relay_only{}, max_seen{});
            });
        });
    }
}

TEST_CASE("chang_roberts: one leader on any schedule, fifo or not, random start sets, n <= 12") {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        random_source dice{seed};
        const std::size_t n = 1 + dice.below(12);
        const std::vector<int> ids = shuffled(n, seed);
        std::vector<std::size_t> starters{dice.below(n)};
        for (std::size_t v = 0; v < n; ++v)
            if (v != starters[0] && dice.below(3) == 0) starters.push_back(v);
        for (const delay_model& delay : every_delay()) {
            const auto elect = [&](bool fifo, int expected, auto... policies) {
                CAPTURE(seed);
                events net{ring{n}, nodes_with(ids, policies...),
                           {.seed = seed, .delay = delay, .fifo = fifo}};
                for (const std::size_t v : starters) net.start(v);
                const report r = net.run();
                CHECK(r.stopped == stop::quiescent);
                CHECK(r.within_proven());
                check_elected(net, expected);
            };
            const int best = static_cast<int>(n);
            elect(true, best);
            elect(false, best);
            elect(false, best, join{}, max_seen{});
            elect(false, best_of(ids, starters), relay_only{}, max_seen{});
        }
    }
}

TEST_CASE("chang_roberts: silent tells the leader alone") {
    const std::vector<int> ids{2, 5, 3};
    rounds sim{ring{3}, nodes_with(ids, silent{})};
    sim.start_all();
    CHECK(sim.run().by_kind("elected") == 0);
    CHECK(sim[1].is_leader());
    CHECK(sim[1].leader() == 5);
    CHECK_FALSE(sim[0].leader().has_value());
    CHECK(sim.outcomes().size() == 1);
}

TEST_CASE("chang_roberts: start twice is one start, and a node that was reached no longer starts") {
    const std::vector<int> ids{3, 1, 2};
    rounds sim{ring{3}, nodes_with(ids)};
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = 1});   // 3 has reached node 1, and moves on to 2
    sim.start(1);
    const report r = sim.run();
    CHECK(r.size.initiators == 1);
    CHECK(r.by_kind("election") == 3);
    check_elected(sim, 3);
    sim.start(2);
    CHECK(sim.run().messages == r.messages);
}

TEST_CASE("chang_roberts: any strict total order will do, such as free memory, then id") {
    struct machine {
        int free_memory = 0;
        int id = 0;
        bool operator==(const machine&) const = default;
    };
    const auto roomier = [](const machine& a, const machine& b) {
        return a.free_memory != b.free_memory ? a.free_memory > b.free_memory : a.id < b.id;
    };
    const std::vector<machine> machines{{512, 1}, {2048, 2}, {2048, 3}, {64, 4}};
    rounds sim{ring{4}, [&](node v) { return chang_roberts{machines[v], roomier}; }};
    sim.start(3);
    sim.run();
    CHECK(sim[0].leader() == machine{2048, 2});

    rounds reversed{ring{4}, [&](node v) { return chang_roberts{machines[v].id, least{}}; }};
    reversed.start_all();
    reversed.run();
    CHECK(reversed[2].leader() == 1);
}

template <class... Policies>
verdict explored(Policies... policies) {
    return explore(ring{4}, [=](node v) {
        return chang_roberts{static_cast<int>(v.index), policies...};
    }, {.initiators = any_subset,
        .properties = {always(at_most_one_leader), finally(all_agree), sometimes(someone_leads)},
        .faults = {.duplicates = 1},
        .fifo = false,
        .starting = starting::any_time,
        .orders = all_permutations});
}

TEST_CASE(
    "chang_roberts: every order, start set and schedule, links that reorder and repeat, n = 4") {
    CHECK(explored().verified());
    CHECK(explored(relay_only{}, max_seen{}).verified());
}

// Cost

TEST_CASE("chang_roberts: 2n-1 elections at best, n(n+1)/2 at worst, n = 1 … 300") {
    for (const std::size_t n : sizes{1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 300}) {
        const auto best = in_rounds(ascending(n), everybody(n));
        const auto worst = in_rounds(descending(n), everybody(n));
        CHECK(best.by_kind("election") == 2 * n - 1);
        CHECK(worst.by_kind("election") == n * (n + 1) / 2);
        CHECK(best.by_kind("elected") == n);
        CHECK(worst.by_kind("elected") == n);
        CHECK(best.proven->least == best.messages);
        CHECK(worst.proven->most == worst.messages);
        CHECK(in_rounds(ascending(n), everybody(n), silent{}).messages == 2 * n - 1);
        CHECK(in_rounds(descending(n), everybody(n), silent{}).messages == n * (n + 1) / 2);
    }
}

TEST_CASE("chang_roberts: least, mean and most over every order and k starters are the card's") {
    const std::size_t n = 6;
    const auto check = [&](auto... policies) {
        for (std::size_t k = 1; k <= n; ++k) {
            std::uint64_t fewest = ~std::uint64_t{0};
            std::uint64_t most = 0;
            average messages;
            each_subset(n, [&](const std::vector<std::size_t>& starters) {
                // Turning the ring changes nothing: one starter may stand at 0.
                if (starters.size() != k || starters[0] != 0) return;
                each_permutation(n, [&](const std::vector<int>& ids) {
                    const report r = in_rounds(ids, starters, policies...);
                    fewest = std::min(fewest, r.messages);
                    most = std::max(most, r.messages);
                    messages.add(static_cast<double>(r.messages));
                });
            });
            const cost card = chang_roberts<int, decltype(policies)...>::messages(
                {.nodes = n, .links = n, .initiators = k});
            CAPTURE(k);
            CHECK(fewest == card.least);
            CHECK(most == card.most);
            CHECK(messages.mean() == doctest::Approx(*card.mean).epsilon(1e-9));
        }
    };
    check();
    check(join{});
    check(relay_only{});
    check(max_seen{}, silent{});
}

TEST_CASE("chang_roberts: n·H(n) on average within 4 standard errors, 1,000 random rings") {
    for (const std::size_t n : sizes{64, 128}) {
        average elections;
        for (std::uint64_t seed = 1; seed <= 1000; ++seed)
            elections.add(static_cast<double>(
                in_rounds(shuffled(n, seed), everybody(n)).by_kind("election")));
        const double size = static_cast<double>(n);
        double squares = 0;
        for (double i = 1; i <= size; ++i) squares += 1 / (i * i);
        const double mean = size * harmonic(n);
        const double variance = 2 * size * size - mean - size * size * squares;
        CHECK(std::abs(elections.mean() - mean) < 4 * std::sqrt(variance / 1000));
        CHECK(elections.variance() == doctest::Approx(variance).epsilon(0.2));
    }
}

TEST_CASE("chang_roberts: decided in round n and known in 2n when all start together, n <= 40") {
    for (std::size_t n = 1; n <= 40; ++n) {
        const std::vector<int> ids = shuffled(n, n);
        CHECK(in_rounds(ids, everybody(n), silent{}).rounds == n);
        CHECK(in_rounds(ids, everybody(n)).rounds == 2 * n);
    }
}

TEST_CASE("chang_roberts: k start together: n rounds for relay_only, up to 2n-k else, reached") {
    const std::size_t n = 5;
    std::vector<ticks> latest(n + 1);
    each_subset(n, [&](const std::vector<std::size_t>& starters) {
        each_permutation(n, [&](const std::vector<int>& ids) {
            const std::size_t k = starters.size();
            CHECK(in_rounds(ids, starters, relay_only{}, silent{}).rounds == n);
            const ticks suppressed = in_rounds(ids, starters, silent{}).rounds;
            const ticks joined = in_rounds(ids, starters, join{}, silent{}).rounds;
            CHECK(suppressed == joined);
            CHECK(suppressed >= n);
            CHECK(suppressed <= 2 * n - k);
            latest[k] = std::max(latest[k], suppressed);
        });
    });
    for (std::size_t k = 1; k <= n; ++k) {
        CHECK(latest[k] == 2 * n - k);
        const cost card = chang_roberts<int, silent>::time({.nodes = n, .initiators = k});
        CHECK(card.least == n);
        CHECK(card.most == 2 * n - k);
    }
}

TEST_CASE("chang_roberts: delays up to D, late starts: (2n-1)·D after the first, and n·D more") {
    const ticks slowest = 7;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        random_source dice{seed};
        const std::size_t n = 1 + dice.below(9);
        const std::vector<int> ids = shuffled(n, seed);
        events net{ring{n}, nodes_with(ids), {.seed = seed, .delay = uniform{1, slowest}}};
        std::vector<std::pair<ticks, std::size_t>> starts;
        for (std::size_t v = 0; v < n; ++v) starts.emplace_back(dice.below(n * slowest), v);
        std::sort(starts.begin(), starts.end());
        const ticks first = starts[0].first;
        for (const auto& [at, v] : starts) {
            net.run_for(at - net.now());
            net.start(v);
        }
        const report r = net.run();
        ticks decided = 0;
        for (const auto& o : net.outcomes())
            if (net[o.node].is_leader()) decided = o.at;
        CHECK(decided - first <= (2 * n - 1) * slowest);
        CHECK(r.rounds - first <= (3 * n - 1) * slowest);
        check_elected(net, static_cast<int>(n));
    }
}

TEST_CASE("chang_roberts: with fifo, max_seen forwards what own_id does; without, never more") {
    std::uint64_t saved = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const std::vector<int> ids = shuffled(8, seed);
        const auto count = [&](bool fifo, auto... policies) {
            events net{ring{8}, nodes_with(ids, policies...),
                       {.seed = seed, .delay = heavy_tailed{1, 500}, .fifo = fifo}};
            net.start_all();
            return net.run().messages;
        };
        CHECK(count(true, max_seen{}) == count(true));
        const std::uint64_t plain = count(false);
        const std::uint64_t filtered = count(false, max_seen{});
        CHECK(filtered <= plain);
        saved += plain - filtered;
    }
    CHECK(saved > 0);
}

// Outside the model

TEST_CASE("chang_roberts: equal ids are refused, and give several leaders when let through") {
    const std::vector<int> ids{7, 1, 7, 2, 3};
    CHECK_THROWS_WITH(rounds(ring{5}, nodes_with(ids)),
                      "simulation: nodes 0 and 2 have the same id");
    rounds sim{ring{5}, nodes_with(ids, silent{}), {.outside_model = true}};
    sim.start_all();
    CHECK(sim.run().messages == 8);
    CHECK(sim[0].is_leader());
    CHECK(sim[2].is_leader());

    const std::vector<int> alike(6, 9);
    rounds same{ring{6}, nodes_with(alike, silent{}), {.outside_model = true}};
    same.start_all();
    CHECK(same.run().messages == 6);
    for (std::size_t v = 0; v < 6; ++v) CHECK(same[v].is_leader());
}

TEST_CASE("chang_roberts: a crashed node breaks the ring: silence, and no leader") {
    const std::vector<int> ids{4, 1, 3, 2};
    events net{ring{4}, nodes_with(ids), {.delay = unit{}}};
    net.crash(2);
    net.start_all();
    const report r = net.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.lost > 0);
    for (std::size_t v = 0; v < 4; ++v) CHECK_FALSE(net[v].leader().has_value());
}

TEST_CASE("chang_roberts: max_seen stops what a better id has overtaken, own_id passes it on") {
    const auto passed_on = [](auto p) {
        using process = decltype(p);
        hand<process> env;
        p.start(env);
        for (const int id : {7, 9, 8}) p.on(typename process::election{id}, prev, env);
        return env.out.size() - 1;
    };
    CHECK(passed_on(chang_roberts{5}) == 3);
    CHECK(passed_on(chang_roberts{5, max_seen{}}) == 2);

    hand<chang_roberts<int, relay_only, max_seen>> env;
    chang_roberts relay{5, relay_only{}, max_seen{}};
    using election = decltype(relay)::election;
    for (const int id : {3, 2, 4}) relay.on(election{id}, prev, env);
    CHECK(env.out.size() == 2);   // its own id is not in play; 3 was better than 2
}

TEST_CASE("chang_roberts: repeated messages cost, but never make a second leader") {
    using process = chang_roberts<int>;
    process winner{5};
    hand<process> env;
    winner.start(env);
    winner.start(env);
    CHECK(env.out.size() == 1);
    for (int twice = 0; twice < 2; ++twice) winner.on(process::election{5}, prev, env);
    for (int twice = 0; twice < 2; ++twice) winner.on(process::elected{5}, prev, env);
    CHECK(env.out.size() == 2);
    CHECK(env.told == 1);
    process loser{3};
    hand<process> other;
    for (int twice = 0; twice < 2; ++twice) loser.on(process::elected{5}, prev, other);
    CHECK(other.out.size() == 1);
    CHECK(other.told == 1);
}
