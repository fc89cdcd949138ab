// SPDX-License-Identifier: MIT
#include <caucus/election/ring/itai_rodeh.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

template <class... Policies>
auto anonymous_nodes(std::size_t n, Policies... policies) {
    return [n, policies...](node) { return itai_rodeh{n, policies...}; };
}

/// One leader; all know the lot it won with, and say so once.
void check_elected(const auto& sim) {
    CHECK(leaders_of(sim) == 1);
    REQUIRE(sim[0].leader().has_value());
    for (std::size_t v = 0; v < sim.nodes(); ++v) CHECK(sim[v].leader() == sim[0].leader());
    CHECK(sim.outcomes().size() == sim.nodes());
    for (const auto& o : sim.outcomes()) CHECK(o.outcome.leader == *sim[0].leader());
}

double binomial(std::size_t n, std::size_t k) {
    double all = 1;
    for (std::size_t i = 1; i <= k; ++i)
        all = all * static_cast<double>(n - k + i) / static_cast<double>(i);
    return all;
}

/// Rounds that n candidates with n numbers to draw from take on average: of k, the j that share the
/// greatest number go on. E(k) = (1 + sum over 1 < j < k of P(k,j)·E(j)) / (1 - P(k,k)).
double mean_rounds(std::size_t n) {
    const double numbers = static_cast<double>(n);
    const auto remain = [&](std::size_t k, std::size_t j) {
        double chance = 0;
        for (double m = 1; m <= numbers; ++m)
            chance += std::pow(1 / numbers, static_cast<double>(j)) *
                      std::pow((m - 1) / numbers, static_cast<double>(k - j));
        return binomial(k, j) * chance;
    };
    std::vector<double> rounds(n + 1, 0.0);
    rounds[1] = 1;
    for (std::size_t k = 2; k <= n; ++k) {
        double sum = 1;
        for (std::size_t j = 2; j < k; ++j) sum += remain(k, j) * rounds[j];
        rounds[k] = sum / (1 - remain(k, k));
    }
    return rounds[n];
}

/// The same process, which hears nothing of rounds after a given one, nor of tokens that have gone
/// further than so many hops.
template <class... Policies>
struct limited {
    using inner = itai_rodeh<Policies...>;
    using message = typename inner::message;
    using timer = nothing;
    using outcome = typename inner::outcome;
    static constexpr bool tosses_coins = true;

    inner election;
    std::uint32_t last_round = 0;
    std::uint32_t last_hop = ~std::uint32_t{0};

    void start(auto& env) { election.start(env); }
    void on(typename inner::token t, port from, auto& env) {
        if (t.drawn.round <= last_round && t.hops <= last_hop) election.on(t, from, env);
    }
    void on(typename inner::elected m, port from, auto& env) { election.on(m, from, env); }

    bool is_leader() const { return election.is_leader(); }
    auto leader() const { return election.leader(); }
    static constexpr auto fields(auto& p) {
        return std::tie(p.election, p.last_round, p.last_hop);
    }
};

/// Every schedule and every fall of the coins, for so many rounds.
verdict explore_rounds(std::size_t n, std::uint32_t last_round, bool fifo, initiators who,
                       std::size_t believed = 0, std::uint8_t duplicates = 0) {
    const auto make = [=](node) {
        return limited<>{itai_rodeh{believed == 0 ? n : believed}, last_round};
    };
    const auto agree_if_led = [](const global_state<limited<>>& g) {
        return g.in_flight() != 0 || !someone_leads(g) || all_agree(g);
    };
    return explore(ring{n}, make, {.initiators = who,
                                   .properties = {always(at_most_one_leader), always(agree_if_led),
                                                  sometimes(someone_leads)},
                                   .faults = {.duplicates = duplicates},
                                   .fifo = fifo});
}

}  // namespace

// Shape

static_assert(process<itai_rodeh<>>);
static_assert(sizeof(itai_rodeh<>) <= 16);
static_assert(std::is_trivially_copyable_v<itai_rodeh<>>);
static_assert(std::is_same_v<decltype(itai_rodeh{3}), itai_rodeh<>>);
static_assert(std::is_same_v<decltype(itai_rodeh{3, silent{}, unnumbered{}}),
                             itai_rodeh<silent, unnumbered>>);
static_assert(std::is_same_v<decltype(itai_rodeh{3, unnumbered{}, silent{}}),
                             itai_rodeh<unnumbered, silent>>);
static_assert(itai_rodeh<>::assumes.names == naming::anonymous);
static_assert(!covers(itai_rodeh<>::assumes.links, guarantee::fifo));
static_assert(covers(itai_rodeh<unnumbered>::assumes.links, guarantee::fifo));
static_assert(itai_rodeh<>::messages({.nodes = 5}).most == 0);   // nobody started

constexpr bool elects_at_compile_time(std::uint64_t seed) {
    rounds sim{ring{4}, [](node) { return itai_rodeh{4}; }, {.seed = seed}};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() && sim[0].leader() && sim[0].leader() == sim[3].leader();
}
static_assert(elects_at_compile_time(1) && elects_at_compile_time(2));

// Paper

struct chronicle : observer {
    std::string* lines;
    void sent(ticks at, node v, port, const auto& kind) {
        if constexpr (requires { kind.drawn; })
            *lines += std::to_string(at) + ": " + std::to_string(v) + " token " +
                      std::to_string(kind.drawn.round) + "." + std::to_string(kind.drawn.number) +
                      (kind.unique ? " unique" : " shared") + "\n";
    }
    void reported(ticks at, node v, const auto& o) {
        *lines += std::to_string(at) + ": " + std::to_string(v) + " knows " +
                  std::to_string(o.leader.round) + "." + std::to_string(o.leader.number) + "\n";
    }
};

TEST_CASE("itai_rodeh: 2, 2 and 1 are drawn, then 3 and 1: two rounds, step by step") {
    std::string lines;
    chronicle c;
    c.lines = &lines;
    const std::size_t falls[3][2] = {{1, 2}, {1, 0}, {0, 0}};
    std::size_t drawn[3] = {};
    const auto coins = [&](node v, std::size_t) { return falls[v][drawn[v]++]; };
    events net{ring{3}, anonymous_nodes(3), {.delay = unit{}, .coins = coins}, c};
    net.start_all();
    net.run();
    CHECK(lines ==
          "0: 0 token 1.2 unique\n"
          "0: 1 token 1.2 unique\n"
          "0: 2 token 1.1 unique\n"      // stopped by node 0
          "1: 1 token 1.2 shared\n"
          "1: 2 token 1.2 unique\n"      // node 2 is beaten
          "2: 2 token 1.2 shared\n"
          "2: 0 token 1.2 shared\n"
          "3: 0 token 2.3 unique\n"
          "3: 1 token 2.1 unique\n"
          "4: 1 token 2.3 unique\n"
          "4: 2 token 2.1 unique\n"      // and ends at node 0
          "5: 2 token 2.3 unique\n"
          "6: 0 knows 2.3\n"
          "7: 1 knows 2.3\n"
          "8: 2 knows 2.3\n");
    check_elected(net);
}

// Safety and liveness

TEST_CASE("itai_rodeh: one leader among the starters, every start set, rounds, n <= 6") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        for (std::size_t n = 1; n <= 6; ++n) {
            each_subset(n, [&](const std::vector<std::size_t>& starters) {
                const auto elect = [&](auto... policies) {
                    rounds sim{ring{n}, anonymous_nodes(n, policies...), {.seed = seed}};
                    for (const std::size_t v : starters) sim.start(v);
                    const report r = sim.run();
                    CHECK(r.stopped == stop::quiescent);
                    CHECK(r.within_proven());
                    check_elected(sim);
                    bool by_a_starter = false;
                    for (const std::size_t v : starters) by_a_starter |= sim[v].is_leader();
                    CHECK(by_a_starter);
                };
                elect();
                elect(unnumbered{});
            });
        }
    }
}

TEST_CASE("itai_rodeh: one leader, any delays, late starts, fifo or not, n <= 12") {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const std::size_t n = 1 + random_source{seed}.below(12);
        for (const delay_model& delay : every_delay()) {
            const auto elect = [&](bool fifo, auto... policies) {
                CAPTURE(seed);
                events net{ring{n}, anonymous_nodes(n, policies...),
                           {.seed = seed, .delay = delay, .fifo = fifo}};
                for (std::size_t i = 0; i <= n; ++i) {
                    net.start(random_source{mix(seed, i)}.below(n));
                    net.run_for(i % 3);
                }
                const report r = net.run();
                CHECK(r.stopped == stop::quiescent);
                CHECK(r.within_proven());
                check_elected(net);
            };
            elect(true);
            elect(false);
            elect(true, unnumbered{});
        }
    }
}

TEST_CASE("itai_rodeh: unnumbered: all schedules, all coins, to the end: one leads, if coins are "
          "fair, n <= 4") {
    const std::uint64_t states[] = {0, 3, 30, 786, 20448};
    const std::uint64_t up_to_rotation[] = {0, 3, 17, 268, 5155};
    for (std::size_t n = 1; n <= 4; ++n) {
        CAPTURE(n);
        const auto safe = explore(ring{n}, anonymous_nodes(n, unnumbered{}),
                                  {.properties = {always(at_most_one_leader)}});
        CHECK(safe.verified());
        CHECK(safe.states == up_to_rotation[n]);
        const auto v = explore(ring{n}, anonymous_nodes(n, unnumbered{}),
                               {.properties = {always(at_most_one_leader), sometimes(someone_leads),
                                               finally(all_agree), finally(someone_leads)}});
        CHECK(v.verified());
        CHECK(v.states == states[n]);
        CHECK(v.messages.least == itai_rodeh<unnumbered>::messages(
                                      {.nodes = n, .initiators = n}).least);
        CHECK(v.messages.most == (n == 1 ? 2 : never));
    }
}

TEST_CASE("itai_rodeh: all schedules, all coins, fifo or not: four rounds, n = 2, two, n = 3") {
    for (const bool fifo : {true, false}) {
        for (std::size_t n = 1; n <= 3; ++n) {
            CAPTURE(n);
            const verdict v = explore_rounds(n, n == 3 ? 2 : 4, fifo, any_subset);
            CHECK(v.verified());
            CHECK(v.messages.least == 2 * n);
        }
    }
}

TEST_CASE("nightly: itai_rodeh: all schedules, all coins: three rounds, n = 3, two, n = 4" *
          doctest::skip()) {
    for (const std::size_t n : sizes{3, 4}) {
        const verdict v = explore_rounds(n, n == 3 ? 3 : 2, true, initiators{all});
        CHECK(v.verified());
        MESSAGE("n = ", n, ": ", v.states, " states");
        CHECK(v.messages.least == n + (n - 1) + n);   // all but one token are stopped at once
    }
}

TEST_CASE("itai_rodeh: round numbers have no end: as far as was looked, and the verdict says so") {
    const auto v = explore(ring{2}, anonymous_nodes(2),
                           {.properties = {always(at_most_one_leader), sometimes(someone_leads)},
                            .max_depth = 24});
    CHECK(v.holds);
    CHECK(v.limit == "max_depth");
    CHECK_FALSE(v.complete);
    CHECK_FALSE(v.verified());
}

TEST_CASE("itai_rodeh: silent tells the leader alone") {
    rounds sim{ring{3}, anonymous_nodes(3, silent{})};
    sim.start_all();
    CHECK(sim.run().by_kind("elected") == 0);
    CHECK(leaders_of(sim) == 1);
    CHECK(sim.outcomes().size() == 1);
    for (std::size_t v = 0; v < 3; ++v)
        CHECK(sim[v].leader().has_value() == sim[v].is_leader());
}

TEST_CASE("itai_rodeh: start twice is one start; who was reached no longer starts") {
    rounds sim{ring{3}, anonymous_nodes(3)};
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = 1});
    sim.start(1);
    const report r = sim.run();
    CHECK(r.size.initiators == 1);
    CHECK(r.by_kind("token") == 3);
    CHECK(sim[0].is_leader());
    sim.start(2);
    CHECK(sim.run().messages == r.messages);
}

// Cost

TEST_CASE("itai_rodeh: rounds on average: the recurrence gives the known figures") {
    CHECK(mean_rounds(1) == 1);
    CHECK(mean_rounds(2) == doctest::Approx(2));
    CHECK(mean_rounds(3) == doctest::Approx(1.6875));
    CHECK(mean_rounds(4) == doctest::Approx(1.6));
    CHECK(std::abs(mean_rounds(8) - 1.4979) < 0.00005);
    CHECK(std::abs(mean_rounds(16) - 1.4558) < 0.00005);
    CHECK(std::abs(mean_rounds(32) - 1.4364) < 0.00005);
}

TEST_CASE("itai_rodeh: rounds and messages on average, within 4 standard errors, n <= 32") {
    struct figure {
        std::size_t n;
        double messages;
        double rounding;
    };
    for (const figure& f : {figure{1, 1, 0}, figure{2, 7, 0}, figure{3, 10.2, 0.05},
                            figure{4, 14.2, 0.05}, figure{8, 32.1, 0.05}, figure{16, 73.7, 0.05},
                            figure{32, 168, 0.5}}) {
        CAPTURE(f.n);
        average tokens;
        average rounds_taken;
        for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
            rounds sim{ring{f.n}, anonymous_nodes(f.n, silent{}), {.seed = mix(seed, f.n)}};
            sim.start_all();
            tokens.add(static_cast<double>(sim.run().messages));
            rounds_taken.add(sim.outcomes()[0].outcome.leader.round);
        }
        const auto four_errors = [](const average& a) {
            return 4 * std::sqrt(a.variance() / a.count);
        };
        CHECK(std::abs(tokens.mean() - f.messages) <= four_errors(tokens) + f.rounding);
        CHECK(std::abs(rounds_taken.mean() - mean_rounds(f.n)) <= four_errors(rounds_taken));
    }
}

TEST_CASE("itai_rodeh: n + k - 1 tokens at best for k starters, n for one, no bound else") {
    using process = itai_rodeh<silent>;
    CHECK(process::messages({.nodes = 5, .initiators = 1}).most == 5);
    CHECK(process::messages({.nodes = 5, .initiators = 1}).mean == 5.0);
    CHECK(process::messages({.nodes = 5, .initiators = 4}).least == 8);
    CHECK(process::messages({.nodes = 5, .initiators = 4}).most == never);
    CHECK_FALSE(process::messages({.nodes = 5, .initiators = 4}).mean.has_value());
    const auto rising = [](node v, std::size_t) { return v.index; };
    events net{ring{5}, anonymous_nodes(5, silent{}), {.delay = unit{}, .coins = rising}};
    net.start_all();
    CHECK(net.run().messages == 5 + 5 - 1);
}

// Outside the model

TEST_CASE("itai_rodeh: unnumbered without fifo is refused: silence without a leader, n = 3") {
    CHECK_THROWS(events(ring{3}, anonymous_nodes(3, unnumbered{}), {.fifo = false}));
    const auto without_fifo = [](std::size_t n) {
        const auto last_hop = static_cast<std::uint32_t>(2 * n);   // in order, n is the last
        const auto make = [=](node) {
            return limited<unnumbered>{itai_rodeh{n, unnumbered{}}, 0, last_hop};
        };
        return explore(ring{n}, make, {.properties = {finally(someone_leads)}, .fifo = false});
    };
    CHECK(without_fifo(2).verified());
    const verdict v = without_fifo(3);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.how == "is false when all is over, after");
    CHECK(v.counterexample.size() == 10);   // two that drew again stop each other by what is past
}

TEST_CASE("itai_rodeh: a ring twice as long as believed has two leaders") {
    const verdict v = explore_rounds(4, 1, true, all, 2);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.property == "at_most_one_leader");
    CHECK(v.counterexample.size() == 6);
}

TEST_CASE("itai_rodeh: on a ring shorter than believed nobody ever leads") {
    for (const std::size_t n : sizes{1, 2, 3}) {
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            rounds sim{ring{n}, anonymous_nodes(n + 1),
                       {.seed = seed, .outside_model = true}};
            sim.start_all();
            CHECK(sim.run({.max_messages = 1000}).stopped == stop::limit);
            CHECK(leaders_of(sim) == 0);
        }
    }
}

TEST_CASE("itai_rodeh: no ring has 0 nodes, nor more than hops can count") {
    CHECK_THROWS_WITH(itai_rodeh(0), "itai_rodeh: no ring has 0 nodes");
    CHECK_NOTHROW(itai_rodeh((std::size_t{1} << 32) - 1));
    CHECK_THROWS(itai_rodeh(std::size_t{1} << 32));   // hops are counted in 32 bits
}

TEST_CASE("itai_rodeh: if all coins fall alike, all stay alike") {
    const auto alike = [](node, std::size_t) { return std::size_t{0}; };
    events net{ring{4}, anonymous_nodes(4), {.delay = unit{}, .coins = alike}};
    net.start_all();
    CHECK(net.run({.max_messages = 1600}).stopped == stop::limit);
    for (std::size_t v = 0; v < 4; ++v) CHECK(same(net[v], net[0]));
    CHECK(leaders_of(net) == 0);
}

TEST_CASE("itai_rodeh: repeated tokens make no second leader, any schedule, coins and start set") {
    CHECK(explore_rounds(2, 2, false, any_subset, 0, 2).verified());
    CHECK(explore_rounds(3, 1, false, any_subset, 0, 2).verified());
}

TEST_CASE("itai_rodeh: a lot that comes home again is not drawn anew, nor is an old one unique") {
    using token = itai_rodeh<>::token;
    itai_rodeh self{3};
    notes<itai_rodeh<>> env;
    self.start(env);
    for (int twice = 0; twice < 2; ++twice) self.on(token{{1, 1}, 3, false}, prev, env);
    CHECK(env.out.size() == 2);                       // its lot, and only one more
    self.on(token{{1, 1}, 3, true}, prev, env);
    CHECK_FALSE(self.is_leader());
    self.on(token{{2, 1}, 3, true}, prev, env);
    CHECK(self.is_leader());
}
