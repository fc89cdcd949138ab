// SPDX-License-Identifier: MIT
#include <caucus/election/ring/le_lann.hpp>

#include <doctest/doctest.h>
#include <support/election_suite.hpp>
#include <support/trace.hpp>

#include <string>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// With some policies, or with none.
template <class... Policies>
using calling = electing<le_lann, Policies...>;

/// Each candidate has heard of all k, and the relays of none.
void check_heard(const auto& sim, const sizes& starters) {
    sizes heard(sim.nodes(), 0);
    for (const std::size_t v : starters) heard[v] = starters.size();
    for (std::size_t v = 0; v < sim.nodes(); ++v) check_equal(sim[v].candidates(), heard[v]);
}

void check_run(auto& sim, const std::vector<int>& ids, const sizes& starters) {
    const report r = run_from(sim, starters);
    check_quiet(r);
    check_equal(r.by_kind("token"), starters.size() * ids.size());
    check_equal(r.by_kind("elected"), ids.size());
    check_equal(r.proven->least, r.messages);
    check_equal(r.proven->most, r.messages);
    check_elected(sim, best_of(ids, starters));
    check_heard(sim, starters);
}

/// Whoever is known as leader is the best of the candidates.
struct the_best_candidate_leads {
    static std::uint64_t observes(const auto& p) {
        const auto leader = p.leader();
        return mix(p.candidates() != 0, leader ? hash(*leader) | 1 : 0);
    }
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; u < g.nodes(); ++u)
                if (g[v].leader() && g[u].candidates() != 0 && *g[v].leader() < g[u].id())
                    return false;
        return true;
    }
};

/// The textbook's code without its unspoken rule: a node that has relayed may still start.
struct unruly : le_lann<int, silent> {
    using inner = le_lann<int, silent>;
    bool has_started = false;

    explicit unruly(int self) : inner(self, silent{}) {}
    void start(auto& env) {
        if (has_started) return;
        *this = unruly{id()};
        has_started = true;
        inner::start(env);
    }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(inner::fields(self), std::tie(self.has_started));
    }
};

}  // namespace

// Shape

static_assert(process<le_lann<int>>);
static_assert(deduces<le_lann, silent, least>([](auto... with) { return le_lann{with...}; }));
static_assert(sizeof(le_lann<std::uint16_t>) <= 12);
static_assert(std::is_trivially_copyable_v<le_lann<int>>);
static_assert(covers(le_lann<int>::assumes.links, guarantee::fifo));

static_assert(elected_at_compile_time<calling<>>({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time<calling<>>({4, 3, 2, 1}) == 4);
static_assert(elected_at_compile_time<calling<join>>({17, 4, 42, 8}, {1}) == 42);
static_assert(le_lann<int>::elects == winner::best_caller);
static_assert(sizeof(le_lann<int, join>) == sizeof(le_lann<int>));
static_assert(costs_nothing_unstarted<le_lann<int>>());
static_assert(le_lann<int>::messages({.nodes = 5}).mean == 0.0);
static_assert(le_lann<int>::time({.nodes = 5}).mean == 0.0);

TEST_CASE("le_lann: asks for no more than the least environment, id and preference") {
    CHECK(check_archetypes<le_lann>({0, 1}) == sizes{3, 3});   // a token each, both, and the lap
}

// Paper

TEST_CASE("le_lann: on a ring 2 3 1 the first two start, both tokens go all the way round") {
    CHECK(chronicle_of(ring{3}, calling<>{{2, 3, 1}}, {0, 1}) ==
          "0: 0 token 2\n"
          "0: 1 token 3\n"
          "1: 1 token 2\n"        // nothing is ever stopped
          "1: 2 token 3\n"
          "2: 2 token 2\n"
          "2: 0 token 3\n"
          "3: 0 knows 3\n"        // its own came home: it has heard of all
          "3: 1 knows 3\n"
          "3: 1 elected 3\n"
          "4: 2 knows 3\n"        // the relay
          "4: 2 elected 3\n"
          "5: 0 elected 3\n");    // knew it already, but those behind it may not
}

// Safety and liveness

TEST_CASE("le_lann: the best that started leads, every order and start set, rounds, n <= 5") {
    each_order_and_start(5, [](const std::vector<int>& ids, const sizes& starters) {
        rounds sim{ring{ids.size()}, calling<>{ids}};
        check_run(sim, ids, starters);
    });
}

TEST_CASE("le_lann: one leader on any fifo schedule, random start sets, n <= 12") {
    each_random_run(300, 12, links::fifo, [](const random_run& run) {
        events net{ring{run.ids.size()}, calling<>{run.ids}, run.how};
        check_run(net, run.ids, run.starters);
    });
}

TEST_CASE("le_lann: every order, start set and fifo schedule, starts at any time, n <= 4") {
    auto properties = one_leads<le_lann<int>>();
    properties.push_back(always(the_best_candidate_leads{}));
    for (std::size_t n = 1; n <= 4; ++n)
        for (const starting when : {starting::at_once, starting::any_time})
            check_messages(check_explored<calling<>>(n, {.initiators = any_subset,
                                                         .properties = properties,
                                                         .starting = when,
                                                         .orders = all_permutations}),
                           2 * n, n * n + n);   // one candidate, and all
}

TEST_CASE("le_lann: k candidates cost k·n and the lap n on every schedule, least is most, n = 4") {
    for (std::size_t k = 1; k <= 4; ++k)
        check_messages(check_explored<calling<>>(4, {.initiators = everybody(k),
                                                     .orders = all_permutations}),
                       (k + 1) * 4, (k + 1) * 4);
}

TEST_CASE("le_lann: joined, whoever calls: the best of all leads at n·n + n, any order and start, "
          "rounds n <= 5, fifo events n <= 12, every schedule n <= 4") {
    check_joined<calling<join>>({2, 6, 12, 20});
}

TEST_CASE("le_lann: joined, all learn the leader and how many they are, without an announcement") {
    each_order_and_start(5, [](const std::vector<int>& ids, const sizes& starters) {
        rounds sim{ring{ids.size()}, calling<join, silent>{ids}};
        check_cost(run_from(sim, starters));
        check_elected(sim, best_of_all(ids, starters));
        check_heard(sim, everybody(ids.size()));
    });
}

TEST_CASE("le_lann: joined, a woken node's token goes ahead of the one that woke it; one start") {
    using process = le_lann<int, join>;
    process woken{3, join{}};
    notes<process> env;
    woken.on(process::token{5}, prev, env);
    woken.start(env);
    REQUIRE(env.out.size() == 2);
    CHECK(std::get<process::token>(env.out[0].message).candidate == 3);
    CHECK(std::get<process::token>(env.out[1].message).candidate == 5);
    CHECK(woken.candidates() == 2);
}

TEST_CASE("le_lann: silent tells the candidates alone") {
    rounds sim{ring{4}, calling<silent>{{2, 5, 3, 4}}};
    sim.start(0);
    sim.start(2);
    const report r = sim.run();
    CHECK(r.messages == 8);
    CHECK(r.within_proven());
    CHECK(r.rounds == 4);
    CHECK(sim[2].is_leader());
    CHECK(sim[0].leader() == 3);
    CHECK_FALSE(sim[1].leader().has_value());
    CHECK_FALSE(sim[3].leader().has_value());
    CHECK(sim.outcomes().size() == 2);
}

TEST_CASE("le_lann: start twice is one start, and a node that was reached no longer starts") {
    // After one round 1 has reached node 1.
    CHECK(check_one_start<calling<>>({1, 3, 2}, 1).by_kind("token") == 3);
}

TEST_CASE("le_lann: any strict total order will do") {
    check_least_leads<calling<least>>();
}

// Cost

TEST_CASE("le_lann: n² tokens when all start, in n rounds, and n for the lap, n = 1 … 100") {
    for (const std::size_t n : sizes{1, 2, 3, 10, 100}) {
        for (const auto& ids : {ascending(n), descending(n)}) {
            const report r = in_rounds(calling<>{ids});
            CHECK(r.by_kind("token") == n * n);
            CHECK(r.by_kind("elected") == n);
            CHECK(r.rounds == 2 * n);
            const cost time = le_lann<int>::time(r.size);
            CHECK(time.least == 2 * n);
            CHECK(time.most == 2 * n);
            CHECK(le_lann<int, silent>::time(r.size).most == n);
            CHECK(*le_lann<int>::messages(r.size).mean == static_cast<double>(n * n + n));
        }
    }
}

TEST_CASE("le_lann: joined, k callers: from ⌊(n-1)/k⌋ to n-k rounds later, and both reached") {
    const std::size_t n = 6;
    const std::vector<spread> told = by_starters<calling<join>>(n);
    const std::vector<spread> quiet = by_starters<calling<join, silent>>(n);
    for (std::size_t k = 1; k <= n; ++k) {
        CAPTURE(k);
        const size s{.nodes = n, .initiators = k};
        CHECK(told[k].rounds.least == le_lann<int, join>::time(s).least);
        CHECK(told[k].rounds.most == le_lann<int, join>::time(s).most);
        CHECK(quiet[k].rounds.least == le_lann<int, join, silent>::time(s).least);
        CHECK(quiet[k].rounds.most == le_lann<int, join, silent>::time(s).most);
        CHECK(quiet[k].rounds.least == n + (n - 1) / k);
        CHECK(told[k].rounds.most == 3 * n - k);
    }
}

TEST_CASE("le_lann: a late starter is home at most 2n-2 rounds after the first start, reached") {
    const std::size_t n = 6;
    const std::vector<int> ids = descending(n);
    ticks latest = 0;
    for (std::size_t delay = 0; delay < n; ++delay) {
        rounds sim{ring{n}, calling<silent>{ids}};
        sim.start(0);
        sim.run_for(delay);
        sim.start(n - 1);    // the token of 0 gets there in round n-1
        const ticks home = sim.run().rounds;
        CHECK(home == (delay < n - 1 ? n + delay : n));
        latest = std::max(latest, home);
    }
    CHECK(latest == 2 * n - 2);   // started in the last round before it would have been reached
}

// Outside the model

TEST_CASE("le_lann: without fifo a candidate may come home too early and lead, n = 2") {
    const auto reordered = [](property<le_lann<int>> p) {
        return explored<calling<>>(2, {.properties = {p}, .fifo = false, .outside_model = true});
    };
    const auto wrong = reordered(always(the_best_candidate_leads{}));
    CHECK_FALSE(wrong.holds);
    CHECK(wrong.counterexample.size() == 2);   // 2 passes 1 on, and 1 overtakes 2
    CHECK_FALSE(reordered(always(at_most_one_leader)).holds);
    CHECK(reordered(sometimes(all_agree)).verified());

    CHECK_THROWS(events(ring{2}, calling<>{{1, 2}}, {.fifo = false}));
}

TEST_CASE("le_lann: if a relay could still start there would be two leaders, n = 2") {
    const auto v = explore(ring{2}, [](node u) { return unruly{static_cast<int>(u.index) + 1}; },
                           {.properties = {always(at_most_one_leader)},
                            .starting = starting::any_time});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 6);   // 2 passes 1 on, then starts: both come home first
}

TEST_CASE("le_lann: equal ids are refused, and give two leaders when let through") {
    const std::vector<int> ids{7, 1, 7, 2, 3};
    check_refused<calling<>>(ids, "simulation: nodes 0 and 2 have the same id");
    rounds sim{ring{5}, calling<silent>{ids}, {.outside_model = true}};
    sim.start_all();
    sim.run({.max_rounds = 30});
    CHECK(sim[0].is_leader());      // each took the other's token for its own
    CHECK(sim[2].is_leader());
    CHECK(sim[0].candidates() < 5);
}

TEST_CASE("le_lann: a crashed node breaks the ring: silence, and no leader") {
    check_broken_ring<calling<>>();
}

TEST_CASE("le_lann: a relay passes the token of a dead candidate on every time it comes round") {
    le_lann<int> relay{5};
    notes<le_lann<int>> env;
    for (int lap = 1; lap <= 3; ++lap) {
        relay.on(le_lann<int>::token{9}, prev, env);
        CHECK(env.out.size() == static_cast<std::size_t>(lap));
    }
}

TEST_CASE("le_lann: repeated messages cost, but never make a second leader or a second report") {
    using process = le_lann<int>;
    process winner{5};
    notes<process> env;
    winner.start(env);
    for (int twice = 0; twice < 2; ++twice) winner.on(process::token{3}, prev, env);
    for (int twice = 0; twice < 2; ++twice) winner.on(process::token{5}, prev, env);
    CHECK(winner.is_leader());
    CHECK(env.out.size() == 4);      // its token, 3 twice, elected
    winner.on(process::token{9}, prev, env);    // too late to matter
    CHECK(winner.leader() == 5);
    CHECK(winner.candidates() == 3);
    for (int twice = 0; twice < 2; ++twice) winner.on(process::elected{5}, prev, env);
    CHECK(env.out.size() == 5);
    CHECK(env.told == 1);

    process loser{3};
    notes<process> other;
    loser.start(other);
    loser.on(process::token{5}, prev, other);
    for (int twice = 0; twice < 2; ++twice) loser.on(process::token{3}, prev, other);
    CHECK(loser.leader() == 5);
    for (int twice = 0; twice < 2; ++twice) loser.on(process::elected{5}, prev, other);
    CHECK(other.told == 1);
}

TEST_CASE("le_lann: repeated messages change nothing, any schedule and start set, n <= 4") {
    check_repetitions<calling<>>(4);
}
