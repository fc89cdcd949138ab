// SPDX-License-Identifier: MIT
#include <caucus/election/ring/peterson.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>
#include <support/trace.hpp>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

template <class... Policies>
auto nodes_with(const std::vector<int>& ids, Policies... policies) {
    return [&ids, policies...](node v) { return peterson{ids[v], policies...}; };
}

/// On `rounds`, all of `starters` in round 0.
template <class... Policies>
report in_rounds(const std::vector<int>& ids, const std::vector<std::size_t>& starters,
                 Policies... policies) {
    rounds sim{ring{ids.size()}, nodes_with(ids, policies...)};
    for (const std::size_t v : starters) sim.start(v);
    return sim.run();
}

/// Every order of 1 … n with the 1 in front: turning the ring changes nothing.
void each_circle(std::size_t n, auto visit) {
    each_permutation(n, [&](const std::vector<int>& ids) {
        if (ids[0] == 1) visit(ids);
    });
}

struct extremes {
    std::uint64_t least = never;
    std::uint64_t most = 0;
    ticks latest = 0;
    average messages = {};

    void add(const report& r) {
        least = std::min(least, r.messages);
        most = std::max(most, r.messages);
        latest = std::max(latest, r.rounds);
        messages.add(static_cast<double>(r.messages));
    }
};

/// Over every order of n ids, all start, nobody is told.
template <class... Policies>
extremes over_all_orders(std::size_t n, Policies... policies) {
    extremes e;
    each_circle(n, [&](const std::vector<int>& ids) {
        e.add(in_rounds(ids, everybody(n), silent{}, policies...));
    });
    return e;
}

}  // namespace

// Shape

static_assert(process<peterson<int>>);
static_assert(std::is_same_v<decltype(peterson{3}), peterson<int>>);
static_assert(std::is_same_v<decltype(peterson{3, silent{}, printed{}}),
                             peterson<int, silent, printed>>);
static_assert(std::is_same_v<decltype(peterson{3, printed{}, silent{}}),
                             peterson<int, printed, silent>>);
static_assert(sizeof(peterson<std::uint16_t>) <= 10);
static_assert(std::is_trivially_copyable_v<peterson<int>>);
static_assert(std::is_same_v<decltype(peterson{3L, silent{}, printed{}}),
                             peterson<long, silent, printed>>);
static_assert(covers(peterson<int>::assumes.links, guarantee::fifo));

template <class... Policies>
constexpr int elected_at_compile_time(std::array<int, 4> ids, Policies... policies) {
    rounds sim{ring{4}, [&](node v) { return peterson{ids[v], policies...}; }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() && sim[0].leader() == sim[3].leader() ? *sim[1].leader() : 0;
}
static_assert(elected_at_compile_time({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time({17, 4, 42, 8}, printed{}, least{}) == 4);
static_assert(peterson<int>::messages({.nodes = 5}).most == 0);   // nobody started

// Paper

template <class... Policies>
std::string story_of(const std::vector<int>& ids, Policies... policies) {
    return candidacies_of(ring{ids.size()}, nodes_with(ids, policies...));
}

TEST_CASE("peterson: ids move on: node 0 finds out that 3 leads, on a ring 1 3 2") {
    CHECK(story_of({1, 3, 2}) ==
          "0: 0 first 1\n"
          "0: 1 first 3\n"
          "0: 2 first 2\n"
          "1: 1 second 1\n"
          "1: 2 second 3\n"
          "1: 0 second 2\n"       // 2 has 1 and 3 before it: it goes on, as 3
          "2: 2 first 3\n"
          "3: 0 first 3\n"
          "4: 1 first 3\n"
          "5: 2 knows 3\n"        // it has only heard of the leader
          "6: 0 knows 3\n"
          "7: 1 knows 3\n");
}

TEST_CASE("peterson: as printed, the better of two goes ahead, and the best id comes home") {
    CHECK(story_of({1, 3, 2}, printed{}) ==
          "0: 0 first 1\n"
          "0: 1 first 3\n"
          "0: 2 first 2\n"
          "1: 1 second 3\n"
          "1: 2 second 3\n"
          "1: 0 second 2\n"
          "2: 2 first 3\n"
          "3: 0 first 3\n"
          "4: 1 knows 3\n"        // and need not send it on
          "5: 2 knows 3\n"
          "6: 0 knows 3\n");
}

struct phases : observer {
    std::vector<std::vector<std::size_t>>* active;   // by phase; and how far each link has got
    std::vector<std::size_t>* passed;
    std::vector<std::string>* last_in;
    void handled(ticks, node v, const auto& in) {
        if constexpr (requires { in.message.index(); })
            (*last_in)[v] = in.message.index() == 0 ? "first" : "other";
    }
    template <class Kind>
    void sent(ticks, node v, port, const Kind&) {
        if (kind_name<Kind>() != text{"second"}) return;
        const std::size_t phase = (*passed)[v]++;
        if (active->size() <= phase) active->resize(phase + 1);
        if ((*last_in)[v] == "first") (*active)[phase].push_back(v);
    }
};

TEST_CASE("peterson: at most every other active node goes on; every phase is a first and a second "
          "on every link, n <= 8") {
    for (std::size_t n = 2; n <= 8; ++n) {
        each_circle(n, [&](const std::vector<int>& ids) {
            std::vector<std::vector<std::size_t>> active;
            std::vector<std::size_t> passed(n);
            std::vector<std::string> last_in(n);
            phases watch;
            watch.active = &active;
            watch.passed = &passed;
            watch.last_in = &last_in;
            rounds sim{ring{n}, nodes_with(ids, silent{}), {}, watch};
            sim.start_all();
            const report r = sim.run();
            REQUIRE(active[0].size() == n);
            for (std::size_t i = 1; i < active.size(); ++i)
                REQUIRE(active[i].size() <= active[i - 1].size() / 2);
            for (const std::size_t each : passed) REQUIRE(each == active.size());
            REQUIRE(r.messages == 2 * n * active.size() + n);
        });
    }
}

// Safety and liveness

TEST_CASE("peterson: the best initiator leads, every order and start set, rounds, n <= 5") {
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
                elect(best_of(ids, starters));
                elect(best_of(ids, starters), printed{});
            });
        });
    }
}

struct candidates : observer {
    std::set<int>* seen;
    void sent(ticks, node, port, const auto& m) {
        if constexpr (requires { m.candidate; }) seen->insert(m.candidate);
    }
};

TEST_CASE("peterson: late starts and any delays: the best of those that were in time, n <= 12") {
    std::size_t late = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        random_source dice{seed};
        const std::size_t n = 1 + dice.below(12);
        const std::vector<int> ids = shuffled(n, seed);
        for (const delay_model& delay : every_delay()) {
            const auto elect = [&](auto... policies) {
                CAPTURE(seed);
                std::set<int> seen;
                candidates watch;
                watch.seen = &seen;
                events net{ring{n}, nodes_with(ids, policies...), {.seed = seed, .delay = delay},
                           watch};
                for (std::size_t i = 0; i <= n; ++i) {
                    net.start(random_source{mix(seed, i)}.below(n));
                    net.run_for(i % 3);
                }
                const report r = net.run();
                CHECK(r.stopped == stop::quiescent);
                CHECK(r.within_proven());
                CHECK(seen.size() == r.size.initiators);
                check_elected(net, *seen.rbegin());
                late += *seen.rbegin() != static_cast<int>(n);
            };
            elect();
            elect(printed{});
        }
    }
    CHECK(late > 0);
}

/// Every schedule of every start set of every order; the count is the same on each.
template <class... Policies>
void explore_all(std::size_t n, Policies... policies) {
    using process = peterson<int, Policies...>;
    each_circle(n, [&](const std::vector<int>& ids) {
        each_subset(n, [&](const std::vector<std::size_t>& starters) {
            const int expected = best_of(ids, starters);
            const auto it_leads = [expected](const global_state<process>& g) {
                for (std::size_t v = 0; v < g.nodes(); ++v)
                    if (g[v].leader() && g[v].leader() != expected) return false;
                return true;
            };
            const auto v = explore(ring{n}, nodes_with(ids, policies...),
                                   {.initiators = starters,
                                    .properties = {always(at_most_one_leader), always(it_leads),
                                                   sometimes(someone_leads), finally(all_agree)}});
            CHECK(v.verified());
            CHECK(v.messages.least == v.messages.most);
            CHECK(v.messages.most == in_rounds(ids, starters, policies...).messages);
        });
    });
}

TEST_CASE("peterson: on every schedule the best initiator leads, at the same cost, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        explore_all(n);
        explore_all(n, printed{});
    }
}

TEST_CASE("peterson: on every schedule, starts at any time, one leader for all, n <= 4") {
    const auto check = [](std::size_t n, auto... policies) {
        const std::vector<int> ids = ascending(n);
        const auto v = explore(ring{n}, nodes_with(ids, policies...),
                               {.initiators = any_subset,
                                .properties = {always(at_most_one_leader),
                                               sometimes(someone_leads), finally(all_agree)},
                                .starting = starting::any_time,
                                .orders = all_permutations});
        CHECK(v.verified());
        using process = peterson<int, decltype(policies)...>;
        CHECK(v.messages.least == process::messages({.nodes = n, .initiators = 1}).least);
        CHECK(v.messages.most <= process::messages({.nodes = n, .initiators = n}).most);
        return v.messages.most;
    };
    const std::uint64_t most[] = {0, 2, 8, 12, 24};
    for (std::size_t n = 1; n <= 4; ++n) {
        CHECK(check(n) == most[n]);
        check(n, printed{});
    }
}

TEST_CASE("peterson: silent tells one node, as printed the leader itself") {
    const std::vector<int> ids{1, 3, 2};
    const auto who_knows = [&](auto... policies) {
        rounds sim{ring{3}, nodes_with(ids, silent{}, policies...)};
        sim.start_all();
        CHECK(sim.run().by_kind("elected") == 0);
        REQUIRE(sim.outcomes().size() == 1);
        CHECK(sim.outcomes()[0].outcome.leader == 3);
        const std::size_t v = sim.outcomes()[0].node;
        CHECK(sim[v].leader() == 3);
        CHECK(sim[v].is_leader() == (v == 1));
        return v;
    };
    CHECK(who_knows() == 2);
    CHECK(who_knows(printed{}) == 1);
}

TEST_CASE("peterson: start twice is one start, and a node that was reached no longer starts") {
    const std::vector<int> ids{1, 3, 2};
    rounds sim{ring{3}, nodes_with(ids)};
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = 1});   // 1 has reached node 1, and moves on to 2
    sim.start(1);
    const report r = sim.run();
    CHECK(r.size.initiators == 1);
    CHECK(r.by_kind("first") == 3);
    CHECK(r.by_kind("second") == 0);
    check_elected(sim, 1);
    sim.start(2);
    CHECK(sim.run().messages == r.messages);
}

// Cost

TEST_CASE("peterson: least, mean, most and latest over every order, n <= 9") {
    const std::uint64_t most[] = {0, 1, 6, 9, 20, 25, 30, 35, 56, 63};
    const ticks latest[] = {0, 1, 4, 5, 10, 12, 14, 16, 22};
    const double mean[] = {0, 1, 6, 9, 14.67, 21.67, 28.40, 34.38, 40.05};
    for (std::size_t n = 1; n <= 9; ++n) {
        CAPTURE(n);
        const extremes e = over_all_orders(n);
        const cost card = peterson<int, silent>::messages({.nodes = n, .initiators = n});
        CHECK(e.least == card.least);
        CHECK(e.most == card.most);
        CHECK(e.least == (n == 1 ? 1 : 3 * n));
        CHECK(e.most == most[n]);
        if (n == 9) break;
        CHECK(e.latest == latest[n]);
        CHECK(e.messages.mean() == doctest::Approx(mean[n]).epsilon(0.0005));
    }
}

TEST_CASE("peterson: as printed 3n-1 at best, and less at worst, over every order, n <= 8") {
    const std::uint64_t most[] = {0, 1, 5, 8, 16, 21, 27, 32, 46};
    for (std::size_t n = 1; n <= 8; ++n) {
        CAPTURE(n);
        const extremes e = over_all_orders(n, printed{});
        const cost card = peterson<int, silent, printed>::messages({.nodes = n, .initiators = n});
        CHECK(e.least == card.least);
        CHECK(e.least == (n == 1 ? 1 : 3 * n - 1));
        CHECK(e.most == most[n]);
        CHECK(e.most <= card.most);
    }
}

TEST_CASE("peterson: k initiators: 2n·⌊lg k⌋ + n at worst, reached; the card says the least, too") {
    const std::size_t n = 6;
    std::vector<extremes> plain(n + 1);
    std::vector<extremes> paper(n + 1);
    each_circle(n, [&](const std::vector<int>& ids) {
        each_subset(n, [&](const std::vector<std::size_t>& starters) {
            plain[starters.size()].add(in_rounds(ids, starters));
            paper[starters.size()].add(in_rounds(ids, starters, printed{}));
        });
    });
    for (std::size_t k = 1; k <= n; ++k) {
        CAPTURE(k);
        const cost card = peterson<int>::messages({.nodes = n, .initiators = k});
        CHECK(plain[k].least == card.least);
        CHECK(plain[k].most == card.most);
        CHECK(card.mean.has_value() == (k == 1));
        CHECK(card.mean.value_or(2 * n) == 2 * n);
        const cost saves = peterson<int, printed>::messages({.nodes = n, .initiators = k});
        CHECK(paper[k].least == saves.least);
        CHECK(saves.least == (k == 1 ? 2 * n : 3 * n + k - 1));
        CHECK(paper[k].most <= saves.most);
    }
}

TEST_CASE("peterson: means of large random rings as measured elsewhere, within 4 standard errors") {
    const double mean[] = {101, 238, 568, 1281};   // rounded: half a message more or less
    for (const std::size_t i : sizes{0, 1, 2, 3}) {
        const std::size_t n = std::size_t{16} << i;
        average messages;
        for (std::uint64_t seed = 1; seed <= 300; ++seed)
            messages.add(static_cast<double>(
                in_rounds(shuffled(n, seed), everybody(n), silent{}).messages));
        const double error = std::sqrt(messages.variance() / messages.count);
        CAPTURE(n);
        CHECK(std::abs(messages.mean() - mean[i]) < 4 * error + 0.5);
        CHECK(error < 0.05 * mean[i]);
    }
}

// Outside the model

TEST_CASE("peterson: without fifo the best or nobody leads, n = 3; many runs of six fail") {
    const std::vector<int> ids{1, 2, 3};
    CHECK_THROWS_WITH(events(ring{3}, nodes_with(ids), {.fifo = false}),
                      "events: the algorithm needs fifo links; "
                      "leave fifo on, or say outside_model");
    const auto without_fifo = [&](property<peterson<int>> p) {
        return explore(ring{3}, nodes_with(ids),
                       {.properties = {p}, .fifo = false, .orders = all_permutations,
                        .outside_model = true});
    };
    CHECK(without_fifo(always(the_best_leads)).verified());
    const verdict nobody = without_fifo(finally(someone_leads));
    CHECK_FALSE(nobody.holds);
    CHECK(nobody.counterexample.how == "is false when all is over, after");
    CHECK(nobody.counterexample.size() == 5);

    std::size_t failed = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const std::vector<int> six = shuffled(6, seed);
        // Any message under way is as likely to be the next as any other.
        events net{ring{6}, nodes_with(six),
                   {.seed = seed, .delay = exponential{100'000}, .fifo = false,
                    .outside_model = true}};
        net.start_all();
        net.run({.max_messages = 1000});
        bool right = true;
        for (std::size_t v = 0; v < 6; ++v) right = right && net[v].leader() == 6;
        failed += !right;
    }
    CHECK(failed > 50);
}

TEST_CASE("peterson: a ring covered twice by the same ids: two leaders, 12 messages") {
    const std::vector<int> ids{1, 2, 1, 2};
    CHECK_THROWS_WITH(rounds(ring{4}, nodes_with(ids)),
                      "simulation: nodes 0 and 2 have the same id");
    rounds sim{ring{4}, nodes_with(ids, silent{}), {.outside_model = true}};
    sim.start_all();
    CHECK(sim.run().messages == 12);
    CHECK(sim.outcomes().size() == 2);
    rounds told{ring{4}, nodes_with(ids), {.outside_model = true}};
    told.start_all();
    told.run();
    CHECK(told[1].is_leader());
    CHECK(told[3].is_leader());

    const std::vector<int> alike(6, 9);
    rounds same{ring{6}, nodes_with(alike, silent{}), {.outside_model = true}};
    same.start_all();
    CHECK(same.run().messages == 6);
    for (std::size_t v = 0; v < 6; ++v) CHECK(same[v].is_leader());
}

TEST_CASE("peterson: a crashed relay breaks the ring: silence, and no leader") {
    const std::vector<int> ids{4, 1, 3, 2};
    events net{ring{4}, nodes_with(ids), {.delay = unit{}}};
    net.start_all();
    net.run_for(3);
    net.crash(2);
    const report r = net.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.lost > 0);
    for (std::size_t v = 0; v < 4; ++v) CHECK_FALSE(net[v].leader().has_value());
}

TEST_CASE("peterson: repeated messages change nothing, any schedule and start set, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        const verdict v = explore(ring{n}, [n](node u) { return peterson{shuffled(n, 3)[u]}; },
                                  {.initiators = any_subset,
                                   .properties = {always(at_most_one_leader),
                                                  sometimes(someone_leads), finally(all_agree)},
                                   .faults = {.duplicates = 2}, .orders = all_permutations});
        CAPTURE(v.counterexample.text());
        CHECK(v.verified());
    }
}
