// SPDX-License-Identifier: MIT
#include <caucus/election/ring/peterson_alternating.hpp>

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
    return [&ids, policies...](node v) { return peterson_alternating{ids[v], policies...}; };
}

/// On `rounds`, all of `starters` in round 0; nobody is told.
report in_rounds(const std::vector<int>& ids, const std::vector<std::size_t>& starters) {
    rounds sim{ring{ids.size()}, nodes_with(ids, silent{})};
    for (const std::size_t v : starters) sim.start(v);
    return sim.run();
}

/// Every order of 1 … n with the 1 in front: turning the ring changes nothing.
void each_circle(std::size_t n, auto visit) {
    each_permutation(n, [&](const std::vector<int>& ids) {
        if (ids[0] == 1) visit(ids);
    });
}

cost card_for(std::size_t n, std::size_t k) {
    return peterson_alternating<int, silent>::messages({.nodes = n, .initiators = k});
}

}  // namespace

// Shape

static_assert(process<peterson_alternating<int>>);
static_assert(std::is_same_v<decltype(peterson_alternating{3}), peterson_alternating<int>>);
static_assert(std::is_same_v<decltype(peterson_alternating{3, silent{}, least{}}),
                             peterson_alternating<int, silent, least>>);
static_assert(std::is_same_v<decltype(peterson_alternating{3, least{}, silent{}}),
                             peterson_alternating<int, least, silent>>);
static_assert(sizeof(peterson_alternating<std::uint16_t>) <= 8);
static_assert(std::is_trivially_copyable_v<peterson_alternating<int>>);
static_assert(std::is_same_v<decltype(peterson_alternating{3L, silent{}}),
                             peterson_alternating<long, silent>>);
static_assert(covers(peterson_alternating<int>::assumes.links, guarantee::fifo));

constexpr int elected_at_compile_time(std::array<int, 4> ids, auto... policies) {
    rounds sim{ring{4}, [&](node v) { return peterson_alternating{ids[v], policies...}; }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() && sim[0].leader() == sim[3].leader() ? *sim[1].leader() : 0;
}
static_assert(elected_at_compile_time({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time({17, 4, 42, 8}, least{}) == 4);
static_assert(peterson_alternating<int>::messages({.nodes = 5}).most == 0);   // nobody started

// Paper

TEST_CASE("peterson_alternating: forwards, then back, on a ring 1 2 3") {
    const std::vector<int> ids{1, 2, 3};
    CHECK(candidacies_of(ring{3}, nodes_with(ids)) ==
          "0: 0 election 1\n"
          "0: 1 election 2\n"
          "0: 2 election 3\n"
          "1: 1 election 2\n"     // 2 and 3 beat those before them, 1 only relays
          "1: 2 election 3\n"
          "2: 0 election 3\n"     // in phase two 3 hears of 2 and gives up
          "3: 1 election 3\n"     // and 2 hears of 3: it goes on, as 3
          "4: 2 election 3\n"
          "5: 0 election 3\n"
          "6: 1 knows 3\n"
          "7: 2 knows 3\n"
          "8: 0 knows 3\n");
}

// Safety and liveness

TEST_CASE("peterson_alternating: the best initiator leads, every order and start set, n <= 5") {
    for (std::size_t n = 1; n <= 5; ++n) {
        each_permutation(n, [&](const std::vector<int>& ids) {
            each_subset(n, [&](const std::vector<std::size_t>& starters) {
                rounds sim{ring{n}, nodes_with(ids)};
                for (const std::size_t v : starters) sim.start(v);
                const report r = sim.run();
                REQUIRE(r.stopped == stop::quiescent);
                REQUIRE(r.within_proven());
                check_elected(sim, best_of(ids, starters));
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

TEST_CASE("peterson_alternating: late starts and any delays: the best of those in time, n <= 12") {
    std::size_t late = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const std::size_t n = 1 + random_source{seed}.below(12);
        const std::vector<int> ids = shuffled(n, seed);
        for (const delay_model& delay : every_delay()) {
            CAPTURE(seed);
            std::set<int> seen;
            candidates watch;
            watch.seen = &seen;
            events net{ring{n}, nodes_with(ids), {.seed = seed, .delay = delay}, watch};
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
        }
    }
    CHECK(late > 0);
}

TEST_CASE("peterson_alternating: on every schedule the best initiator leads, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        each_circle(n, [&](const std::vector<int>& ids) {
            each_subset(n, [&](const std::vector<std::size_t>& starters) {
                const int expected = best_of(ids, starters);
                const auto it_leads = [expected](const auto& g) {
                    for (std::size_t v = 0; v < g.nodes(); ++v)
                        if (g[v].leader() && g[v].leader() != expected) return false;
                    return true;
                };
                const auto v = explore(ring{n}, nodes_with(ids),
                                       {.initiators = starters,
                                        .properties = {always(at_most_one_leader),
                                                       always(it_leads), sometimes(someone_leads),
                                                       finally(all_agree)}});
                CHECK(v.verified());
                CHECK(v.messages.least == v.messages.most);
                CHECK(v.messages.most == in_rounds(ids, starters).messages + n);
            });
        });
    }
}

TEST_CASE("peterson_alternating: on every schedule, starts at any time, one leader, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        const std::vector<int> ids = ascending(n);
        const auto v = explore(ring{n}, nodes_with(ids),
                               {.initiators = any_subset,
                                .properties = {always(at_most_one_leader),
                                               sometimes(someone_leads), finally(all_agree)},
                                .starting = starting::any_time,
                                .orders = all_permutations});
        CHECK(v.verified());
        CHECK(v.messages.least == 2 * n);
        CHECK(v.messages.most == card_for(n, n).most + n);
    }
}

TEST_CASE("peterson_alternating: start twice is one start; who was reached no longer starts") {
    const std::vector<int> ids{1, 3, 2};
    rounds sim{ring{3}, nodes_with(ids)};
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = 1});   // 1 has reached node 1, and moves on to 2
    sim.start(1);
    const report r = sim.run();
    CHECK(r.size.initiators == 1);
    CHECK(r.by_kind("election") == 3);
    check_elected(sim, 1);
    sim.start(2);
    CHECK(sim.run().messages == r.messages);
}

// Cost

TEST_CASE("peterson_alternating: n a phase, phases as Fibonacci says, over every order, n <= 8") {
    const std::uint64_t expected[] = {0, 1, 4, 9, 12, 20, 24, 28, 40};
    for (std::size_t n = 1; n <= 8; ++n) {
        CAPTURE(n);
        std::uint64_t least = never;
        std::uint64_t most = 0;
        each_circle(n, [&](const std::vector<int>& ids) {
            const std::uint64_t messages = in_rounds(ids, everybody(n)).messages;
            REQUIRE(messages % n == 0);
            least = std::min(least, messages);
            most = std::max(most, messages);
        });
        CHECK(most == expected[n]);
        CHECK(most == card_for(n, n).most);
        CHECK(least == card_for(n, n).least);
        CHECK(least == (n == 1 ? 1 : 2 * n));
    }
}

TEST_CASE("peterson_alternating: six phases take 13 nodes, and some order of 13 takes six") {
    CHECK(card_for(12, 12).most == 5 * 12);
    CHECK(card_for(13, 13).most == 6 * 13);
    CHECK(card_for(20, 20).most == 6 * 20);
    CHECK(card_for(21, 21).most == 7 * 21);
    const std::vector<int> ids{3, 13, 4, 11, 8, 10, 12, 2, 7, 5, 6, 9, 1};
    CHECK(in_rounds(ids, everybody(13)).messages == 6 * 13);
}

TEST_CASE("peterson_alternating: k initiators: least and most are the card's, n = 6") {
    const std::size_t n = 6;
    std::vector<std::uint64_t> least(n + 1, never);
    std::vector<std::uint64_t> most(n + 1);
    each_circle(n, [&](const std::vector<int>& ids) {
        each_subset(n, [&](const std::vector<std::size_t>& starters) {
            const std::uint64_t messages = in_rounds(ids, starters).messages;
            const std::size_t k = starters.size();
            least[k] = std::min(least[k], messages);
            most[k] = std::max(most[k], messages);
        });
    });
    for (std::size_t k = 1; k <= n; ++k) {
        CAPTURE(k);
        CHECK(least[k] == card_for(n, k).least);
        CHECK(most[k] == card_for(n, k).most);
        CHECK(card_for(n, k).mean.has_value() == (k == 1));
        CHECK(card_for(n, k).mean.value_or(n) == n);
    }
}

TEST_CASE("peterson_alternating: means of random rings as measured elsewhere, 4 standard errors") {
    const double mean[] = {72.2, 173.9, 400.6, 910.1};
    for (const std::size_t i : sizes{0, 1, 2, 3}) {
        const std::size_t n = std::size_t{16} << i;
        average messages;
        for (std::uint64_t seed = 1; seed <= 400; ++seed)
            messages.add(static_cast<double>(in_rounds(shuffled(n, seed), everybody(n)).messages));
        const double error = std::sqrt(messages.variance() / messages.count);
        CAPTURE(n);
        CHECK(std::abs(messages.mean() - mean[i]) < 4 * error);
        CHECK(error < 0.05 * mean[i]);
    }
}

// Outside the model

TEST_CASE("peterson_alternating: without fifo the best or nobody leads, n = 3 and 4") {
    const std::vector<int> ids{1, 2, 3};
    CHECK_THROWS_WITH(events(ring{3}, nodes_with(ids), {.fifo = false}),
                      "events: the algorithm needs fifo links; "
                      "leave fifo on, or say outside_model");
    const auto without_fifo = [](std::size_t n, property<peterson_alternating<int>> p) {
        const std::vector<int> more = ascending(n);
        return explore(ring{n}, nodes_with(more),
                       {.properties = {p}, .fifo = false, .orders = all_permutations,
                        .outside_model = true});
    };
    const verdict nobody = without_fifo(3, finally(someone_leads));
    CHECK_FALSE(nobody.holds);
    CHECK(nobody.counterexample.how == "is false when all is over, after");
    CHECK(nobody.counterexample.size() == 4);
    CHECK(without_fifo(3, always(the_best_leads)).verified());
    CHECK(without_fifo(4, always(the_best_leads)).verified());
}

TEST_CASE("peterson_alternating: a ring covered twice by the same ids: two leaders") {
    const std::vector<int> ids{1, 2, 1, 2};
    rounds sim{ring{4}, nodes_with(ids), {.outside_model = true}};
    sim.start_all();
    CHECK(sim.run().by_kind("election") == 8);
    CHECK(sim[1].is_leader());
    CHECK(sim[3].is_leader());

    const std::vector<int> alike(6, 9);
    rounds same{ring{6}, nodes_with(alike, silent{}), {.outside_model = true}};
    same.start_all();
    CHECK(same.run().messages == 6);
    for (std::size_t v = 0; v < 6; ++v) CHECK(same[v].is_leader());
}

TEST_CASE("peterson_alternating: a crashed relay breaks the ring: silence, and no leader") {
    const std::vector<int> ids{4, 1, 3, 2};
    events net{ring{4}, nodes_with(ids), {.delay = unit{}}};
    net.start_all();
    net.run_for(2);
    net.crash(2);
    const report r = net.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.lost > 0);
    for (std::size_t v = 0; v < 4; ++v) CHECK_FALSE(net[v].leader().has_value());
}

TEST_CASE("peterson_alternating: repeated messages change nothing, any schedule, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        const std::vector<int> ids = shuffled(n, 3);
        const verdict v = explore(ring{n}, nodes_with(ids),
                                  {.initiators = any_subset,
                                   .properties = {always(at_most_one_leader),
                                                  sometimes(someone_leads), finally(all_agree)},
                                   .faults = {.duplicates = 2}, .orders = all_permutations});
        CAPTURE(v.counterexample.text());
        CHECK(v.verified());
    }
}
