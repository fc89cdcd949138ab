// SPDX-License-Identifier: MIT
#include <caucus/election/ring/two_way.hpp>

#include <caucus/election/ring/chang_roberts.hpp>

#include <doctest/doctest.h>
#include <support/two_way_elections.hpp>

#include <array>
#include <cmath>
#include <type_traits>

using namespace caucus;
using namespace support;

namespace {

/// With some policies, or with none.
template <class... Policies>
using racing = electing<two_way, Policies...>;

/// Which of two ids a node takes first if both reach it in the same round.
enum class tie { by_port, larger_first, smaller_first };

/// Waits a tick for all that comes in a round, then takes it in the order given.
struct patient {
    struct round_is_over {};
    struct letter {
        int id;
        port from;
    };
    using inner = two_way<int, silent>;
    using message = inner::message;
    using timer = round_is_over;
    using outcome = inner::outcome;

    inner election;
    tie order = tie::by_port;
    std::vector<letter> arrived = {};

    void start(auto& env) { election.start(env); }
    void on(inner::election m, port from, auto& env) {
        arrived.push_back({m.candidate, from});
        env.arm(round_is_over{}, 1);
    }
    void on(inner::elected, port, auto&) {}
    void on(round_is_over, auto& env) {
        const bool swaps = arrived.size() == 2 && order != tie::by_port &&
                           (order == tie::larger_first) == (arrived[0].id < arrived[1].id);
        if (swaps) std::swap(arrived[0], arrived[1]);
        for (const letter& l : arrived) election.on(inner::election{l.id}, l.from, env);
        arrived.clear();
    }
};
struct patiently {
    std::vector<int> ids;
    tie order;
    patient operator()(node v) const { return {patient::inner{ids[v], {}}, order}; }
};

/// The number of elections if node v's coin is the v-th bit.
std::uint64_t elections(const std::vector<int>& ids, tie order, std::size_t coins) {
    events net{two_way_ring{ids.size()}, patiently{ids, order},
               {.delay = unit{}, .detail = detail_level::off,
                .coins = [coins](node v, std::size_t) { return coins >> v & 1; }}};
    net.start_all();
    return net.run().messages;
}
/// All told over every order up to rotation, and every fall of the coins, n > 1. The least id's
/// coin does not matter, since nobody passes it on; unless ports do, a mirror image costs the same.
std::uint64_t sum_of_elections(std::size_t n, tie order) {
    std::uint64_t sum = 0;
    const std::size_t mirrored = order == tie::by_port ? 0 : 1;
    each_ring(n, [&](const std::vector<int>& ids) {
        const auto least_at = std::find(ids.begin(), ids.end(), 1) - ids.begin();
        const std::size_t fixed = std::size_t{1} << least_at | mirrored;
        for (std::size_t coins = 0; coins < std::size_t{1} << n; ++coins)
            if ((coins & fixed) == 0) sum += elections(ids, order, coins);
    });
    return sum << 1 << mirrored;
}
std::uint64_t elections_of(std::uint64_t seed, std::size_t n, tie order) {
    rounds sim{two_way_ring{n}, patiently{shuffled(n, seed), order},
               {.seed = seed, .detail = detail_level::off}};
    sim.start_all();
    return sim.run().messages;
}

/// One starter, and whoever is woken beats its waker and sends its id back that way.
struct zigzag {
    std::vector<int> ids;

    explicit zigzag(std::size_t n) : ids(n) {
        for (std::size_t i = 0; i < n; ++i)
            ids[i % 2 == 1 ? (i + 1) / 2 : (n - i / 2) % n] = static_cast<int>(i) + 1;
    }
    std::size_t operator()(node v, std::size_t) const { return ids[v] % 2 == 1 ? 0 : 1; }
};

}  // namespace

// Shape

static_assert(process<two_way<int>>);
static_assert(deduces<two_way, silent, join>([](auto... with) { return two_way{with...}; }));
static_assert(tosses_coins<two_way<int>>);
static_assert(two_way<int>::assumes.topology == shape::two_way_ring);
static_assert(sizeof(two_way<std::uint16_t>) <= 8);
static_assert(std::is_trivially_copyable_v<two_way<int>>);
static_assert(elected_at_compile_time<racing<>>({17, 42, 4, 8, 23}, {2}) == 42);
static_assert(costs_nothing_unstarted<two_way<int>>());
static_assert(two_way<int>::time({.nodes = 5, .initiators = 5}).least == 10);

// Paper

TEST_CASE("two_way: the rules on a ring 2 1 4 3: an id stops where a better one has passed") {
    const std::size_t coins[] = {1, 0, 1, 0};
    std::vector<story_teller::line> lines;
    story_teller teller;
    teller.lines = &lines;
    events net{two_way_ring{4}, racing<silent>{{2, 1, 4, 3}},
               {.delay = unit{}, .coins = [&](node v, std::size_t) { return coins[v]; }}, teller};
    net.start_all();
    net.run();
    CHECK(in_order(lines) ==
          "0: 0 election 2 <\n"   // reaches 3, which stops it
          "0: 1 election 1 >\n"   // stopped by 4
          "0: 2 election 4 <\n"
          "0: 3 election 3 >\n"
          "1: 0 election 3 >\n"   // meets 4 on the way to 1, and is stopped where 4 has been
          "1: 1 election 4 <\n"
          "2: 0 election 4 <\n"
          "3: 3 election 4 <\n"
          "4: 2 knows 4\n");
}

// Safety and liveness

TEST_CASE("two_way: the best leads (relay_only: of the starters), every order, rounds, n <= 5") {
    check_every_start<racing<>>(5, best_of_all);
    check_every_start<racing<join>>(5, best_of_all);
    check_every_start<racing<relay_only>>(5, best_of);
}

TEST_CASE("two_way: one leader on any schedule, fifo or not, any coins and start set, n <= 40") {
    each_random_run(100, 40, links::fifo_or_not, [](const random_run& run) {
        const int best = static_cast<int>(run.ids.size());
        check_in_events(racing<>{run.ids}, run.starters, best, run.how);
        check_in_events(racing<join>{run.ids}, run.starters, best, run.how);
        check_in_events(racing<relay_only>{run.ids}, run.starters, best_of(run.ids, run.starters),
                        run.how);
    });
}

TEST_CASE("two_way: any schedule, coins, order and start set, late starts, reordering, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        const cost card = two_way<int>::messages({.nodes = n, .initiators = 1});
        for (const bool fifo : {true, false})
            check_messages(check_explored<racing<>>(
                               n, {.initiators = any_subset,
                                   .properties = the_best_one_leads<two_way<int>>(),
                                   .fifo = fifo,
                                   .starting = starting::any_time,
                                   .orders = all_permutations}),
                           card.least, card.most);
    }
}

TEST_CASE("two_way: all start: 2n-1 at best, n(n+1)/2 at worst, any schedule and coins, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n)
        check_messages(check_explored<racing<>>(n, {.properties = {sometimes(someone_leads)},
                                                    .orders = all_permutations}),
                       2 * n - 1 + n, n * (n + 1) / 2 + n);
}

TEST_CASE("two_way: silent tells the leader alone") {
    check_silent<racing<silent>>({2, 5, 3}, 5);
}

TEST_CASE("two_way: start twice is one start, and a node that was reached no longer starts") {
    CHECK(check_one_start<racing<relay_only>>({3, 1, 4, 2}, 2, 2).by_kind("election") == 4);
}

TEST_CASE("two_way: any strict total order will do") {
    check_least_leads<racing<least>>();
}

// Cost

TEST_CASE("two_way: the exact mean over every order and coin depends on who is first, n <= 7") {
    CHECK(elections({1}, tie::larger_first, 0) == 1);
    struct fraction {
        std::uint64_t over;
        std::uint64_t under;
    };
    const fraction larger[] = {{3, 1}, {21, 4}, {47, 6}, {505, 48}, {1073, 80}, {3143, 192}};
    const fraction smaller[] = {{3, 1}, {11, 2}, {49, 6}, {133, 12}, {1127, 80}, {1657, 96}};
    std::uint64_t cases = 4;   // (n-1)! orders, 2^n coins
    for (std::size_t n = 2; n <= (sanitized ? 6 : 7); cases *= 2 * n++) {
        CAPTURE(n);
        const std::uint64_t larger_first = sum_of_elections(n, tie::larger_first);
        const std::uint64_t smaller_first = sum_of_elections(n, tie::smaller_first);
        CHECK(larger_first * larger[n - 2].under == larger[n - 2].over * cases);
        CHECK(smaller_first * smaller[n - 2].under == smaller[n - 2].over * cases);
        // `rounds` takes what comes by `next` first, whatever the ids: half-way between.
        if (n <= 6) CHECK(2 * sum_of_elections(n, tie::by_port) == larger_first + smaller_first);
    }
}

/// How many of all orders and coins cost n(n+1)/2.
std::size_t worst_cases(std::size_t n, tie order) {
    std::size_t found = 0;
    each_ring(n, [&](const std::vector<int>& ids) {
        for (std::size_t coins = 0; coins < std::size_t{1} << n; ++coins)
            found += elections(ids, order, coins) == n * (n + 1) / 2;
    });
    return found;
}

TEST_CASE("two_way: the worst case is rarer than with one way: at most 8 in 768 cases against 1 in "
          "24, every order and coin, n = 5") {
    const std::size_t n = 5;
    std::size_t one_way = 0;
    each_ring(n, [&](const std::vector<int>& ids) {
        one_way += in_rounds(electing<chang_roberts, silent>{ids}).messages == n * (n + 1) / 2;
    });
    CHECK(one_way == 1);
    CHECK(worst_cases(n, tie::larger_first) == 4);   // one direction each way; the least's coin
    CHECK(worst_cases(n, tie::by_port) == 6);
    CHECK(worst_cases(n, tie::smaller_first) == 8);
}

TEST_CASE("two_way: waiting for the round's end changes nothing but the time") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        rounds sim{two_way_ring{20}, racing<silent>{shuffled(20, seed)}, {.seed = seed}};
        sim.start_all();
        CHECK(sim.run().messages == elections_of(seed, 20, tie::by_port));
    }
}

TEST_CASE("two_way: .821, .795 and .780 of n·H(n) on average for n = 64, 256, 1024, larger first") {
    struct published {
        std::size_t n;
        std::uint64_t runs;
        double larger_first;
        double smaller_first;
        double ratio;
    };
    for (const published& p : {published{64, 300, 249.22, 259.85, .821},
                               published{256, 60, 1247, 1291, .795},
                               published{1024, 16, 5995, 6170, .780}}) {
        CAPTURE(p.n);
        average larger;
        average smaller;
        average difference;
        for (std::uint64_t seed = 1; seed <= p.runs; ++seed) {
            larger.add(static_cast<double>(elections_of(seed, p.n, tie::larger_first)));
            smaller.add(static_cast<double>(elections_of(seed, p.n, tie::smaller_first)));
            difference.add(static_cast<double>(elections_of(seed, p.n, tie::smaller_first)) -
                           static_cast<double>(elections_of(seed, p.n, tie::larger_first)));
        }
        const auto error = [](const average& a) { return std::sqrt(a.variance() / a.count); };
        CHECK(std::abs(larger.mean() - p.larger_first) < 4 * error(larger));
        CHECK(std::abs(smaller.mean() - p.smaller_first) < 4 * error(smaller));
        CHECK(std::abs(difference.mean() - (p.smaller_first - p.larger_first)) <
              4 * error(difference));
        const double scale = static_cast<double>(p.n) * harmonic(p.n);
        CHECK(std::abs(larger.mean() / scale - p.ratio) < 4 * error(larger) / scale + .0005);
    }
}

TEST_CASE("nightly: two_way: n = 4096, and mean/n grows by sqrt(1/2) of H(n), larger first" *
          doctest::skip()) {
    struct point {
        double per_node;
        double error;
        double harmonic_number;
    };
    const auto measure = [](std::size_t n, std::uint64_t runs, tie order) {
        average a;
        for (std::uint64_t seed = 1; seed <= runs; ++seed)
            a.add(static_cast<double>(elections_of(seed, n, order)) / static_cast<double>(n));
        return point{a.mean(), std::sqrt(a.variance() / a.count), harmonic(n)};
    };
    const point small = measure(64, 20000, tie::larger_first);
    const point middle = measure(1024, 2000, tie::larger_first);
    const point large = measure(4096, 500, tie::larger_first);
    CHECK(std::abs(large.per_node - 28002.0 / 4096) < 4 * large.error);
    CHECK(std::abs(large.per_node / large.harmonic_number - .769) < 4 * large.error + .0005);
    const auto check_slope = [](const point& a, const point& b, double published, double plus) {
        const double run = b.harmonic_number - a.harmonic_number;
        const double slope = (b.per_node - a.per_node) / run;
        const double error = std::sqrt(a.error * a.error + b.error * b.error) / run;
        MESSAGE("slope ", slope, " +- ", 2 * error, " (95%), published ", published);
        CHECK(std::abs(slope - published) < 4 * error + plus);
        CHECK(std::abs(slope - std::sqrt(.5)) < 4 * error + .003);   // an O(n) that still fades
        return slope;
    };
    const double slope = check_slope(small, middle, .7090, .0010);
    CHECK(slope < 3.0 / 4);
    CHECK(slope > 2.0 / 3);
    check_slope(middle, large, .7085, .0046);
    const point other = measure(4096, 300, tie::smaller_first);
    CHECK(std::abs(other.per_node - 28731.0 / 4096) < 4 * other.error);
}

TEST_CASE("two_way: 252.8 on average for n = 64 if delays are exponential") {
    average sample;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        events net{two_way_ring{64}, racing<silent>{shuffled(64, seed)},
                   {.seed = seed, .delay = exponential{1000}}};
        net.start_all();
        sample.add(static_cast<double>(net.run().messages));
    }
    CHECK(std::abs(sample.mean() - 252.8) < 4 * std::sqrt(sample.variance() / 300));
}

TEST_CASE("two_way: k starters, others relay: n+k-1 to kn-k(k-1)/2, all coins, n = 5") {
    const std::size_t n = 5;
    std::array<extremes, n + 1> seen;
    each_subset(n, [&](const std::vector<std::size_t>& starters) {
        each_ring(n, [&](const std::vector<int>& ids) {
            for (std::size_t coins = 0; coins < std::size_t{1} << n; ++coins) {
                events net{two_way_ring{n}, racing<relay_only, silent>{ids},
                           {.delay = unit{},
                            .coins = [coins](node v, std::size_t) { return coins >> v & 1; }}};
                for (const std::size_t v : starters) net.start(v);
                const report r = net.run();
                CHECK(r.rounds == n);
                seen[starters.size()].add(r.messages);
            }
        });
    });
    for (std::size_t k = 1; k <= n; ++k) {
        CAPTURE(k);
        const cost card = two_way<int, relay_only, silent>::messages({.nodes = n, .initiators = k});
        CHECK(seen[k].least == card.least);
        CHECK(seen[k].most == card.most);
        CHECK(card.least == n + k - 1);
        CHECK(card.most == k * n - k * (k - 1) / 2);
    }
}

TEST_CASE("two_way: decided in round n if all start; n(n+1)/2 hops and rounds if woken, reached") {
    for (const std::size_t n : sizes{1, 2, 3, 4, 5, 16, 33}) {
        CAPTURE(n);
        CHECK(in_rounds(racing<silent>{shuffled(n, n)}).rounds == n);
        CHECK(in_rounds(racing<>{shuffled(n, n)}).rounds == 2 * n);
        const zigzag path{n};
        events net{two_way_ring{n}, racing<silent>{path.ids}, {.delay = unit{}, .coins = path}};
        net.start(0);
        const report r = net.run();
        CHECK(r.rounds == n * (n + 1) / 2);
        CHECK(r.messages == r.proven->most);
        const cost card = two_way<int, silent>::time({.nodes = n, .initiators = 1});
        CHECK(card.least == n);
        CHECK(card.most == r.rounds);
        CHECK(two_way<int, silent>::time({.nodes = n, .initiators = n}).most == n);
        CHECK(two_way<int, relay_only, silent>::time({.nodes = n, .initiators = 1}).most == n);
    }
}

// Outside the model

TEST_CASE("two_way: repeated messages are stopped like any that was passed on, n = 3") {
    const verdict v = check_explored<racing<>>(
        3, {.initiators = any_subset, .properties = the_best_one_leads<two_way<int>>(),
            .faults = {.duplicates = 2}, .orders = all_permutations});
    CHECK(v.messages.most == 6 + 3);
}

TEST_CASE("two_way: equal ids are refused, and may give several leaders when let through") {
    check_refused<racing<>>({1, 2, 1, 2}, "simulation: nodes 0 and 2 have the same id");
    const auto leaders = [](std::vector<int> ids, std::size_t coins, std::uint64_t messages) {
        events net{two_way_ring{ids.size()}, racing<silent>{ids},
                   {.delay = unit{}, .outside_model = true,
                    .coins = [coins](node v, std::size_t) { return coins >> v & 1; }}};
        net.start_all();
        CHECK(net.run().messages == messages);
        return net.outcomes().size();
    };
    CHECK(leaders({1, 2, 1, 2}, 0b0000, 6) == 2);   // Angluin's covering: each half is a ring
    CHECK(leaders({1, 2, 1, 2}, 0b1000, 5) == 1);   // a coin tells them apart
    CHECK(leaders({9, 9, 9}, 0, 3) == 3);
}

TEST_CASE("two_way: a crashed node breaks the ring: silence, and no leader") {
    check_broken_ring<racing<>>();
}

TEST_CASE("two_way: what is passed on, and by which port") {
    using process = two_way<int>;
    process p{5};
    notes<process> env;
    env.coin = 1;
    p.start(env);
    CHECK(env.out[0].out == prev);
    for (const int id : {7, 6, 7, 4}) p.on(process::election{id}, prev, env);
    REQUIRE(env.out.size() == 2);            // 6 has been overtaken, 7 is known, 4 is no match
    CHECK(env.out[1].out == next);
    p.on(process::election{8}, next, env);
    CHECK(env.out[2].out == prev);

    process winner{5};
    notes<process> home;
    winner.start(home);
    for (int twice = 0; twice < 2; ++twice) winner.on(process::election{5}, prev, home);
    CHECK(home.out.size() == 2);
    CHECK(home.told == 1);

    two_way relay{5, relay_only{}};
    notes<decltype(relay)> other;
    using election = decltype(relay)::election;
    for (const int id : {3, 2, 4}) relay.on(election{id}, prev, other);
    CHECK(other.out.size() == 2);            // its own id is not in play; 3 was better than 2
    relay.start(other);
    CHECK(other.out.size() == 2);

    process sleeper{3};
    notes<process> late;
    sleeper.on(process::elected{8}, prev, late);
    sleeper.start(late);
    CHECK(late.out.size() == 1);
}
