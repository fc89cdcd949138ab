// SPDX-License-Identifier: MIT
#include <caucus/election/ring/replacing.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>
#include <support/trace.hpp>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>

#include <algorithm>
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
    return [&ids, policies...](node v) { return replacing{ids[v], policies...}; };
}

auto racing(const std::vector<int>& ids) {
    return [&ids](node v) { return chang_roberts{ids[v]}; };
}

report in_rounds(const starter_set& starters, std::size_t n, auto make) {
    rounds sim{ring{n}, make};
    for (const std::size_t v : starters) sim.start(v);
    return sim.run();
}

/// Hops from s to the best.
std::size_t way_to_the_best(const std::vector<int>& ids, std::size_t s) {
    const auto best = std::max_element(ids.begin(), ids.end()) - ids.begin();
    return (static_cast<std::size_t>(best) + ids.size() - s) % ids.size();
}

void check_elected(const auto& sim) {
    const int best = static_cast<int>(sim.nodes());
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        CHECK(sim[v].leader() == best);
        CHECK(sim[v].is_leader() == (sim[v].id() == best));
        CHECK_FALSE(sim[v].is_participant());
    }
    for (const auto& o : sim.outcomes()) CHECK(o.outcome.leader == best);
}

template <class... Policies>
replacing<int, Policies...> by_index(node v) {
    return replacing<int, Policies...>{static_cast<int>(v.index) + 1, Policies{}...};
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
static_assert(std::is_same_v<decltype(replacing{3}), replacing<int>>);
static_assert(std::is_same_v<decltype(replacing{3, forgetful{}, least{}}),
                             replacing<int, forgetful, least>>);
static_assert(std::is_same_v<decltype(replacing{3, least{}, forgetful{}}),
                             replacing<int, least, forgetful>>);
static_assert(sizeof(replacing<std::uint16_t>) <= 10);
static_assert(std::is_trivially_copyable_v<replacing<int>>);
static_assert(std::is_same_v<decltype(replacing{3L, forgetful{}, least{}}),
                             replacing<long, forgetful, least>>);
static_assert(covers(replacing<int>::assumes.links, guarantee::fifo));
static_assert(!covers(replacing<int, forgetful>::assumes.links, guarantee::fifo));

constexpr int elected_at_compile_time(std::array<int, 4> ids) {
    rounds sim{ring{4}, [&](node v) { return replacing{ids[v]}; }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() && sim[0].leader() == sim[3].leader() ? *sim[1].leader() : 0;
}
static_assert(elected_at_compile_time({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time({4, 3, 2, 1}) == 4);
static_assert(replacing<int>::messages({.nodes = 5}).most == 0);   // nobody started
static_assert(replacing<int>::messages({.nodes = 5}).least == 0);
static_assert(replacing<int>::time({.nodes = 5}).most == 0);
static_assert(replacing<int>::time({.nodes = 5}).least == 0);

TEST_CASE("replacing: asks for no more than the least environment, id and preference") {
    using process = replacing<archetype::id, archetype::by_rank>;
    archetype::environment<process> env;
    env.ports = 1;
    process one{archetype::id::ranked(1), archetype::by_rank{-1}};
    process two{archetype::id::ranked(2), archetype::by_rank{-1}};
    one.start(env);
    for (std::size_t at = 0; at < env.outbox.size(); ++at) {
        const auto letter = env.outbox[at];
        dispatch(at % 2 == 0 ? two : one, letter.message, prev, env);
    }
    CHECK(env.outbox.size() == 4);
    CHECK(one.is_leader());
    CHECK(two.leader() == archetype::id::ranked(1));
}

// Paper

TEST_CASE("replacing: one message from 1 becomes one of 2, then of 3, on a ring 1 2 3") {
    const std::vector<int> ids{1, 2, 3};
    CHECK(chronicle_of(ring{3}, nodes_with(ids), {0}) ==
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

TEST_CASE("replacing: the best of all leads, every order and start set, rounds, n <= 5") {
    for (std::size_t n = 1; n <= 5; ++n) {
        each_permutation(n, [&](const std::vector<int>& ids) {
            each_subset(n, [&](const starter_set& starters) {
                const auto elect = [&](auto make) {
                    rounds sim{ring{n}, make};
                    for (const std::size_t v : starters) sim.start(v);
                    const report r = sim.run();
                    REQUIRE(r.stopped == stop::quiescent);
                    REQUIRE(r.within_proven());
                    CHECK(sim.outcomes().size() == n);
                    check_elected(sim);
                };
                elect(nodes_with(ids));
                elect(nodes_with(ids, forgetful{}));
            });
        });
    }
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
                    check_elected(net);
                }
                CHECK(net.run().stopped == stop::quiescent);
                check_elected(net);
            };
            elect(true, nodes_with(ids));
            elect(false, nodes_with(ids, forgetful{}));
        }
    }
}

TEST_CASE("replacing: every order, start set and fifo schedule, starts at any time, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        for (const starting when : {starting::at_once, starting::any_time}) {
            CAPTURE(n);
            const auto v = explore(ring{n}, by_index<>,
                                   {.initiators = any_subset,
                                    .properties = {always(at_most_one_leader),
                                                   always(the_best_leads), finally(all_agree),
                                                   finally(all_is_over), sometimes(someone_leads)},
                                    .starting = when,
                                    .orders = all_permutations});
            CAPTURE(v.counterexample.text());
            CHECK(v.verified());
            CHECK(v.messages.least == 2 * n);
            if (when == starting::at_once) {
                // The worst of chang_roberts is n(n+1)/2 with all, and 3n-1 with one initiator.
                std::uint64_t most = 0;
                for (std::size_t k = 1; k <= n; ++k)
                    most = std::max(most,
                                    replacing<int>::messages({.nodes = n, .initiators = k}).most);
                CHECK(v.messages.most == most);
            }
        }
    }
}

TEST_CASE("replacing: without fifo a late starter is left behind, and never starts again, n = 3") {
    const auto v = explore(ring{3}, by_index<>, {.initiators = any_subset,
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
        std::uint64_t fewest = ~std::uint64_t{0};
        std::uint64_t most = 0;
        average messages;
        each_permutation(n, [&](const std::vector<int>& ids) {
            const report r = in_rounds({0}, n, nodes_with(ids));
            CHECK(r.messages == way_to_the_best(ids, 0) + 2 * n);
            CHECK(r.by_kind("elected") == n);
            CHECK(r.messages == in_rounds({0}, n, nodes_with(ids, forgetful{})).messages);
            fewest = std::min(fewest, r.messages);
            most = std::max(most, r.messages);
            messages.add(static_cast<double>(r.messages));
        });
        const double size = static_cast<double>(n);
        CHECK(fewest == 2 * n);
        CHECK(most == 3 * n - 1);
        CHECK(messages.mean() == doctest::Approx(2 * size + (size - 1) / 2).epsilon(1e-9));
    }
}

TEST_CASE("replacing: with memory message for message, round for round as chang_roberts") {
    for (std::size_t n = 1; n <= 5; ++n) {
        each_permutation(n, [&](const std::vector<int>& ids) {
            each_subset(n, [&](const starter_set& starters) {
                const report ours = in_rounds(starters, n, nodes_with(ids));
                const report theirs = in_rounds(starters, n, racing(ids));
                CHECK(ours.by_kind("election") == theirs.by_kind("election"));
                CHECK(ours.messages == theirs.messages);
                CHECK(ours.rounds == theirs.rounds);
            });
        });
    }
}

TEST_CASE("replacing: forgetful: k initiators pay k ways and 2k laps, on every order, n <= 6") {
    for (std::size_t n = 1; n <= 6; ++n) {
        for (std::size_t k = 1; k <= n; ++k) {
            std::uint64_t fewest = ~std::uint64_t{0};
            std::uint64_t most = 0;
            ticks soonest = ~ticks{0};
            ticks latest = 0;
            average messages;
            each_subset(n, [&](const starter_set& starters) {
                if (starters.size() != k || starters[0] != 0) return;   // turning changes nothing
                each_permutation(n, [&](const std::vector<int>& ids) {
                    const report r = in_rounds(starters, n, nodes_with(ids, forgetful{}));
                    std::uint64_t expected = 0;
                    for (const std::size_t s : starters)
                        expected += way_to_the_best(ids, s) + 2 * n;
                    CHECK(r.messages == expected);
                    CHECK(r.by_kind("elected") == k * n);
                    fewest = std::min(fewest, r.messages);
                    most = std::max(most, r.messages);
                    soonest = std::min(soonest, r.rounds);
                    latest = std::max(latest, r.rounds);
                    messages.add(static_cast<double>(r.messages));
                });
            });
            using process = replacing<int, forgetful>;
            const cost card = process::messages({.nodes = n, .initiators = k});
            const cost time = process::time({.nodes = n, .initiators = k});
            CHECK(fewest == card.least);
            CHECK(most == card.most);
            CHECK(soonest == time.least);
            CHECK(latest == time.most);
            CHECK(messages.mean() == doctest::Approx(*card.mean).epsilon(1e-9));
        }
    }
}

TEST_CASE("replacing: with memory the card is that of chang_roberts, n <= 8") {
    for (std::size_t n = 1; n <= 8; ++n) {
        for (std::size_t k = 1; k <= n; ++k) {
            const size s{.nodes = n, .initiators = k};
            const cost ours = replacing<int>::messages(s);
            const cost theirs = chang_roberts<int>::messages(s);
            CHECK(ours.least == theirs.least);
            CHECK(ours.most == theirs.most);
            CHECK(*ours.mean == doctest::Approx(*theirs.mean).epsilon(1e-9));
            CHECK(replacing<int>::time(s).least == chang_roberts<int>::time(s).least);
            CHECK(replacing<int>::time(s).most == chang_roberts<int>::time(s).most);
        }
    }
}

TEST_CASE("replacing: forgetful costs k times as much on every schedule, fifo or not, n = 4") {
    for (const bool fifo : {true, false}) {
        std::vector<std::uint64_t> fewest(5, ~std::uint64_t{0});
        std::vector<std::uint64_t> most(5, 0);
        each_subset(4, [&](const starter_set& starters) {
            const auto v = explore(ring{4}, by_index<forgetful>,
                                   {.initiators = starters,
                                    .properties = {always(at_most_one_leader),
                                                   always(the_best_leads), finally(all_agree),
                                                   sometimes(someone_leads)},
                                    .fifo = fifo,
                                    .orders = all_permutations});
            CHECK(v.verified());
            const std::size_t k = starters.size();
            fewest[k] = std::min(fewest[k], v.messages.least);
            most[k] = std::max(most[k], v.messages.most);
        });
        for (std::size_t k = 1; k <= 4; ++k) {
            const cost card = replacing<int, forgetful>::messages({.nodes = 4, .initiators = k});
            CHECK(fewest[k] == card.least);
            CHECK(most[k] == card.most);
        }
    }
}

// Outside the model

TEST_CASE("replacing: equal ids are refused; let through, one takes the other's id for its own") {
    const std::vector<int> ids{7, 1, 7, 2, 3};
    CHECK_THROWS_WITH(rounds(ring{5}, nodes_with(ids)),
                      "simulation: nodes 0 and 2 have the same id");
    rounds sim{ring{5}, nodes_with(ids), {.outside_model = true}};
    sim.start(0);
    sim.run();
    CHECK(sim[2].is_leader());
    CHECK(sim[4].leader() == 7);
    CHECK_FALSE(sim[0].leader().has_value());   // and this one the other's lap for its own
    CHECK(sim[0].is_participant());
    CHECK_FALSE(sim[1].leader().has_value());
}

TEST_CASE("replacing: after a dead best id has passed, no later election gets anywhere") {
    using process = replacing<int>;
    for (const int survivor : {1, 5, 8}) {
        process p{survivor};
        hand<process> env;
        p.on(process::election{9}, prev, env);     // 9 dies, and its message is taken away
        env.out.clear();
        p.start(env);
        for (const int other : {1, 5, 8})
            if (other != survivor) p.on(process::election{other}, prev, env);
        CHECK(env.out.empty());
        CHECK_FALSE(p.leader().has_value());
    }
}

TEST_CASE("replacing: repeated messages cost, but never make a second report") {
    using process = replacing<int>;
    process winner{5};
    hand<process> env;
    winner.start(env);
    winner.start(env);
    CHECK(env.out.size() == 1);
    for (int twice = 0; twice < 2; ++twice) winner.on(process::election{5}, prev, env);
    for (int twice = 0; twice < 2; ++twice) winner.on(process::elected{5}, prev, env);
    CHECK(env.out.size() == 3);
    CHECK(env.told == 1);
    process loser{3};
    hand<process> other;
    for (int twice = 0; twice < 2; ++twice) loser.on(process::elected{5}, prev, other);
    CHECK(other.told == 1);
}
