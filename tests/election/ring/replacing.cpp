// SPDX-License-Identifier: MIT
#include <caucus/election/ring/replacing.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/layer/repaired_ring.hpp>

#include <doctest/doctest.h>
#include <support/election_suite.hpp>
#include <support/returning.hpp>
#include <support/trace.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// With some policies, or with none.
template <class... Policies>
using passing = electing<replacing, Policies...>;

/// Hops from s to the best.
std::size_t way_to_the_best(const std::vector<int>& ids, std::size_t s) {
    const auto best = std::max_element(ids.begin(), ids.end()) - ids.begin();
    return (static_cast<std::size_t>(best) + ids.size() - s) % ids.size();
}

void check_over(const auto& sim) {
    check_followed(sim, static_cast<int>(sim.nodes()));
    std::string objections;
    for (std::size_t v = 0; v < sim.nodes(); ++v)
        if (sim[v].is_participant()) object(objections, v, " still takes part");
    for (const auto& o : sim.outcomes())
        if (o.outcome.leader != static_cast<int>(sim.nodes()))
            object(objections, o.node, " reports another");
    check_no(objections);
}

struct all_is_over_t {
    static std::uint64_t observes(const auto& p) { return p.is_participant(); }
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].is_participant()) return false;
        return true;
    }
};
constexpr all_is_over_t all_is_over;

}  // namespace

// Shape

static_assert(process<replacing<int>>);
static_assert(deduces<replacing, forgetful, least>(
    [](auto... with) { return replacing{with...}; }));
static_assert(sizeof(replacing<std::uint16_t>) <= 10);
static_assert(std::is_trivially_copyable_v<replacing<int>>);
static_assert(covers(replacing<int>::assumes.links, guarantee::fifo));
static_assert(!covers(replacing<int, forgetful>::assumes.links, guarantee::fifo));

static_assert(elected_at_compile_time<passing<>>({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time<passing<>>({4, 3, 2, 1}) == 4);
static_assert(costs_nothing_unstarted<replacing<int>>());

TEST_CASE("replacing: asks for no more than the least environment, id and preference") {
    CHECK(check_archetypes<replacing>({0}) == sizes{2, 2});
}

// Paper

TEST_CASE("replacing: one message from 1 becomes one of 2, then of 3, on a ring 1 2 3") {
    CHECK(chronicle_of(ring{3}, passing<>{{1, 2, 3}}, {0}) ==
          "0: 0 election 1\n"
          "1: 1 election 2\n"
          "2: 2 election 3\n"
          "3: 0 election 3\n"
          "4: 1 election 3\n"
          "5: 2 knows 3\n"
          "5: 2 elected 3\n"
          "6: 0 knows 3\n"
          "6: 0 elected 3\n"
          "7: 1 knows 3\n"
          "7: 1 elected 3\n");
}

// Safety and liveness

void check_all_starts(const auto& make, const sizes& starters) {
    rounds sim{ring{make.ids.size()}, make};
    const report r = run_from(sim, starters);
    check_quiet(r);
    check_cost(r);
    check_equal(sim.outcomes().size(), sim.nodes());
    check_over(sim);
}

TEST_CASE("replacing: the best of all leads, every order and start set, rounds, n <= 5") {
    each_order_and_start(5, [](const std::vector<int>& ids, const sizes& starters) {
        check_all_starts(passing<>{ids}, starters);
        check_all_starts(passing<forgetful>{ids}, starters);
    });
}

TEST_CASE("replacing: on any fifo schedule again and again: late starts, five elections, n <= 10") {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 1 + dice.below(10);
        const std::vector<int> ids = shuffled(n, seed);
        for (const delay_model& delay : every_delay()) {
            const auto elect = [&](bool fifo, auto make) {
                events net{ring{n}, make, {.seed = seed, .delay = delay, .fifo = fifo}};
                for (int times = 0; times < 5; ++times) {
                    for (std::size_t starts = 1 + dice.below(n); starts != 0; --starts) {
                        net.start(dice.below(n));
                        net.run_for(dice.below(30));
                    }
                    if (dice.below(2) == 0) continue;
                    const std::size_t heard = net.outcomes().size();
                    net.start(0);
                    CHECK(net.run().stopped == stop::quiescent);
                    CHECK(net.outcomes().size() > heard);
                    check_over(net);
                }
                CHECK(net.run().stopped == stop::quiescent);
                check_over(net);
            };
            elect(true, passing<>{ids});
            elect(false, passing<forgetful>{ids});
        }
    }
}

TEST_CASE("replacing: every order, start set and fifo schedule, starts at any time, n <= 4") {
    auto properties = the_best_one_leads<replacing<int>>();
    properties.push_back(finally(all_is_over));
    for (std::size_t n = 1; n <= 4; ++n) {
        for (const starting when : {starting::at_once, starting::any_time}) {
            const verdict v = check_explored<passing<>>(n, {.initiators = any_subset,
                                                            .properties = properties,
                                                            .starting = when,
                                                            .orders = all_permutations});
            CHECK(v.messages.least == 2 * n);
            if (when == starting::any_time) continue;
            // The worst of chang_roberts is n(n+1)/2 with all, and 3n-1 with one initiator.
            std::uint64_t most = 0;
            for (std::size_t k = 1; k <= n; ++k)
                most = std::max(most,
                                replacing<int>::messages({.nodes = n, .initiators = k}).most);
            CHECK(v.messages.most == most);
        }
    }
}

TEST_CASE("replacing: without fifo a late starter is left behind, and never starts again, n = 3") {
    const auto v = explored<passing<>>(3, {.initiators = any_subset,
                                           .properties = {finally(all_is_over)},
                                           .fifo = false,
                                           .starting = starting::any_time,
                                           .orders = all_permutations,
                                           .outside_model = true});
    CAPTURE(v.counterexample.text());
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.how == "is false when all is over, after");
}

// Cost

TEST_CASE("replacing: one initiator: its way to the best and two laps, 2n … 3n-1, n <= 6") {
    for (std::size_t n = 1; n <= 6; ++n) {
        extremes messages;
        each_permutation(n, [&](const std::vector<int>& ids) {
            const report r = in_rounds(passing<>{ids}, {0});
            CHECK(r.messages == way_to_the_best(ids, 0) + 2 * n);
            CHECK(r.by_kind("elected") == n);
            CHECK(r.messages == in_rounds(passing<forgetful>{ids}, {0}).messages);
            messages.add(r.messages);
        });
        const double size = static_cast<double>(n);
        CHECK(messages.least == 2 * n);
        CHECK(messages.most == 3 * n - 1);
        CHECK(messages.mean() == doctest::Approx(2 * size + (size - 1) / 2).epsilon(1e-9));
    }
}

TEST_CASE("replacing: with memory message for message, round for round as chang_roberts") {
    each_order_and_start(5, [](const std::vector<int>& ids, const sizes& starters) {
        const report ours = in_rounds(passing<>{ids}, starters);
        const report theirs = in_rounds(electing<chang_roberts>{ids}, starters);
        CHECK(ours.by_kind("election") == theirs.by_kind("election"));
        CHECK(ours.messages == theirs.messages);
        CHECK(ours.rounds == theirs.rounds);
    });
}

TEST_CASE("replacing: forgetful: k initiators pay k ways and 2k laps, on every order, n <= 6") {
    for (std::size_t n = 1; n <= 6; ++n) {
        std::vector<spread> found(n + 1);
        each_subset(n, [&](const sizes& starters) {
            each_ring(n, [&](const std::vector<int>& ids) {
                const report r = in_rounds(passing<forgetful>{ids}, starters);
                std::uint64_t expected = 0;
                for (const std::size_t s : starters) expected += way_to_the_best(ids, s) + 2 * n;
                CHECK(r.messages == expected);
                CHECK(r.by_kind("elected") == starters.size() * n);
                found[starters.size()].add(r);
            });
        });
        for (std::size_t k = 1; k <= n; ++k) {
            using process = replacing<int, forgetful>;
            const cost card = process::messages({.nodes = n, .initiators = k});
            const cost time = process::time({.nodes = n, .initiators = k});
            CHECK(found[k].messages.least == card.least);
            CHECK(found[k].messages.most == card.most);
            CHECK(found[k].rounds.least == time.least);
            CHECK(found[k].rounds.most == time.most);
            CHECK(found[k].messages.mean() == doctest::Approx(*card.mean).epsilon(1e-9));
        }
    }
}

TEST_CASE("replacing: with memory the card is that of chang_roberts, n <= 8") {
    check_same_card<replacing<int>, chang_roberts<int>>(8);
}

TEST_CASE("replacing: forgetful costs k times as much on every schedule, fifo or not, n = 4") {
    for (const bool fifo : {true, false}) {
        std::vector<extremes> found(5);
        each_subset(4, [&](const sizes& starters) {
            const verdict v = check_explored<passing<forgetful>>(
                4, {.initiators = starters,
                    .properties = the_best_one_leads<replacing<int, forgetful>>(),
                    .fifo = fifo,
                    .orders = all_permutations});
            found[starters.size()].add(v.messages.least);
            found[starters.size()].add(v.messages.most);
        });
        for (std::size_t k = 1; k <= 4; ++k) {
            const cost card = replacing<int, forgetful>::messages({.nodes = 4, .initiators = k});
            CHECK(found[k].least == card.least);
            CHECK(found[k].most == card.most);
        }
    }
}

// Outside the model

TEST_CASE("replacing: equal ids are refused; let through, one takes the other's id for its own") {
    const std::vector<int> ids{7, 1, 7, 2, 3};
    check_refused<passing<>>(ids, "simulation: nodes 0 and 2 have the same id");
    rounds sim{ring{5}, passing<>{ids}, {.outside_model = true}};
    sim.start(0);
    sim.run();
    CHECK(sim[0].is_leader());
    CHECK(sim[1].leader() == 7);
    CHECK_FALSE(sim[2].leader().has_value());   // and the other this one's lap for its own
    CHECK(sim[2].is_participant());
    CHECK_FALSE(sim[4].leader().has_value());
}

TEST_CASE("replacing: after a dead best id has passed, no later election gets anywhere") {
    using process = replacing<int>;
    for (const int survivor : {1, 5, 8}) {
        process p{survivor};
        notes<process> env;
        p.on(process::election{9}, prev, env);     // 9 dies, and its message is taken away
        env.out.clear();
        p.start(env);
        for (const int other : {1, 5, 8})
            if (other != survivor) p.on(process::election{other}, prev, env);
        CHECK(env.out.empty());
        CHECK_FALSE(p.leader().has_value());
    }
}

TEST_CASE("replacing: who has passed on a better id heeds no lesser ELECTION or ELECTED") {
    using process = replacing<int>;
    process p{5};
    notes<process> env;
    p.start(env);
    p.on(process::election{9}, prev, env);
    CHECK(env.out.size() == 2);
    p.on(process::election{7}, prev, env);
    p.on(process::election{5}, prev, env);     // its own: no victory any more
    p.on(process::elected{7}, prev, env);
    CHECK(env.out.size() == 2);
    CHECK(env.told == 0);
    p.on(process::elected{9}, prev, env);
    CHECK(p.leader() == 9);
    CHECK(env.out.size() == 3);
    p.on(process::elected{7}, prev, env);      // 7 was outrun by 9
    CHECK(p.leader() == 9);
    CHECK(env.out.size() == 3);
    p.on(process::election{5}, prev, env);     // so was it itself, and asks again
    CHECK(p.leader() == 9);
    CHECK(std::get<process::election>(env.out.back().message).candidate == 5);
    CHECK(env.told == 1);
    // 9 has died since: another election, another leader.
    p.on(process::election{7}, prev, env);
    p.on(process::elected{7}, prev, env);
    CHECK(p.leader() == 7);
    CHECK(env.told == 2);
    // One that knows of no leader believes the first.
    process woken{8};
    woken.on(process::elected{7}, prev, env);
    CHECK(woken.leader() == 7);
}

TEST_CASE("replacing: forgetful heeds all: what it passed on it does not know any more") {
    using process = replacing<int, forgetful>;
    process p{5, {}};
    notes<process> env;
    p.start(env);
    p.on(process::election{9}, prev, env);
    p.on(process::elected{9}, prev, env);
    p.on(process::elected{7}, prev, env);
    CHECK(p.leader() == 7);
    p.on(process::election{5}, prev, env);
    CHECK(p.is_leader());
}

// A node comes back, on a ring that has closed over it

auto ring_of(const std::vector<int>& ids) {
    return [ids](node v) { return repaired_ring{returning{replacing{ids[v]}}}; };
}

TEST_CASE("replacing: whoever dies, comes back and starts, any schedule: all in one camp, n = 3") {
    using process = repaired_ring<returning<replacing<int>>>;
    const auto the_returned_leads = [](const global_state<process>& g) {
        for (std::size_t v = 0; v < 3; ++v)
            if (!g.alive(v) || g[v].leader() != 9) return false;
        return true;
    };
    check_verified(explore(complete{3}, ring_of({5, 1, 9}),
                           {.initiators = any_subset,
                            .properties = {finally(followers_agree), sometimes(the_returned_leads)},
                            .faults = {.crashes = 1, .amnesias = 1},
                            .perfect_detector = true,
                            .orders = all_permutations}));
}

TEST_CASE("replacing: 5 and 1 elect 5, 9 comes back and starts: in the end all follow 9") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 3 + dice.below(5);
        std::vector<int> ids = shuffled(n, seed);
        *std::max_element(ids.begin(), ids.end()) = 9;
        const std::size_t best = way_to_the_best(ids, 0);
        events net{complete{n}, ring_of(ids),
                   {.seed = seed, .delay = uniform{1, 10}, .detector = perfect{2}}};
        net.crash(best);
        net.run_for(10);
        for (const std::size_t v : some_of(n, dice)) net.start(v);
        net.run_for(dice.below(40 * n));
        net.restart(best);
        CHECK(net.run().stopped == stop::quiescent);
        check_followed(net, 9);
    }
}

TEST_CASE("replacing: one passed over while 7 won after 9 takes it for belated until 7 starts") {
    const std::vector<int> ids{7, 5, 1, 9};
    events net{complete{4}, [&](node v) { return repaired_ring{replacing{ids[v]}}; },
               {.delay = unit{}, .detector = perfect{1}}};
    net.start_all();
    CHECK(net.run().stopped == stop::quiescent);
    check_followed(net, 9);

    net.crash(3);
    net.run();
    net.suspect(0, port{0});   // wrongly: 5 stands there, and lives
    net.start(0);
    net.run_for(1);
    net.trust(0, port{0});     // the announcement comes by it, the id did not
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(net[0].is_leader());
    CHECK(net[1].leader() == 9);
    CHECK(net[2].process().is_participant());

    net.start(1);              // stopped: the next has passed on a better one
    net.run();
    CHECK(net[2].process().is_participant());
    net.start(0);
    CHECK(net.run().stopped == stop::quiescent);
    for (const std::size_t v : {0u, 1u, 2u}) {
        CHECK(net[v].leader() == 7);
        CHECK_FALSE(net[v].process().is_participant());
    }
}

TEST_CASE("replacing: repeated messages cost, but never make a second report") {
    using process = replacing<int>;
    check_repeated_by_hand<process>(3, 2);
    // A copy of the winner's id makes it say again that it has won: another election would end in
    // as many copies again, and so on without end.
    process winner{5};
    notes<process> env;
    winner.start(env);
    for (int twice = 0; twice < 2; ++twice) winner.on(process::election{5}, prev, env);
    CHECK(std::holds_alternative<process::elected>(env.out.back().message));
    CHECK_FALSE(winner.is_participant());
}
