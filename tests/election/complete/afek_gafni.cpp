// SPDX-License-Identifier: MIT
#include <caucus/election/complete/afek_gafni.hpp>

#include <doctest/doctest.h>
#include <support/election_suite.hpp>
#include <support/tangled.hpp>
#include <support/trace.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using process_type = afek_gafni<int>;
using bid = process_type::bid;

using capturing = electing<afek_gafni>;
using joining = electing<afek_gafni, join>;

struct it_leads_now {
    int id;
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].is_leader() && g[v].id() == id) return true;
        return false;
    }
};

template <class P = process_type>
std::vector<property<P>> promises() {
    auto all = one_leads<P>();
    all.push_back(always(few_get_far{}));
    return all;
}

/// Somebody leads: who, depends on the delays.
report check_elects(auto& sim, const sizes& starters) {
    const report r = run_from(sim, starters);
    REQUIRE(sim[0].leader().has_value());
    check_elected(sim, *sim[0].leader());
    CHECK(few_get_far{}(sim));
    check_equal(r.by_kind("elected"), sim.nodes() - 1);
    check_quiet(r);
    check_cost(r);
    return r;
}

std::uint64_t least_of(std::size_t n, std::size_t k) {
    return process_type::messages({.nodes = n, .initiators = k}).least;
}
std::uint64_t most_of(std::size_t n, std::size_t k) {
    return process_type::messages({.nodes = n, .initiators = k}).most;
}

/// An environment that only takes notes, with three ports.
struct dictation {
    std::vector<std::string> out{};
    std::vector<int> told{};

    std::size_t degree() const { return 3; }
    template <class Kind>
    void send(port p, const Kind&) {
        const text name = kind_name<Kind>();
        out.push_back(std::string(name.data(), name.size()) + " by " + std::to_string(p.index()));
    }
    void broadcast(const auto& m) {
        for (const port p : ports(3)) send(p, m);
    }
    void report(const process_type::outcome& o) { told.push_back(o.leader); }
};

}  // namespace

// Shape

static_assert(process<process_type>);
static_assert(deduces<afek_gafni, silent, least>([](auto... w) { return afek_gafni{w...}; }));
static_assert(elected_at_compile_time<capturing>({9, 4, 3, 8}) == 9);
static_assert(costs_nothing_unstarted<process_type>());
static_assert(costs_nothing_unstarted<afek_gafni<int, join>>());
static_assert(sizeof(afek_gafni<int, join>) == sizeof(process_type));
static_assert(process_type::elects == winner::some_caller);
static_assert(afek_gafni<int, join>::elects == winner::some_node);
static_assert(process_type::assumes.links == guarantee::reliable);
static_assert(process_type::assumes.time == timing::asynchronous);
static_assert(sizeof(afek_gafni<std::uint16_t>) <= 40);
static_assert(process_type::messages({.nodes = 9, .initiators = 1}).mean == 3.0 * 8);

// Paper

TEST_CASE("afek_gafni: two claims cross: the lesser id gives in, the greater does not answer") {
    std::vector<journal::line> lines;
    journal j;
    j.lines = &lines;
    events net{complete{2}, capturing{{1, 2}}, {.delay = unit{}}, j};
    net.start_all();
    net.run();
    CHECK(in_order(lines) == "0: 0 claim by 0\n"
                             "0: 1 claim by 0\n"
                             "1: 0 ack by 0\n"
                             "2: 1 knows 2\n"
                             "2: 1 elected by 0\n"
                             "3: 0 knows 2\n");
}

TEST_CASE("afek_gafni: a captured node asks its owner, who is killed: four messages, no more") {
    std::vector<journal::line> lines;
    journal j;
    j.lines = &lines;
    // Node 2 is slow to claim; by then node 0 has captured node 1, and then claims node 2.
    const by_hand slow_start{[](const hop& h, random_source&) -> ticks {
        return h.from.index == 2 && h.sent == 0 ? 3 : 1;
    }};
    events net{complete{3}, capturing{{1, 2, 3}}, {.delay = slow_start}, j};
    net.start(0);
    net.start(2);
    const report r = net.run();
    CHECK(in_order(lines) == "0: 0 claim by 0\n"
                             "0: 2 claim by 0\n"
                             "1: 1 ack by 1\n"
                             "2: 0 claim by 1\n"        // level 1 beats level 0, whatever the ids:
                             "3: 2 ack by 0\n"          // and what node 2 has sent comes too late
                             "4: 0 knows 1\n"
                             "4: 0 elected by 0\n"
                             "4: 0 elected by 1\n"
                             "5: 1 knows 1\n"
                             "5: 2 knows 1\n");
    CHECK(r.messages == least_of(3, 2));

    lines.clear();
    const by_hand slow_ack{[](const hop& h, random_source&) -> ticks {
        return h.from.index == 1 && h.sent == 1 ? 9 : 1;
    }};
    events other{complete{3}, capturing{{1, 2, 3}}, {.delay = slow_ack, .fifo = false},
                 j};
    other.start(0);
    other.run_for(1);
    other.start(2);   // which claims node 0 first
    other.run();
    CHECK(in_order(lines) == "0: 0 claim by 0\n"
                             "1: 1 ack by 1\n"          // under way for long
                             "1: 2 claim by 0\n"
                             "2: 0 ack by 1\n"
                             "3: 2 claim by 1\n"
                             "4: 1 challenge by 1\n"
                             "5: 0 defeat by 0\n"
                             "6: 1 ack by 0\n"
                             "7: 2 knows 3\n"
                             "7: 2 elected by 0\n"
                             "7: 2 elected by 1\n"
                             "8: 0 knows 3\n"
                             "8: 1 knows 3\n");
}

// Safety and liveness

TEST_CASE("afek_gafni: every order of ids and start set, n <= 5, on rounds") {
    each_order_and_start(5, [](const std::vector<int>& ids, const sizes& starters) {
        rounds sim{complete{ids.size()}, capturing{ids}};
        check_elects(sim, starters);
        rounds joined{complete{ids.size()}, joining{ids}};
        check_elects(joined, starters);
    });
}

TEST_CASE("afek_gafni: any start set, late starts, delays of every temper, fifo or not, n <= 12") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 1 + dice.below(12);
        const std::vector<int> ids = shuffled(n, seed);
        const sizes starters = some_of(n, dice);
        for (const delay_model& delay : every_delay()) {
            events net{tangled::by_seed(n, seed), capturing{ids},
                       {.seed = seed, .delay = delay, .fifo = seed % 2 == 0}};
            net.start(starters[0]);
            net.run_for(dice.below(20));
            check_elects(net, starters);
            events joined{tangled::by_seed(n, seed), joining{ids},
                          {.seed = seed, .delay = delay, .fifo = seed % 2 == 0}};
            check_elects(joined, starters);
            const std::uint64_t messages = net.run().messages;
            net.start_all();
            CHECK(net.run().messages == messages);
        }
    }
}

TEST_CASE("afek_gafni: every schedule, any time of starts, any order of messages, n <= 4") {
    const std::vector<std::uint64_t> states{2, 24, 218, 2080};
    for (std::size_t n = 1; n <= 4; ++n) {
        const verdict v = check_explored<capturing>(
            n, {.initiators = any_subset, .properties = promises(), .fifo = false,
                .starting = starting::any_time});
        CHECK(v.states == states[n - 1]);
    }
}

TEST_CASE("afek_gafni: joined, one leads on every schedule, any start set and time, any order of "
          "messages, a message twice, n <= 4") {
    using P = afek_gafni<int, join>;
    for (std::size_t n = 1; n <= 4; ++n)
        check_explored<joining>(n, {.initiators = any_subset, .properties = promises<P>(),
                                    .faults = {.duplicates = std::uint8_t(n == 4 ? 0 : 1)},
                                    .fifo = false, .starting = starting::any_time});
}

TEST_CASE("afek_gafni: a lone caller leads; joined, any but the worst may, all orders, n = 3") {
    check_explored<capturing>(3, {.initiators = sizes{0}, .properties = {finally(it_leads_now{1})},
                                  .fifo = false});
    const auto the_worst_does_not = [](const auto& g) { return !it_leads_now{1}(g); };
    check_explored<joining>(3, {.initiators = sizes{0},
                                .properties = {sometimes(it_leads_now{2}),
                                               sometimes(it_leads_now{3}),
                                               always(the_worst_does_not),
                                               finally(someone_leads)},
                                .fifo = false, .orders = all_permutations});
}

TEST_CASE("afek_gafni: every schedule, whatever the order of ports and ids, n <= 3") {
    for (std::size_t n = 2; n <= 3; ++n)
        for (std::size_t i = 0; i < tangled::count(n); ++i) {
            check_verified(explore(tangled::nth(n, i), capturing{ascending(n)},
                                   {.initiators = any_subset, .properties = promises(),
                                    .fifo = false, .orders = all_permutations}));
        }
}

TEST_CASE("afek_gafni: repeated messages change nothing: two of them n <= 3, one n = 4") {
    for (std::size_t n = 2; n <= 4; ++n) {
        const std::uint8_t repetitions = n == 4 ? 1 : 2;
        check_explored<capturing>(n, {.initiators = any_subset, .properties = promises(),
                                      .faults = {.duplicates = repetitions}, .fifo = false,
                                      .starting = starting::any_time});
    }
}

TEST_CASE("nightly: afek_gafni: every schedule, K4 with two repetitions, K5 with any starts"
          * doctest::skip()) {
    const verdict four = check_explored<capturing>(
        4, {.initiators = any_subset, .properties = promises(), .faults = {.duplicates = 2},
            .fifo = false, .starting = starting::any_time});
    CHECK(four.states == 137'442);
    const verdict five = check_explored<capturing>(
        5, {.initiators = any_subset, .properties = promises(), .fifo = false,
            .starting = starting::any_time, .orders = all_permutations});
    CHECK(five.states == 3'312'095);
}

TEST_CASE("afek_gafni: silent, only the leader knows") {
    using quiet = afek_gafni<int, silent, least>;
    rounds sim{complete{5}, electing<afek_gafni, silent, least>{{2, 1, 3, 5, 4}}};
    sim.start_all();
    const report r = sim.run();
    CHECK(r.within_proven());
    CHECK(sim.outcomes().size() == 1);
    std::size_t known = 0;
    for (std::size_t v = 0; v < 5; ++v) known += sim[v].leader().has_value();
    CHECK(known == 1);
    CHECK(quiet::messages({.nodes = 5, .initiators = 2}).least + 4 == least_of(5, 2));
}

TEST_CASE("afek_gafni: late, repeated and foreign messages meet a guard") {
    using p = process_type;
    dictation env;
    p self{5};
    self.on(p::elected{9}, port{0}, env);             // nobody has captured this node
    self.on(p::defeat{{0, 5}}, port{0}, env);
    self.on(p::ack{0}, port{0}, env);                 // nothing was claimed
    CHECK(env.out.empty());
    self.start(env);
    self.start(env);
    CHECK(env.out == std::vector<std::string>{"claim by 0"});
    self.on(p::ack{0}, port{1}, env);                 // not whom it claimed
    CHECK(self.level() == 0);
    self.on(p::ack{0}, port{0}, env);
    self.on(p::ack{0}, port{0}, env);
    self.on(p::ack{0}, port{1}, env);
    CHECK(self.level() == 1);
    self.on(p::claim{{1, 4}}, port{2}, env);          // weaker by its id
    self.on(p::challenge{{0, 9}}, port{0}, env);      // weaker by its level
    CHECK(env.out.size() == 2);
    self.on(p::challenge{{1, 9}}, port{0}, env);
    CHECK(env.out.back() == "defeat by 0");
    self.on(p::ack{1}, port{1}, env);                 // killed
    CHECK(self.level() == 1);
    self.on(p::claim{{0, 9}}, port{2}, env);          // still its own, for anyone weaker
    CHECK(env.out.size() == 3);
    self.on(p::claim{{1, 9}}, port{2}, env);
    CHECK(env.out.back() == "ack by 2");
    self.on(p::claim{{1, 9}}, port{2}, env);          // repeated
    self.on(p::defeat{{1, 9}}, port{2}, env);         // nobody was challenged
    CHECK(env.out.size() == 4);
    self.on(p::claim{{2, 4}}, port{1}, env);
    self.on(p::claim{{2, 6}}, port{0}, env);
    CHECK(env.out.back() == "challenge by 2");
    self.on(p::defeat{{2, 4}}, port{2}, env);         // by one that was outbid
    self.on(p::defeat{{1, 6}}, port{2}, env);
    self.on(p::defeat{{2, 6}}, port{1}, env);         // not from its owner
    CHECK(env.out.size() == 6);
    self.on(p::defeat{{2, 6}}, port{2}, env);
    CHECK(env.out.back() == "ack by 0");
    self.on(p::defeat{{2, 6}}, port{0}, env);
    CHECK(env.out.size() == 7);
    self.on(p::elected{6}, port{0}, env);
    self.on(p::elected{6}, port{0}, env);
    CHECK(env.told == std::vector{6});
    self.on(p::claim{{2, 9}}, port{1}, env);          // it is over
    CHECK(self.leader() == 6);
    CHECK(env.out.size() == 7);
}

// Cost

TEST_CASE("afek_gafni: 2(n-1) and n-1 announcements if one starts; at most 4n·H(n) if all do") {
    for (std::size_t n = 2; n <= 40; ++n) {
        rounds one{complete{n}, capturing{ascending(n)}};
        CHECK(check_elects(one, {n / 2}).messages == 3 * (n - 1));
        for (const auto& ids : {ascending(n), descending(n), shuffled(n, n)}) {
            rounds sim{complete{n}, capturing{ids}};
            const report r = check_elects(sim, everybody(n));
            const double captures = static_cast<double>(r.messages - (n - 1));
            CHECK(captures <= 4 * static_cast<double>(n) * harmonic(n));
            CHECK(r.by_kind("ack") <= r.by_kind("claim"));
            CHECK(r.by_kind("defeat") <= r.by_kind("challenge"));
            CHECK(r.by_kind("challenge") <= r.by_kind("claim"));
        }
    }
}

TEST_CASE("afek_gafni: least and most over all schedules, orders of ids and of ports") {
    using costs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    const auto costs_of = [](std::size_t n, std::size_t tangles) {
        costs found;
        for (std::size_t k = 1; k <= n; ++k) {
            std::uint64_t low = never;
            std::uint64_t high = 0;
            for (std::size_t i = 0; i < tangles; ++i)
                each_subset(n, [&](const sizes& starters) {
                    if (starters.size() != k) return;
                    const verdict v = explore(tangled::nth(n, i),
                                              capturing{ascending(n)},
                                              {.initiators = starters, .fifo = false,
                                               .orders = all_permutations});
                    CHECK(v.complete);
                    low = std::min(low, v.messages.least);
                    high = std::max(high, v.messages.most);
                });
            CHECK(low == least_of(n, k));
            CHECK(high <= most_of(n, k));
            found.emplace_back(low, high);
        }
        return found;
    };
    CHECK(costs_of(2, tangled::count(2)) == costs{{3, 3}, {4, 4}});
    CHECK(costs_of(3, tangled::count(3)) == costs{{6, 6}, {7, 10}, {8, 11}});
    CHECK(costs_of(4, 1) == costs{{9, 9}, {10, 15}, {11, 17}, {12, 18}});
    CHECK(most_of(3, 2) == 10);   // reached
}

TEST_CASE("afek_gafni: the sheet's averages: all start, ports in any order, memoryless delays") {
    const auto mean_of = [](std::size_t n, std::size_t runs, auto network_of) {
        average messages;
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            events net{network_of(seed), electing<afek_gafni, silent>{shuffled(n, seed)},
                       {.seed = seed, .delay = exponential{1000}, .fifo = false}};
            net.start_all();
            messages.add(static_cast<double>(net.run().messages));
        }
        return messages;
    };
    const auto near = [](const average& a, double expected) {
        CAPTURE(a.mean());
        CHECK(std::abs(a.mean() - expected) < 4 * std::sqrt(a.variance() / a.count));
    };
    const auto any_order = [&](std::size_t n, std::size_t runs) {
        return mean_of(n, runs, [n](std::uint64_t seed) { return tangled::by_seed(n, seed); });
    };
    near(any_order(8, 500), 29.9);
    near(any_order(16, 500), 73.8);   // the sheet has 71.8, of an unknown number of runs
    near(any_order(32, 100), 170.5);
    near(any_order(64, 40), 366.5);
    near(any_order(128, 10), 784.6);
    // If all go round the same way, neighbours claim the same nodes and it is dearer.
    near(mean_of(32, 100, [](std::uint64_t) { return complete{32}; }), 231.0);
}
