// SPDX-License-Identifier: MIT
#include <caucus/election/ring/time_slice.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// On a ring of ids.size() nodes, unless told otherwise.
auto nodes_with(const std::vector<int>& ids, ticks delay_max = 1, std::size_t n = 0) {
    return [&ids, delay_max, n](node v) {
        return time_slice{ids[v], n == 0 ? ids.size() : n, {.delay_max = delay_max}};
    };
}

/// The code printed in the notes: whoever hears of a leader follows it and passes the news on.
struct demoting {
    struct elected { int leader; };
    using message = elected;
    struct own_slice {};
    using timer = own_slice;
    using outcome = nothing;

    int self = 0;
    std::size_t nodes = 0;
    bool leads = false;
    int follows = -1;

    void start(auto& env) {
        if (self == 0) on(own_slice{}, env);
        else env.arm(own_slice{}, static_cast<ticks>(self) * nodes);
    }
    void on(own_slice, auto& env) {
        if (follows >= 0) return;
        leads = true;
        env.send(next, elected{self});
    }
    void on(elected m, port, auto& env) {
        leads = false;   // even if the news is its own
        follows = m.leader;
        env.send(next, m);
    }
    int id() const { return self; }
    bool is_leader() const { return leads; }
    std::optional<int> leader() const {
        if (leads) return self;
        return follows >= 0 ? std::optional{follows} : std::nullopt;
    }
};

}  // namespace

// Shape

static_assert(process<time_slice<int>>);
static_assert(std::is_trivially_copyable_v<time_slice<std::uint16_t>>);
static_assert(sizeof(time_slice<std::uint16_t>) <= 24);
static_assert(std::is_same_v<decltype(time_slice{3u, 4, {.delay_max = 5}}), time_slice<unsigned>>);
static_assert(std::is_same_v<decltype(time_slice{3u, 4}), time_slice<unsigned>>);
static_assert(std::is_same_v<decltype(time_slice{3u, 4, {}}), time_slice<unsigned>>);
static_assert(time_slice<int>::assumes.time == timing::synchronous);
static_assert(time_slice<int>::messages({.nodes = 5}).most == 0);   // nobody started

constexpr int elected_at_compile_time(std::array<int, 4> ids) {
    rounds sim{ring{4}, [&](node v) { return time_slice{ids[v], 4}; }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() && sim[0].leader() == sim[3].leader() ? *sim[1].leader() : 0;
}
static_assert(elected_at_compile_time({17, 4, 42, 8}) == 4);

// Paper

struct diary : observer {
    std::string* lines;
    void sent(ticks at, node v, port, const auto& m) {
        *lines += std::to_string(at + 1) + ": " + std::to_string(v) + " elected " +
                  std::to_string(m.leader) + "\n";
    }
    void handled(ticks at, node v, const expiry<time_slice<int>::timer>&) {
        *lines += std::to_string(at + 1) + ": " + std::to_string(v) + " speaks up\n";
    }
    void handled(ticks, node, const auto&) {}
};

TEST_CASE("time_slice: silence until round x·n + 1, then one lap, on a ring 3 2 5 4") {
    std::string lines;
    diary d;
    d.lines = &lines;
    const std::vector<int> ids{3, 2, 5, 4};
    rounds sim{ring{4}, nodes_with(ids), {}, d};
    sim.start_all();
    const report r = sim.run();
    CHECK(lines ==
          "9: 1 speaks up\n"        // rounds are counted from 1, as in the book: 9 = 2·4 + 1
          "9: 1 elected 2\n"
          "10: 2 elected 2\n"
          "11: 3 elected 2\n"
          "12: 0 elected 2\n");
    CHECK(r.rounds + 1 == 13);      // home again, and there it ends
    check_elected(sim, 2);
}

// Safety and liveness

TEST_CASE("time_slice: n messages, decided in round x·n + 1, known in n(x+1), every order and "
          "start set, least ids 0 to 3, rounds, n <= 5") {
    for (const int lowest : {0, 1, 3}) {
        for (std::size_t n = 1; n <= 5; ++n) {
            each_permutation(n, [&](std::vector<int> ids) {
                for (int& id : ids) id += lowest - 1;
                each_subset(n, [&](const std::vector<std::size_t>& starters) {
                    rounds sim{ring{n}, nodes_with(ids)};
                    for (const std::size_t v : starters) sim.start(v);
                    const report r = sim.run();
                    const int x = least_of(ids, starters);
                    REQUIRE(r.stopped == stop::quiescent);
                    CHECK(r.messages == n);
                    CHECK(r.within_proven());
                    CHECK(sim.outcomes().front().at + 1 == static_cast<ticks>(x) * n + 1);
                    CHECK(sim.outcomes().back().at + 1 == n * (static_cast<ticks>(x) + 1));
                    CHECK(r.rounds + 1 == n * (static_cast<ticks>(x) + 1) + 1);
                    check_elected(sim, x);
                });
            });
        }
    }
}

TEST_CASE("time_slice: the least id 2^(lg n): n² + 1 rounds until it leads, n = 16, 32") {
    for (const std::size_t n : {16u, 32u}) {
        std::vector<int> ids = shuffled(n, n);
        for (int& id : ids) id += static_cast<int>(n) - 1;
        rounds sim{ring{n}, nodes_with(ids)};
        sim.start_all();
        CHECK(sim.run().messages == n);
        CHECK(sim.outcomes().front().at + 1 == n * n + 1);
    }
}

TEST_CASE("time_slice: delays up to the bound, starts as far apart, fifo or not, n <= 12") {
    struct bounded {
        ticks most;
        delay_model delay;
    };
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const std::size_t n = 1 + random_source{seed}.below(12);
        std::vector<int> ids = shuffled(n, seed);
        for (int& id : ids) id = 3 * id - 3;
        for (const bounded& b : {bounded{1, unit{}}, bounded{10, uniform{1, 10}},
                                 bounded{2000, heavy_tailed{1, 2000}},
                                 bounded{50, every_delay().back()}}) {
            CAPTURE(seed);
            events net{ring{n}, nodes_with(ids, b.most),
                       {.seed = seed, .delay = b.delay, .fifo = seed % 2 == 0}};
            const std::size_t first = random_source{mix(seed, 1)}.below(n);
            net.start(first);
            net.run_for(random_source{mix(seed, 2)}.below(b.most + 1));
            net.start_all();   // the first again, which must change nothing
            const report r = net.run();
            CHECK(r.stopped == stop::quiescent);
            CHECK(r.messages == n);
            check_elected(net, 0);
        }
    }
}

TEST_CASE("time_slice: on every schedule the least starter leads, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        const std::vector<int> ids = ascending(n);
        const auto v = explore(ring{n}, nodes_with(ids),
                               {.properties = {always(at_most_one_leader),
                                               always(the_best_leads_t<least>{}),
                                               sometimes(someone_leads), finally(all_agree)},
                                .orders = all_permutations});
        CHECK(v.verified());
        CHECK(v.messages.least == n);
        CHECK(v.messages.most == n);
        const auto some = explore(ring{n}, nodes_with(ids),
                                  {.initiators = any_subset,
                                   .properties = {always(at_most_one_leader),
                                                  sometimes(someone_leads), finally(all_agree)},
                                   .orders = all_permutations});
        CHECK(some.verified());
        CHECK(some.messages.most == n);
    }
}

TEST_CASE("time_slice: start twice is one start, and a node that follows no longer starts") {
    const std::vector<int> ids{2, 1, 0};
    rounds sim{ring{3}, nodes_with(ids)};
    sim.start(1);
    sim.run({.max_rounds = 2});
    sim.start(1);                        // its slice begins in tick 3, as it did
    CHECK(sim.run({.max_rounds = 3}).messages == 1);
    sim.run({.max_rounds = 4});
    sim.start(2);                        // it has heard of 1: its own slice is over
    const report r = sim.run();
    CHECK(r.messages == 3);
    CHECK(r.size.initiators == 1);
    check_elected(sim, 1);
}

// Cost

TEST_CASE("time_slice: n messages for any n; a greater n than the real one costs time alone") {
    for (const std::size_t n : sizes{1, 2, 3, 10, 100, 1000}) {
        const std::vector<int> ids = shuffled(n, n);
        for (const std::size_t believed : {n, n + 1, 3 * n}) {
            rounds sim{ring{n}, nodes_with(ids, 1, believed), {.outside_model = true}};
            sim.start_all();
            const report r = sim.run();
            CHECK(r.messages == n);
            CHECK(r.rounds == believed + n);   // the least id is 1
            check_elected(sim, 1);
        }
    }
}

// Outside the model

TEST_CASE("time_slice: what cannot be counted or waited for is refused") {
    CHECK_THROWS_WITH(time_slice(-1, 4), "time_slice: the ids are 0, 1, 2, ...; one is negative");
    CHECK_THROWS_WITH(time_slice(1, 0), "time_slice: no lap of 0 nodes, 1 ticks each");
    CHECK_THROWS_WITH(time_slice(1, 4, {.delay_max = 0}),
                      "time_slice: no lap of 4 nodes, 0 ticks each");
    CHECK_THROWS(time_slice(0, 4, {.delay_max = never / 2}));
    CHECK_NOTHROW(time_slice(0, 4, {.delay_max = never / 8}));
    const std::uint64_t last = never / 8 - 1;
    CHECK_NOTHROW(time_slice(last, 4));
    CHECK_THROWS_WITH(time_slice(last + 1, 4),
                      "time_slice: the slice of id 2305843009213693951, each of 4 ticks, "
                      "would never come");
    CHECK_THROWS(time_slice(std::numeric_limits<std::uint64_t>::max(), 4));
    CHECK_THROWS_WITH(rounds(ring{2}, [](node) { return time_slice{7, 2}; }),
                      "simulation: nodes 0 and 1 have the same id");
}

TEST_CASE("time_slice: equal least ids break the silence together: two leaders") {
    const std::vector<int> ids{1, 3, 1, 2};
    rounds sim{ring{4}, nodes_with(ids), {.outside_model = true}};
    sim.start_all();
    sim.run();
    CHECK(leaders_of(sim) == 2);
}

TEST_CASE("time_slice: believed to be shorter than it is, a ring has two leaders") {
    const std::vector<int> ids{0, 3, 2, 1};   // the news takes three rounds to the next in turn
    const auto believing = [&](std::size_t n) {
        rounds sim{ring{4}, nodes_with(ids, 1, n), {.outside_model = true}};
        sim.start_all();
        sim.run();
        return leaders_of(sim);
    };
    CHECK(believing(4) == 1);
    CHECK(believing(3) == 1);   // just in time: messages come before timers
    CHECK(believing(2) == 2);
}

TEST_CASE("time_slice: a delay beyond the bound makes a second leader") {
    const std::vector<int> ids{0, 1, 2};
    const auto after_delays_of = [&](ticks delay) {
        events net{ring{3}, nodes_with(ids, 2), {.delay = uniform{delay, delay}}};
        net.start_all();
        net.run();
        return leaders_of(net);
    };
    CHECK(after_delays_of(2) == 1);
    CHECK(after_delays_of(7) > 1);
}

TEST_CASE("time_slice: starts more than one delay apart make a second leader") {
    const std::vector<int> ids{1, 0};
    const auto apart = [&](ticks late) {
        rounds sim{ring{2}, nodes_with(ids)};
        sim.start(0);
        sim.run_for(late);
        sim.start(1);
        sim.run();
        return leaders_of(sim);
    };
    CHECK(apart(0) == 1);
    CHECK(apart(1) == 1);
    CHECK(apart(2) == 2);

    const auto v = explore(ring{2}, nodes_with(ids), {.properties = {always(at_most_one_leader)},
                                                      .starting = starting::any_time});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 3);   // 1 starts, its slice comes, and only then 0 starts
    const auto timeless = explore(ring{2}, nodes_with(ids),
                                  {.properties = {always(at_most_one_leader)},
                                   .timers = timers::any_time});
    CHECK_FALSE(timeless.holds);
    CHECK(timeless.counterexample.size() == 1);
}

TEST_CASE("time_slice: as printed in the notes the leader demotes itself, its news never ends") {
    for (std::size_t n = 1; n <= 3; ++n) {
        CAPTURE(n);
        const auto make = [n](node v) { return demoting{static_cast<int>(v.index), n}; };
        const auto v = explore(ring{n}, make, {.properties = {finally(someone_leads)}});
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.how == "can be avoided for ever");
        CHECK(v.counterexample.loop_from == n);
        CHECK(v.counterexample.size() == 2 * n);
        CHECK(v.messages.most == never);

        rounds sim{ring{n}, make};
        sim.start_all();
        const report r = sim.run({.max_messages = 100 * n});
        CHECK(r.stopped == stop::limit);
        CHECK(leaders_of(sim) == 0);
    }
}
