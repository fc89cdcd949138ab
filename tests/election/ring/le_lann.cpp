// SPDX-License-Identifier: MIT
#include <caucus/election/ring/le_lann.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>
#include <support/trace.hpp>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using starter_set = std::vector<std::size_t>;

template <class... Policies>
auto nodes_with(const std::vector<int>& ids, Policies... policies) {
    return [&ids, policies...](node v) { return le_lann{ids[v], policies...}; };
}

/// One leader, the expected one, known to all and reported once by each; each candidate has heard
/// of all k, and the relays of none.
void check_elected(const auto& sim, int expected, const starter_set& starters) {
    std::vector<std::uint32_t> heard(sim.nodes(), 0);
    for (const std::size_t v : starters) heard[v] = static_cast<std::uint32_t>(starters.size());
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        CHECK(sim[v].leader() == expected);
        CHECK(sim[v].is_leader() == (sim[v].id() == expected));
        CHECK(sim[v].candidates() == heard[v]);
    }
    CHECK(sim.outcomes().size() == sim.nodes());
    for (const auto& o : sim.outcomes()) CHECK(o.outcome.leader == expected);
}

void check_run(auto& sim, const std::vector<int>& ids, const starter_set& starters) {
    for (const std::size_t v : starters) sim.start(v);
    const report r = sim.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.by_kind("token") == starters.size() * ids.size());
    CHECK(r.by_kind("elected") == ids.size());
    CHECK(r.proven->least == r.messages);
    CHECK(r.proven->most == r.messages);
    check_elected(sim, best_of(ids, starters), starters);
}

le_lann<int> by_index(node v) { return le_lann{static_cast<int>(v.index) + 1}; }

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
static_assert(std::is_same_v<decltype(le_lann{3}), le_lann<int>>);
static_assert(std::is_same_v<decltype(le_lann{3, silent{}, least{}}), le_lann<int, silent, least>>);
static_assert(std::is_same_v<decltype(le_lann{3, least{}, silent{}}), le_lann<int, least, silent>>);
static_assert(sizeof(le_lann<std::uint16_t>) <= 12);
static_assert(std::is_trivially_copyable_v<le_lann<int>>);
static_assert(std::is_same_v<decltype(le_lann{3L, silent{}, least{}}),
                             le_lann<long, silent, least>>);
static_assert(covers(le_lann<int>::assumes.links, guarantee::fifo));

constexpr int elected_at_compile_time(std::array<int, 4> ids) {
    rounds sim{ring{4}, [&](node v) { return le_lann{ids[v]}; }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() && sim[0].leader() == sim[3].leader() ? *sim[1].leader() : 0;
}
static_assert(elected_at_compile_time({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time({4, 3, 2, 1}) == 4);
static_assert(le_lann<int>::messages({.nodes = 5}).most == 0);   // nobody started
static_assert(le_lann<int>::messages({.nodes = 5}).least == 0);
static_assert(le_lann<int>::messages({.nodes = 5}).mean == 0.0);
static_assert(le_lann<int>::time({.nodes = 5}).most == 0);
static_assert(le_lann<int>::time({.nodes = 5}).least == 0);
static_assert(le_lann<int>::time({.nodes = 5}).mean == 0.0);

TEST_CASE("le_lann: asks for no more than the least environment, id and preference") {
    using process = le_lann<archetype::id, archetype::by_rank>;
    archetype::environment<process> from_one;
    archetype::environment<process> from_two;
    process one{archetype::id::ranked(1), archetype::by_rank{-1}};
    process two{archetype::id::ranked(2), archetype::by_rank{-1}};
    one.start(from_one);
    two.start(from_two);
    for (std::size_t at = 0; at < 3; ++at) {      // a token each, the other's, and the lap
        dispatch(two, process::message{from_one.outbox[at].message}, prev, from_two);
        dispatch(one, process::message{from_two.outbox[at].message}, prev, from_one);
    }
    CHECK(from_one.outbox.size() == 3);
    CHECK(from_two.outbox.size() == 3);
    CHECK(one.is_leader());
    CHECK(two.leader() == archetype::id::ranked(1));
}

// Paper

TEST_CASE("le_lann: on a ring 2 3 1 the first two start, both tokens go all the way round") {
    const std::vector<int> ids{2, 3, 1};
    CHECK(chronicle_of(ring{3}, nodes_with(ids), {0, 1}) ==
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
    for (std::size_t n = 1; n <= 5; ++n) {
        each_permutation(n, [&](const std::vector<int>& ids) {
            each_subset(n, [&](const starter_set& starters) {
                rounds sim{ring{n}, nodes_with(ids)};
                check_run(sim, ids, starters);
            });
        });
    }
}

TEST_CASE("le_lann: one leader on any fifo schedule, random start sets, n <= 12") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 1 + dice.below(12);
        const std::vector<int> ids = shuffled(n, seed);
        starter_set starters{dice.below(n)};
        for (std::size_t v = 0; v < n; ++v)
            if (v != starters[0] && dice.below(3) == 0) starters.push_back(v);
        for (const delay_model& delay : every_delay()) {
            events net{ring{n}, nodes_with(ids), {.seed = seed, .delay = delay}};
            check_run(net, ids, starters);
        }
    }
}

TEST_CASE("le_lann: every order, start set and fifo schedule, starts at any time, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        for (const starting when : {starting::at_once, starting::any_time}) {
            CAPTURE(n);
            const auto v = explore(ring{n}, by_index,
                                   {.initiators = any_subset,
                                    .properties = {always(at_most_one_leader),
                                                   always(the_best_candidate_leads{}),
                                                   finally(all_agree), sometimes(someone_leads)},
                                    .starting = when,
                                    .orders = all_permutations});
            CAPTURE(v.counterexample.text());
            CHECK(v.verified());
            CHECK(v.messages.least == 2 * n);        // one candidate
            CHECK(v.messages.most == n * n + n);     // all
        }
    }
}

TEST_CASE("le_lann: k candidates cost k·n and the lap n on every schedule, least is most, n = 4") {
    for (std::size_t k = 1; k <= 4; ++k) {
        starter_set first;
        for (std::size_t v = 0; v < k; ++v) first.push_back(v);
        const auto v = explore(ring{4}, by_index,
                               {.initiators = first, .orders = all_permutations});
        CHECK(v.verified());
        CHECK(v.messages.least == (k + 1) * 4);
        CHECK(v.messages.most == (k + 1) * 4);
    }
}

TEST_CASE("le_lann: silent tells the candidates alone") {
    const std::vector<int> ids{2, 5, 3, 4};
    rounds sim{ring{4}, nodes_with(ids, silent{})};
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
    const std::vector<int> ids{1, 3, 2};
    rounds sim{ring{3}, nodes_with(ids)};
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = 1});   // 1 has reached node 1
    sim.start(1);
    const report r = sim.run();
    CHECK(r.size.initiators == 1);
    CHECK(r.by_kind("token") == 3);
    check_elected(sim, 1, {0});
    sim.start(2);
    CHECK(sim.run().messages == r.messages);
}

TEST_CASE("le_lann: any strict total order will do") {
    const std::vector<int> ids{4, 2, 3, 5};
    rounds sim{ring{4}, nodes_with(ids, least{})};
    sim.start_all();
    sim.run();
    for (std::size_t v = 0; v < 4; ++v) CHECK(sim[v].leader() == 2);
}

// Cost

TEST_CASE("le_lann: n² tokens when all start, in n rounds, and n for the lap, n = 1 … 100") {
    for (const std::size_t n : sizes{1, 2, 3, 10, 100}) {
        for (const auto& ids : {ascending(n), descending(n)}) {
            rounds sim{ring{n}, nodes_with(ids)};
            sim.start_all();
            const report r = sim.run();
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

TEST_CASE("le_lann: a late starter is home at most 2n-2 rounds after the first start, reached") {
    const std::size_t n = 6;
    const std::vector<int> ids = descending(n);
    ticks latest = 0;
    for (std::size_t delay = 0; delay < n; ++delay) {
        rounds sim{ring{n}, nodes_with(ids, silent{})};
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
        return explore(ring{2}, by_index,
                       {.properties = {p}, .fifo = false, .outside_model = true});
    };
    const auto wrong = reordered(always(the_best_candidate_leads{}));
    CHECK_FALSE(wrong.holds);
    CHECK(wrong.counterexample.size() == 2);   // 2 passes 1 on, and 1 overtakes 2
    CHECK_FALSE(reordered(always(at_most_one_leader)).holds);
    CHECK(reordered(sometimes(all_agree)).verified());

    const std::vector<int> ids{1, 2};
    CHECK_THROWS(events(ring{2}, nodes_with(ids), {.fifo = false}));
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
    CHECK_THROWS_WITH(rounds(ring{5}, nodes_with(ids)),
                      "simulation: nodes 0 and 2 have the same id");
    rounds sim{ring{5}, nodes_with(ids, silent{}), {.outside_model = true}};
    sim.start_all();
    sim.run({.max_rounds = 30});
    CHECK(sim[0].is_leader());      // each took the other's token for its own
    CHECK(sim[2].is_leader());
    CHECK(sim[0].candidates() < 5);
}

TEST_CASE("le_lann: a crashed node breaks the ring: silence, and no leader") {
    const std::vector<int> ids{4, 1, 3, 2};
    events net{ring{4}, nodes_with(ids), {.delay = unit{}}};
    net.crash(2);
    net.start_all();
    const report r = net.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.lost > 0);
    for (std::size_t v = 0; v < 4; ++v) CHECK_FALSE(net[v].leader().has_value());
}

TEST_CASE("le_lann: a relay passes the token of a dead candidate on every time it comes round") {
    le_lann<int> relay{5};
    hand<le_lann<int>> env;
    for (int lap = 1; lap <= 3; ++lap) {
        relay.on(le_lann<int>::token{9}, prev, env);
        CHECK(env.out.size() == static_cast<std::size_t>(lap));
    }
}

TEST_CASE("le_lann: repeated messages cost, but never make a second leader or a second report") {
    using process = le_lann<int>;
    process winner{5};
    hand<process> env;
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
    hand<process> other;
    loser.start(other);
    loser.on(process::token{5}, prev, other);
    for (int twice = 0; twice < 2; ++twice) loser.on(process::token{3}, prev, other);
    CHECK(loser.leader() == 5);
    for (int twice = 0; twice < 2; ++twice) loser.on(process::elected{5}, prev, other);
    CHECK(other.told == 1);
}

TEST_CASE("le_lann: repeated messages change nothing, any schedule and start set, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        const verdict v = explore(ring{n}, [n](node u) { return le_lann{shuffled(n, 3)[u]}; },
                                  {.initiators = any_subset,
                                   .properties = {always(at_most_one_leader),
                                                  sometimes(someone_leads), finally(all_agree)},
                                   .faults = {.duplicates = 2}});
        CAPTURE(v.counterexample.text());
        CHECK(v.verified());
    }
}
