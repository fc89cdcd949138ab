// SPDX-License-Identifier: MIT
#include <caucus/election/ring/variable_speeds.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

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

template <class... Policies>
auto nodes_with(const std::vector<int>& ids, Policies... policies) {
    return [&ids, policies...](node v) { return variable_speeds{ids[v], policies...}; };
}

cost card_for(std::size_t n, std::size_t k) {
    return variable_speeds<int, silent>::messages({.nodes = n, .initiators = k});
}

}  // namespace

// Shape

static_assert(process<variable_speeds<int>>);
static_assert(deduces<variable_speeds, silent, lock_step>(
    [](auto... with) { return variable_speeds{with...}; }));
static_assert(sizeof(variable_speeds<std::uint8_t>) <= 4);
static_assert(std::is_trivially_copyable_v<variable_speeds<int>>);
static_assert(std::is_same_v<decltype(variable_speeds{3u, silent{}}),
                             variable_speeds<unsigned, silent>>);
static_assert(variable_speeds<int>::assumes.time == timing::synchronous);
static_assert(variable_speeds<int>::messages({.nodes = 5}).most == 0);   // nobody started

constexpr int elected_at_compile_time(std::array<int, 4> ids) {
    rounds sim{ring{4}, [&](node v) { return variable_speeds{ids[v]}; }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() && sim[0].leader() == sim[3].leader() ? *sim[1].leader() : 0;
}
static_assert(elected_at_compile_time({7, 2, 5, 3}) == 2);

// Paper

TEST_CASE("variable_speeds: 0 overtakes 1, on a ring 0 2 1 of which 1 has got one node ahead") {
    const std::vector<int> ids{0, 2, 1};
    CHECK(candidacies_of(ring{3}, nodes_with(ids)) ==
          "0: 0 token 0\n"
          "1: 1 token 0\n"        // 2 has waited one of three ticks, in vain
          "1: 2 token 1\n"        // and ends at node 0
          "2: 2 token 0\n"
          "3: 0 knows 0\n"
          "4: 1 knows 0\n"
          "5: 2 knows 0\n");
}

// Safety and liveness

TEST_CASE("variable_speeds: the least starter leads, after exactly n·2^x rounds, every order and "
          "start set, least ids 0 to 4, n <= 5") {
    for (const int lowest : {0, 1, 4}) {
        for (std::size_t n = 1; n <= 5; ++n) {
            each_permutation(n, [&](std::vector<int> ids) {
                for (int& id : ids) id += lowest - 1;
                each_subset(n, [&](const std::vector<std::size_t>& starters) {
                    rounds sim{ring{n}, nodes_with(ids)};
                    for (const std::size_t v : starters) sim.start(v);
                    const report r = sim.run();
                    const int x = least_of(ids, starters);
                    REQUIRE(r.stopped == stop::quiescent);
                    CHECK(r.within_proven());
                    CHECK(r.by_kind("elected") == n);
                    CHECK(sim.outcomes().front().at == n << x);
                    CHECK(r.rounds == (n << x) + n);
                    check_elected(sim, x);
                });
            });
        }
    }
}

TEST_CASE("variable_speeds: any delays, any start times, fifo or not: the least of those that were "
          "in time, n <= 10") {
    std::size_t late = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const std::size_t n = 1 + random_source{seed}.below(10);
        const std::vector<int> ids = shuffled(n, seed);
        for (const delay_model& delay : every_delay()) {
            CAPTURE(seed);
            events net{ring{n}, nodes_with(ids),
                       {.seed = seed, .delay = delay, .fifo = seed % 2 == 0}};
            for (std::size_t i = 0; i < n; ++i) {
                net.start(random_source{mix(seed, i)}.below(n));
                net.run_for(i);
            }
            const report r = net.run();
            CHECK(r.stopped == stop::quiescent);
            const auto leader = net[0].leader();
            REQUIRE(leader.has_value());
            check_elected(net, *leader);
            late += *leader != 1;
        }
    }
    CHECK(late > 0);
}

TEST_CASE("variable_speeds: on every schedule the least leads, if ticks mean nothing too, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        const std::vector<int> ids = ascending(n);
        const auto check = [&](timers when) {
            const auto v = explore(ring{n}, nodes_with(ids),
                                   {.properties = {always(at_most_one_leader),
                                                   always(the_best_leads_t<least>{}),
                                                   sometimes(someone_leads), finally(all_agree)},
                                    .fifo = false,
                                    .timers = when,
                                    .orders = all_permutations});
            CHECK(v.verified());
            CHECK(v.messages.least == 2 * n);
            return v.messages.most;
        };
        check(timers::after_messages);
        CHECK(check(timers::any_time) == n * (n + 1) / 2 + n);   // Chang and Roberts' worst case
        const auto anyhow = explore(ring{n}, nodes_with(ids),
                                    {.initiators = any_subset,
                                     .properties = {always(at_most_one_leader),
                                                    sometimes(someone_leads), finally(all_agree)},
                                     .timers = timers::any_time,
                                     .starting = starting::any_time,
                                     .orders = all_permutations});
        CHECK(anyhow.verified());
    }
}

TEST_CASE("variable_speeds: silent tells the leader alone") {
    const std::vector<int> ids{2, 0, 3};
    rounds sim{ring{3}, nodes_with(ids, silent{})};
    sim.start_all();
    CHECK(sim.run().by_kind("elected") == 0);
    CHECK(sim[1].is_leader());
    CHECK_FALSE(sim[0].leader().has_value());
    CHECK(sim.outcomes().size() == 1);
}

TEST_CASE("variable_speeds: start twice is one start; who was reached no longer starts") {
    const std::vector<int> ids{2, 0, 3};
    rounds sim{ring{3}, nodes_with(ids)};
    sim.start(0);
    sim.run_for(2);
    sim.start(0);                        // its token leaves in tick 3, as it would have
    CHECK(sim.run({.max_rounds = 3}).messages == 1);
    sim.run({.max_rounds = 4});
    sim.start(1);                        // it holds 2, and gave up its own
    const report r = sim.run();
    CHECK(r.size.initiators == 1);
    CHECK(r.by_kind("token") == 3);
    check_elected(sim, 2);
}

TEST_CASE("variable_speeds: a token that comes twice is stopped, and there is one report") {
    using process = variable_speeds<int, announce>;
    struct timed_hand : notes<process> {
        ticks armed = 0;
        void arm(process::timer, ticks delay) { armed = delay; }
        void disarm(process::timer) { armed = 0; }
    };
    timed_hand env;
    process p{2, announce{}};
    p.start(env);
    CHECK(env.armed == 3);
    for (int twice = 0; twice < 2; ++twice) p.on(process::token{1}, prev, env);
    CHECK(env.armed == 1);
    for (int twice = 0; twice < 2; ++twice) p.on(process::token{0}, prev, env);
    CHECK(env.armed == 0);       // 1 is not held any longer
    CHECK(env.out.size() == 1);
    process winner{0, announce{}};
    timed_hand home;
    winner.start(home);
    for (int twice = 0; twice < 2; ++twice) winner.on(process::token{0}, prev, home);
    CHECK(home.told == 1);
    CHECK(home.out.size() == 2);
}

// Cost

TEST_CASE("variable_speeds: tokens over every order of x … x+n-1: n to 1, 2, 4, 5, 7, 9, 11") {
    const std::uint64_t expected[] = {0, 1, 2, 4, 5, 7, 9, 11};
    for (const int lowest : {0, 1, 2}) {
        for (std::size_t n = 1; n <= 7; ++n) {
            CAPTURE(n);
            std::uint64_t least = never;
            std::uint64_t most = 0;
            each_permutation(n, [&](std::vector<int> ids) {
                if (ids[0] != 1) return;   // turning the ring changes nothing
                for (int& id : ids) id += lowest - 1;
                rounds sim{ring{n}, nodes_with(ids, silent{})};
                sim.start_all();
                const report r = sim.run();
                least = std::min(least, r.messages);
                most = std::max(most, r.messages);
                REQUIRE(r.within_proven());
            });
            CHECK(least == n);
            CHECK(least == card_for(n, n).least);
            CHECK(most == expected[n]);
            CHECK(most <= card_for(n, n).most);
            CHECK(card_for(n, n).most < 2 * n);
            CHECK((most == card_for(n, n).most) == (n != 5));   // 8 at five: proven, not reached
        }
    }
}

TEST_CASE("variable_speeds: the bound for k starters, and one alone costs n") {
    CHECK(card_for(7, 1).most == 7);
    CHECK(card_for(7, 2).most == 7 + 3);
    CHECK(card_for(7, 3).most == 7 + 3 + 1);
    CHECK(card_for(7, 7).most == 7 + 3 + 1);
    CHECK(card_for(100, 100).most == 100 + 49 + 24 + 12 + 6 + 3 + 1);
    CHECK(variable_speeds<int>::messages({.nodes = 7, .initiators = 2}).least == 7 + 7);
    CHECK(variable_speeds<int>::messages({.nodes = 7, .initiators = 2}).most == 7 + 3 + 7);
}

TEST_CASE("variable_speeds: uneven delays up to a stated bound: within 2.61n, random rings, "
          "n <= 12") {
    average lock_stepped;
    average paced;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const std::size_t n = 1 + random_source{seed}.below(12);
        const std::vector<int> ids = shuffled(n, seed);
        const auto mostly_slow = [](const hop&, random_source& bits) -> ticks {
            return bits.below(3) == 0 ? 1 : 20;
        };
        for (const delay_model& delay :
             {delay_model{uniform{1, 20}}, delay_model{uniform{20, 20}}, delay_model{unit{}},
              delay_model{by_hand{mostly_slow}}}) {
            CAPTURE(seed);
            const auto tokens = [&](auto... policies) {
                events net{ring{n}, nodes_with(ids, policies...),
                           {.seed = seed, .delay = delay, .fifo = seed % 2 == 0}};
                net.start_all();
                const report r = net.run();
                check_elected(net, 1);
                if constexpr (sizeof...(policies) != 0) {
                    CHECK(r.within_proven());
                    CHECK(net.now() <= n * 2 * 20 + n * 20);
                }
                return r.by_kind("token");
            };
            paced.add(static_cast<double>(tokens(uneven{20})));
            lock_stepped.add(static_cast<double>(tokens()));
        }
    }
    CHECK(paced.mean() < lock_stepped.mean());
    using bounded = variable_speeds<int, uneven, silent>;
    static_assert(bounded::assumes.time == timing::bounded_delay);
    CHECK(bounded::messages({.nodes = 7, .initiators = 1}).most == 7);
    CHECK(bounded::messages({.nodes = 7, .initiators = 2}).most == 7 + 6);
    CHECK(bounded::messages({.nodes = 7, .initiators = 7}).most == 7 + 6 + 2);
    CHECK(bounded::messages({.nodes = 1000, .initiators = 1000}).most < 2610);
}

TEST_CASE("variable_speeds: uneven delays can cost more than 2n: the least is slow, the others "
          "quick") {
    const std::size_t n = 20;
    const auto slow_least = [](const hop& h, random_source&) -> ticks {
        return h.sent == h.from.index * 1000 ? 1000 : 1;
    };
    std::uint64_t most = 0;
    for (std::size_t third = 3; third < n; ++third) {
        // 0 x 1 x … 2 …: 1 keeps ahead of 0 all the way, 2 of 1 for a while
        std::vector<int> ids(n);
        for (std::size_t v = 0; v < n; ++v) ids[v] = static_cast<int>(v);
        std::swap(ids[1], ids[2]);
        std::swap(ids[1], ids[third]);
        events net{ring{n}, nodes_with(ids, uneven{1000}, silent{}),
                   {.delay = by_hand{slow_least}}};
        net.start_all();
        const report r = net.run();
        CHECK(r.within_proven());
        CHECK(net[0].is_leader());
        most = std::max(most, r.messages);
    }
    CHECK(most == 2 * n + 3);
}

// Outside the model

TEST_CASE("variable_speeds: a bound on delays that cannot be, or not be counted, is refused") {
    CHECK_THROWS_WITH(variable_speeds(1, uneven{0}),
                      "variable_speeds: messages take longer than 0 ticks");
    CHECK_NOTHROW(variable_speeds(21, uneven{1000}));
    CHECK_THROWS_WITH(variable_speeds(22, uneven{1000}),
                      "variable_speeds: id 22 would be too slow: "
                      "2^id delays are more than ticks can count on a long ring");
    CHECK_NOTHROW(variable_speeds(0, uneven{ticks{1} << 31}));
    CHECK_THROWS(variable_speeds(1, uneven{ticks{1} << 31}));
    CHECK_THROWS(variable_speeds(0, uneven{(ticks{1} << 31) + 1}));
}

TEST_CASE("variable_speeds: ids too slow to be counted are refused") {
    CHECK_THROWS_WITH(variable_speeds(-1),
                      "variable_speeds: the ids are 0, 1, 2, ...; one is negative");
    CHECK_NOTHROW(variable_speeds(31));
    CHECK_THROWS_WITH(variable_speeds(32), "variable_speeds: id 32 would be too slow: 2^id "
                                           "delays are more than ticks can count on a long ring");
    CHECK_THROWS(variable_speeds(~std::uint64_t{0}));
}

TEST_CASE("variable_speeds: equal least ids lead together") {
    const std::vector<int> ids{1, 3, 1, 2};
    CHECK_THROWS_WITH(rounds(ring{4}, nodes_with(ids)),
                      "simulation: nodes 0 and 2 have the same id");
    rounds sim{ring{4}, nodes_with(ids, silent{}), {.outside_model = true}};
    sim.start_all();
    sim.run();
    CHECK(sim[0].is_leader());
    CHECK(sim[2].is_leader());
}

TEST_CASE("variable_speeds: starts far apart cost more than 2n tokens, and elect all the same") {
    const std::vector<int> ids{0, 1, 2, 3, 4, 5, 6};
    const ticks starts[] = {63, 53, 45, 33, 17, 0, 0};   // each when its way to node 6 is clear
    rounds sim{ring{7}, nodes_with(ids)};
    for (std::size_t v = 7; v-- > 0;) {
        sim.run_for(starts[v] - sim.now());
        sim.start(v);
    }
    const report r = sim.run();
    CHECK(r.by_kind("token") >= 1 + 2 + 3 + 4 + 5 + 7);
    CHECK_FALSE(r.within_proven());
    check_elected(sim, 0);
}

TEST_CASE("variable_speeds: a token of an id that nobody may have is stopped, asleep or awake") {
    using process = variable_speeds<int>;
    for (const int candidate : {-1, 32, 64, 1000}) {
        CAPTURE(candidate);
        process asleep{5};
        struct timed_hand : notes<process> {
            std::vector<ticks> waits;
            void arm(process::held_long_enough, ticks delay) { waits.push_back(delay); }
            void disarm(process::held_long_enough) {}
        } env;
        asleep.on(process::token{candidate}, prev, env);
        CHECK(env.out.empty());
        CHECK(env.waits.empty());
        asleep.start(env);                  // it was not woken
        CHECK(env.waits == std::vector<ticks>{31});
        asleep.on(process::token{candidate}, prev, env);
        CHECK(env.waits.size() == 1);
    }
}
