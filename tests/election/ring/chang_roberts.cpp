// SPDX-License-Identifier: MIT
#include <caucus/election/ring/chang_roberts.hpp>

#include <doctest/doctest.h>
#include <support/election_suite.hpp>
#include <support/trace.hpp>

#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// With some policies, or with none.
template <class... Policies>
using racing = electing<chang_roberts, Policies...>;

}  // namespace

// Shape

static_assert(process<chang_roberts<int>>);
static_assert(deduces<chang_roberts, silent, join>(
    [](auto... with) { return chang_roberts{with...}; }));
static_assert(sizeof(chang_roberts<std::uint16_t>) <= 8);
static_assert(sizeof(chang_roberts<std::uint16_t, join, max_seen, silent>) <= 8);
static_assert(std::is_trivially_copyable_v<chang_roberts<int>>);
static_assert(elected_at_compile_time<racing<>>({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time<racing<>>({4, 3, 2, 1}) == 4);
static_assert(costs_nothing_unstarted<chang_roberts<int>>());

// Paper

TEST_CASE("chang_roberts: the paper's rules, section 2, step by step on a ring 2 3 1") {
    CHECK(chronicle_of(ring{3}, racing<>{{2, 3, 1}}) ==
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
        events sim{ring{12}, racing<>{ids}, {.seed = seed, .delay = exponential{9}}, w};
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
    check_every_start<racing<>>(5, best_of_all);
    check_every_start<racing<join>>(5, best_of_all);
    check_every_start<racing<relay_only>>(5, best_of);
    check_every_start<racing<max_seen>>(5, best_of_all);
    check_every_start<racing<relay_only, max_seen>>(5, best_of);
}

TEST_CASE("chang_roberts: one leader on any schedule, fifo or not, random start sets, n <= 12") {
    each_random_run(400, 12, links::fifo_or_not, [](const random_run& run) {
        const int best = static_cast<int>(run.ids.size());
        check_in_events(racing<>{run.ids}, run.starters, best, run.how);
        if (run.how.fifo) return;
        check_in_events(racing<join, max_seen>{run.ids}, run.starters, best, run.how);
        check_in_events(racing<relay_only, max_seen>{run.ids}, run.starters,
                        best_of(run.ids, run.starters), run.how);
    });
}

TEST_CASE("chang_roberts: silent tells the leader alone") {
    check_silent<racing<silent>>({2, 5, 3}, 5);
}

TEST_CASE("chang_roberts: start twice is one start, and a node that was reached no longer starts") {
    // After one round 3 has reached node 1, and moves on to 2.
    CHECK(check_one_start<racing<>>({3, 1, 2}, 1).by_kind("election") == 3);
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

    check_least_leads<racing<least>>();
}

template <class... Policies>
void explore_all() {
    check_explored<racing<Policies...>>(
        4, {.initiators = any_subset, .properties = one_leads<chang_roberts<int, Policies...>>(),
            .faults = {.duplicates = 1}, .fifo = false, .starting = starting::any_time,
            .orders = all_permutations});
}

TEST_CASE(
    "chang_roberts: every order, start set and schedule, links that reorder and repeat, n = 4") {
    explore_all<>();
    explore_all<relay_only, max_seen>();
}

/// An id on its way has not passed the node of the best: going back from where it is to where it
/// came from, one does not meet that node.
struct none_is_behind_the_best {
    bool operator()(const auto& g) const {
        std::size_t best = 0;
        for (std::size_t v = 1; v < g.nodes(); ++v)
            if (g[best].id() < g[v].id()) best = v;
        bool holds = true;
        g.each_in_flight([&](node from, node, const auto& m) {
            visit_kind(m, [&](const auto& kind) {
                if constexpr (requires { kind.candidate; })
                    for (std::size_t v = from; g[v].id() != kind.candidate;
                         v = (v + g.nodes() - 1) % g.nodes())
                        holds = holds && v != best;
            });
        });
        return holds;
    }
};
/// What is not so: it shows that the explored runs pass ids on.
struct none_is_passed_on {
    bool operator()(const auto& g) const {
        bool holds = true;
        g.each_in_flight([&](node from, node, const auto& m) {
            visit_kind(m, [&](const auto& kind) {
                if constexpr (requires { kind.candidate; })
                    holds = holds && g[from].id() == kind.candidate;
            });
        });
        return holds;
    }
};

TEST_CASE("chang_roberts: Lemma 1: no id is ever between the best and its own node, every order, "
          "start set and schedule, links that reorder, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n)
        check_explored<racing<>>(
            n, {.initiators = any_subset,
                .properties = {always("no id is behind the best", none_is_behind_the_best{})},
                .fifo = false, .starting = starting::any_time, .orders = all_permutations});
    // Not so if the best has not started and is a relay: it passes on whatever comes.
    CHECK_FALSE(explored<racing<relay_only>>(
                    3, {.initiators = any_subset,
                        .properties = {always("no id is behind the best",
                                              none_is_behind_the_best{})}})
                    .holds);
    CHECK_FALSE(explored<racing<>>(3, {.properties = {always(none_is_passed_on{})}}).holds);
}

// Cost

TEST_CASE("chang_roberts: 2n-1 elections at best, n(n+1)/2 at worst, n = 1 … 300") {
    for (const std::size_t n : sizes{1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 300}) {
        const report best = in_rounds(racing<>{ascending(n)});
        const report worst = in_rounds(racing<>{descending(n)});
        CHECK(best.by_kind("election") == 2 * n - 1);
        CHECK(worst.by_kind("election") == n * (n + 1) / 2);
        CHECK(best.by_kind("elected") == n);
        CHECK(worst.by_kind("elected") == n);
        CHECK(best.proven->least == best.messages);
        CHECK(worst.proven->most == worst.messages);
        CHECK(in_rounds(racing<silent>{ascending(n)}).messages == 2 * n - 1);
        CHECK(in_rounds(racing<silent>{descending(n)}).messages == n * (n + 1) / 2);
    }
}

template <class... Policies>
void check_card() {
    const std::size_t n = 6;
    const std::vector<spread> found = by_starters<racing<Policies...>>(n);
    for (std::size_t k = 1; k <= n; ++k) {
        CAPTURE(k);
        const cost card = chang_roberts<int, Policies...>::messages(
            {.nodes = n, .links = n, .initiators = k});
        CHECK(found[k].messages.least == card.least);
        CHECK(found[k].messages.most == card.most);
        CHECK(found[k].messages.mean() == doctest::Approx(*card.mean).epsilon(1e-9));
    }
}

TEST_CASE("chang_roberts: least, mean and most over every order and k starters are the card's") {
    check_card<>();
    check_card<join>();
    check_card<relay_only>();
    check_card<max_seen, silent>();
}

TEST_CASE("chang_roberts: n·H(n) on average within 4 standard errors, 1,000 random rings") {
    for (const std::size_t n : sizes{64, 128}) {
        average elections;
        for (std::uint64_t seed = 1; seed <= 1000; ++seed)
            elections.add(static_cast<double>(
                in_rounds(racing<>{shuffled(n, seed)}).by_kind("election")));
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
        CHECK(in_rounds(racing<silent>{ids}).rounds == n);
        CHECK(in_rounds(racing<>{ids}).rounds == 2 * n);
    }
}

TEST_CASE("chang_roberts: k start together: n rounds for relay_only, up to 2n-k else, reached") {
    const std::size_t n = 5;
    const std::vector<spread> relayed = by_starters<racing<relay_only, silent>>(n);
    const std::vector<spread> suppressed = by_starters<racing<silent>>(n);
    each_order_and_start(n, [](const std::vector<int>& ids, const sizes& starters) {
        CHECK(in_rounds(racing<silent>{ids}, starters).rounds ==
              in_rounds(racing<join, silent>{ids}, starters).rounds);
    });
    for (std::size_t k = 1; k <= n; ++k) {
        CHECK(relayed[k].rounds.least == n);
        CHECK(relayed[k].rounds.most == n);
        CHECK(suppressed[k].rounds.least >= n);
        CHECK(suppressed[k].rounds.most == 2 * n - k);
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
        events net{ring{n}, racing<>{ids}, {.seed = seed, .delay = uniform{1, slowest}}};
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
        const auto count = [&](bool fifo, const auto& make) {
            events net{ring{8}, make,
                       {.seed = seed, .delay = heavy_tailed{1, 500}, .fifo = fifo}};
            return run_from(net, everybody(8)).messages;
        };
        CHECK(count(true, racing<max_seen>{ids}) == count(true, racing<>{ids}));
        const std::uint64_t plain = count(false, racing<>{ids});
        const std::uint64_t filtered = count(false, racing<max_seen>{ids});
        CHECK(filtered <= plain);
        saved += plain - filtered;
    }
    CHECK(saved > 0);
}

// Outside the model

TEST_CASE("chang_roberts: equal ids are refused, and give several leaders when let through") {
    check_refused<racing<>>({7, 1, 7, 2, 3}, "simulation: nodes 0 and 2 have the same id");
    CHECK(leaders_outside_model<racing<silent>>({7, 1, 7, 2, 3}, 8) == sizes{0, 2});
    CHECK(leaders_outside_model<racing<silent>>({9, 9, 9, 9, 9, 9}, 6).size() == 6);
}

TEST_CASE("chang_roberts: a crashed node breaks the ring: silence, and no leader") {
    check_broken_ring<racing<>>();
}

TEST_CASE("chang_roberts: max_seen stops what a better id has overtaken, own_id passes it on") {
    const auto passed_on = [](auto p) {
        using process = decltype(p);
        notes<process> env;
        p.start(env);
        for (const int id : {7, 9, 8}) p.on(typename process::election{id}, prev, env);
        return env.out.size() - 1;
    };
    CHECK(passed_on(chang_roberts{5}) == 3);
    CHECK(passed_on(chang_roberts{5, max_seen{}}) == 2);

    notes<chang_roberts<int, relay_only, max_seen>> env;
    chang_roberts relay{5, relay_only{}, max_seen{}};
    using election = decltype(relay)::election;
    for (const int id : {3, 2, 4}) relay.on(election{id}, prev, env);
    CHECK(env.out.size() == 2);   // its own id is not in play; 3 was better than 2
}

TEST_CASE("chang_roberts: repeated messages cost, but never make a second leader") {
    check_repeated_by_hand<chang_roberts<int>>(2, 1);
}
