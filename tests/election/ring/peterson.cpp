// SPDX-License-Identifier: MIT
#include <caucus/election/ring/peterson.hpp>

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
using petersons = electing<peterson, Policies...>;

}  // namespace

// Shape

static_assert(process<peterson<int>>);
static_assert(deduces<peterson, silent, printed>(
    [](auto... with) { return peterson{with...}; }));
static_assert(sizeof(peterson<std::uint16_t>) <= 10);
static_assert(std::is_trivially_copyable_v<peterson<int>>);
static_assert(covers(peterson<int>::assumes.links, guarantee::fifo));

static_assert(elected_at_compile_time<petersons<>>({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time<petersons<printed, least>>({17, 4, 42, 8}) == 4);
static_assert(elected_at_compile_time<petersons<join>>({17, 4, 42, 8}, {1}) == 42);
static_assert(costs_nothing_unstarted<peterson<int>>());
static_assert(costs_nothing_unstarted<peterson<int, join>>());
static_assert(peterson<int>::elects == winner::best_caller);
static_assert(sizeof(peterson<int, join>) == sizeof(peterson<int>));

// Paper

TEST_CASE("peterson: ids move on: node 0 finds out that 3 leads, on a ring 1 3 2") {
    CHECK(candidacies_of(ring{3}, petersons<>{{1, 3, 2}}) ==
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
    CHECK(candidacies_of(ring{3}, petersons<printed>{{1, 3, 2}}) ==
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
        each_ring(n, [&](const std::vector<int>& ids) {
            std::vector<std::vector<std::size_t>> active;
            std::vector<std::size_t> passed(n);
            std::vector<std::string> last_in(n);
            phases watch;
            watch.active = &active;
            watch.passed = &passed;
            watch.last_in = &last_in;
            rounds sim{ring{n}, petersons<silent>{ids}, {}, watch};
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
    check_every_start<petersons<>>(5, best_of);
    check_every_start<petersons<printed>>(5, best_of);
}

TEST_CASE("peterson: late starts and any delays: the best of those that were in time, n <= 12") {
    CHECK(check_late_starts<petersons<>>() + check_late_starts<petersons<printed>>() > 0);
}

TEST_CASE("peterson: on every schedule the best initiator leads, at the same cost, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        check_every_schedule_costs_the_same<petersons<>>(n);
        check_every_schedule_costs_the_same<petersons<printed>>(n);
    }
}

TEST_CASE("peterson: joined, whoever calls: the best of all leads, any order and start, rounds "
          "n <= 5, fifo events n <= 12, every schedule n <= 4") {
    check_joined<petersons<join>>({2, 8, 12, 24});
    check_joined<petersons<join, printed>>({2, 7, 11, 20});
}

template <class... Policies>
std::uint64_t most_if_started_any_time(std::size_t n) {
    using process = peterson<int, Policies...>;
    const verdict v = check_explored<petersons<Policies...>>(
        n, {.initiators = any_subset, .properties = one_leads<process>(),
            .starting = starting::any_time, .orders = all_permutations});
    CHECK(v.messages.least == process::messages({.nodes = n, .initiators = 1}).least);
    CHECK(v.messages.most <= process::messages({.nodes = n, .initiators = n}).most);
    return v.messages.most;
}

TEST_CASE("peterson: on every schedule, starts at any time, one leader for all, n <= 4") {
    const std::uint64_t most[] = {0, 2, 8, 12, 24};
    for (std::size_t n = 1; n <= 4; ++n) {
        CHECK(most_if_started_any_time<>(n) == most[n]);
        most_if_started_any_time<printed>(n);
    }
}

TEST_CASE("peterson: silent tells one node, which is elected, as printed the best itself") {
    const auto who_knows = [](const auto& make) {
        rounds sim{ring{3}, make};
        sim.start_all();
        CHECK(sim.run().by_kind("elected") == 0);
        REQUIRE(sim.outcomes().size() == 1);
        CHECK(sim.outcomes()[0].outcome.leader == 3);
        const std::size_t v = sim.outcomes()[0].node;
        CHECK(sim[v].leader() == 3);
        for (std::size_t u = 0; u < 3; ++u) CHECK(sim[u].is_leader() == (u == v));
        return v;
    };
    CHECK(who_knows(petersons<silent>{{1, 3, 2}}) == 2);
    CHECK(who_knows(petersons<silent, printed>{{1, 3, 2}}) == 1);
}

TEST_CASE("peterson: start twice is one start, and a node that was reached no longer starts") {
    // After one round 1 has reached node 1, and moves on to 2.
    const report r = check_one_start<petersons<>>({1, 3, 2}, 1);
    CHECK(r.by_kind("first") == 3);
    CHECK(r.by_kind("second") == 0);
}

// Cost

TEST_CASE("peterson: least, mean, most and latest over every order, n <= 9") {
    const std::uint64_t most[] = {0, 1, 6, 9, 20, 25, 30, 35, 56, 63};
    const ticks latest[] = {0, 1, 4, 5, 10, 12, 14, 16, 22};
    const double mean[] = {0, 1, 6, 9, 14.67, 21.67, 28.40, 34.38, 40.05};
    for (std::size_t n = 1; n <= 9; ++n) {
        CAPTURE(n);
        const auto [e, time] = over_all_orders<petersons<silent>>(n);
        const cost card = peterson<int, silent>::messages({.nodes = n, .initiators = n});
        CHECK(e.least == card.least);
        CHECK(e.most == card.most);
        CHECK(e.least == (n == 1 ? 1 : 3 * n));
        CHECK(e.most == most[n]);
        if (n == 9) break;
        CHECK(time.most == latest[n]);
        CHECK(e.mean() == doctest::Approx(mean[n]).epsilon(0.0005));
    }
}

TEST_CASE("peterson: as printed 3n-1 at best, and less at worst, over every order, n <= 8") {
    const std::uint64_t most[] = {0, 1, 5, 8, 16, 21, 27, 32, 46};
    for (std::size_t n = 1; n <= 8; ++n) {
        CAPTURE(n);
        const extremes e = over_all_orders<petersons<silent, printed>>(n).messages;
        const cost card = peterson<int, silent, printed>::messages({.nodes = n, .initiators = n});
        CHECK(e.least == card.least);
        CHECK(e.least == (n == 1 ? 1 : 3 * n - 1));
        CHECK(e.most == most[n]);
        CHECK(e.most <= card.most);
    }
}

TEST_CASE("peterson: k initiators: 2n·⌊lg k⌋ + n at worst, reached; the card says the least, too") {
    const std::size_t n = 6;
    const std::vector<spread> plain = by_starters<petersons<>>(n);
    const std::vector<spread> paper = by_starters<petersons<printed>>(n);
    for (std::size_t k = 1; k <= n; ++k) {
        CAPTURE(k);
        const cost card = peterson<int>::messages({.nodes = n, .initiators = k});
        CHECK(plain[k].messages.least == card.least);
        CHECK(plain[k].messages.most == card.most);
        CHECK(card.mean.has_value() == (k == 1));
        CHECK(card.mean.value_or(2 * n) == 2 * n);
        const cost saves = peterson<int, printed>::messages({.nodes = n, .initiators = k});
        CHECK(paper[k].messages.least == saves.least);
        CHECK(saves.least == (k == 1 ? 2 * n : 3 * n + k - 1));
        CHECK(paper[k].messages.most <= saves.most);
    }
}

TEST_CASE("peterson: joined, any caller alone costs what all together do, every order, n <= 6") {
    for (std::size_t n = 1; n <= 6; ++n)
        each_permutation(n, [](const std::vector<int>& ids) {
            CHECK(in_rounds(petersons<join>{ids}, {0}).messages ==
                  in_rounds(petersons<>{ids}).messages);
        });
}

TEST_CASE("peterson: means of large random rings as measured elsewhere, within 4 standard errors") {
    check_means<petersons<silent>>({101, 238, 568, 1281}, 300, 0.5);   // rounded
}

// Outside the model

TEST_CASE("peterson: without fifo the best or nobody leads, n = 3; many runs of six fail") {
    check_without_fifo<petersons<>>(3, 5);

    std::size_t failed = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const std::vector<int> six = shuffled(6, seed);
        // Any message under way is as likely to be the next as any other.
        events net{ring{6}, petersons<>{six},
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
    check_refused<petersons<>>({1, 2, 1, 2}, "simulation: nodes 0 and 2 have the same id");
    rounds sim{ring{4}, petersons<silent>{{1, 2, 1, 2}}, {.outside_model = true}};
    sim.start_all();
    CHECK(sim.run().messages == 12);
    CHECK(sim.outcomes().size() == 2);
    CHECK(leaders_outside_model<petersons<>>({1, 2, 1, 2}, 16) == sizes{1, 3});
    CHECK(leaders_outside_model<petersons<silent>>({9, 9, 9, 9, 9, 9}, 6).size() == 6);
}

TEST_CASE("peterson: a crashed relay breaks the ring: silence, and no leader") {
    check_broken_ring<petersons<>>(3);
}

TEST_CASE("peterson: repeated messages change nothing, any schedule and start set, n <= 4") {
    check_repetitions<petersons<>>(4);
}
