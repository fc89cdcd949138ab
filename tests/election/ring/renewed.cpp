// SPDX-License-Identifier: MIT
#include <caucus/election/ring/renewed.hpp>

#include <caucus/election/ring/chang_roberts.hpp>

#include <doctest/doctest.h>
#include <support/election_suite.hpp>

#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// With some policies, or with none.
template <class... Policies>
using renewing = electing<renewed, Policies...>;

/// A ring that has been closed over a dead node: its links skip it.
struct bypassed_ring {
    static constexpr shape kind = shape::one_way_ring;
    static constexpr bool one_inlet = true;

    std::size_t living = 0;   // nodes 0 … living-1; one more is dead

    std::size_t nodes() const { return living + 1; }
    std::size_t links() const { return living; }
    std::size_t arcs() const { return living; }
    std::size_t degree(node v) const { return v < living ? 1 : 0; }
    far_end across(node v, port) const { return {node{(v + 1) % living}, prev}; }
    std::size_t arc(node v, port) const { return v; }
    bool connected() const { return false; }
    bool acyclic() const { return false; }
};
static_assert(topology<bypassed_ring>);

/// What `start` means to a node: a start, a message from the dead 9, a word of its detector.
enum class first_word : std::uint8_t { start, message_of_the_dead, announcement_of_the_dead,
                                       suspicion };

template <class Remedy>
struct survivor {
    using inner = renewed<int, Remedy>;
    using message = typename inner::message;
    using timer = nothing;
    using outcome = typename inner::outcome;

    inner self;
    first_word word = first_word::start;

    void start(auto& env) {
        if (word == first_word::start) self.start(env);
        else if (word == first_word::suspicion) self.on(suspect{next}, env);
        else if (word == first_word::announcement_of_the_dead)
            self.on(typename inner::elected{{}, 9}, prev, env);
        else self.on(typename inner::election{{}, 9}, prev, env);
    }
    void on(const typename inner::election& m, port from, auto& env) { self.on(m, from, env); }
    void on(const typename inner::elected& m, port from, auto& env) { self.on(m, from, env); }
    void on(suspect s, auto& env) { self.on(s, env); }

    int id() const { return self.id(); }
    bool is_leader() const { return self.is_leader(); }
    auto leader() const { return self.leader(); }
    static constexpr auto fields(auto& p) { return std::tie(p.self, p.word); }
};

/// The survivors 1, 2 … of a ring, told the given words.
template <class Remedy>
auto survivors(std::vector<first_word> words) {
    return [words](node v) {
        const first_word word = v < words.size() ? words[v] : first_word::start;
        const int id = static_cast<int>(v.index) + 1;
        return survivor<Remedy>{renewed<int, Remedy>{id, Remedy{}}, word};
    };
}

/// The living know the leader, and it is the best of them.
constexpr auto survivors_agree = [](const auto& g) {
    const int best = static_cast<int>(g.nodes()) - 1;
    for (std::size_t v = 0; v + 1 < g.nodes(); ++v)
        if (g[v].leader() != best) return false;
    return true;
};

void check_in_one_epoch(const auto& sim, int expected) {
    check_followed(sim, expected);
    for (std::size_t v = 0; v < sim.nodes(); ++v)
        check_equal(sim[v].now().number, sim[0].now().number);
}

}  // namespace

// Shape

static_assert(process<renewed<int>>);
static_assert(deduces<renewed, detector, least>([](auto... with) { return renewed{with...}; }));
static_assert(sizeof(renewed<std::uint16_t>) <= 16);
static_assert(std::is_trivially_copyable_v<renewed<int>>);
static_assert(std::is_same_v<renewed<int, detector>::timer, nothing>);
static_assert(std::is_same_v<decltype(renewed{1, overdue{9}}), renewed<int, overdue>>);
static_assert(elected_at_compile_time<renewing<>>({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time<renewing<>>({4, 3, 2, 1}) == 4);
static_assert(costs_nothing_unstarted<renewed<int>>());

TEST_CASE("renewed: asks for no more than the least environment, id and preference") {
    check_archetypes<renewed>({1});
}

// Paper

struct story_teller : observer {
    std::string* lines;
    template <class Kind>
    void sent(ticks at, node v, port, const Kind& kind) {
        int id = 0;
        if constexpr (requires { kind.candidate; }) id = kind.candidate;
        else id = kind.leader;
        *lines += std::to_string(at) + ": " + std::to_string(v) + " " +
                  std::string(kind_name<Kind>().data(), kind_name<Kind>().size()) + " " +
                  std::to_string(id) + " of " + std::to_string(kind.when.number) + "\n";
    }
};

TEST_CASE("renewed: 9 has died; 1 sees its id for the second time, and begins again: 2 leads") {
    std::string lines;
    story_teller s;
    s.lines = &lines;
    events net{bypassed_ring{2}, survivors<second_pass>({first_word::message_of_the_dead}),
               {.delay = unit{}, .outside_model = true}, s};
    net.start(0);
    net.run();
    CHECK(lines ==
          "0: 0 election 9 of 0\n"
          "1: 1 election 9 of 0\n"      // home, if 9 were alive
          "2: 0 election 1 of 1\n"
          "3: 1 election 2 of 1\n"
          "4: 0 election 2 of 1\n"
          "5: 1 elected 2 of 1\n"
          "6: 0 elected 2 of 1\n");
}

// Safety and liveness: nobody dies

TEST_CASE("renewed: message for message as chang_roberts while nobody dies, rounds, n <= 5") {
    each_order_and_start(5, [](const std::vector<int>& ids, const sizes& starters) {
        rounds ours{ring{ids.size()}, renewing<>{ids}};
        const report a = run_from(ours, starters);
        const report b = in_rounds(electing<chang_roberts>{ids}, starters);
        CHECK(a.messages == b.messages);
        CHECK(a.by_kind("election") == b.by_kind("election"));
        CHECK(a.rounds == b.rounds);
        CHECK(ours.outcomes().size() == ids.size());
        check_in_one_epoch(ours, static_cast<int>(ids.size()));
    });
}

TEST_CASE("renewed: the card is that of chang_roberts, n <= 8") {
    check_same_card<renewed<int>, chang_roberts<int>>(8);
}

TEST_CASE("renewed: any schedule, fifo or not, and again from a later epoch, n <= 10") {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 1 + dice.below(10);
        const std::vector<int> ids = shuffled(n, seed);
        for (const delay_model& delay : every_delay()) {
            for (const bool fifo : {true, false}) {
                events net{ring{n}, renewing<detector>{ids},
                           {.seed = seed, .delay = delay, .fifo = fifo}};
                for (std::size_t starts = 0; starts < 5; ++starts) {
                    net.start(dice.below(n));
                    net.run_for(dice.below(60));
                    if (dice.below(3) == 0) net.suspect(dice.below(n), next);   // wrongly
                }
                CHECK(net.run().stopped == stop::quiescent);
                check_in_one_epoch(net, static_cast<int>(n));
            }
        }
    }
}

TEST_CASE("renewed: every order, start set and schedule, starts at any time, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n)
        for (const bool fifo : {true, false})
            for (const starting when : {starting::at_once, starting::any_time}) {
                if (n == 4 && when == starting::any_time) continue;
                const verdict v = explore(
                    ring{n}, survivors<second_pass>({}),
                    {.initiators = any_subset,
                     .properties = the_best_one_leads<survivor<second_pass>>(),
                     .fifo = fifo,
                     .starting = when,
                     .orders = all_permutations});
                CAPTURE(n);
                check_verified(v);
                CHECK(v.messages.least == 2 * n);
            }
}

TEST_CASE("renewed: a start after the election is another one, in the next epoch") {
    rounds sim{ring{3}, renewing<>{{1, 3, 2}}};
    sim.start(1);
    sim.start(1);
    CHECK(sim.run().messages == 6);
    sim.start(1);
    CHECK(sim.run().messages == 12);
    CHECK(sim[0].now().number == 1);
    CHECK(sim.outcomes().size() == 6);
    check_in_one_epoch(sim, 3);
}

// The best candidate dies

void check_second_pass_of(first_word what) {
    for (const std::size_t living : sizes{1, 2, 3, 4}) {
        for (const bool fifo : {true, false}) {
            CAPTURE(living);
            // One has its message in hand, the others start or not.
            for (const sizes& who : {sizes{0}, everybody(living)}) {
                const auto v = explore(bypassed_ring{living},
                                       survivors<second_pass>({what}),
                                       {.initiators = who,
                                        .properties = {always(at_most_one_leader),
                                                       finally(survivors_agree),
                                                       sometimes(someone_leads)},
                                        .fifo = fifo});
                check_verified(v);
                // Alone it costs a lap, then an election that the first node begins.
                if (who.size() == 1) CHECK(v.messages.least == living + 3 * living - 1);
                if (who.size() == 1) CHECK(v.messages.most == v.messages.least);
            }
        }
    }
}

TEST_CASE("renewed: the second pass of a dead node's id gives it away, any schedule, n <= 5") {
    check_second_pass_of(first_word::message_of_the_dead);
}
TEST_CASE("renewed: so does the second pass of its announcement, any schedule, n <= 5") {
    check_second_pass_of(first_word::announcement_of_the_dead);
}

// The clock

TEST_CASE("renewed: overdue: lost messages cost an epoch each, any schedule, n <= 3") {
    for (std::size_t n = 1; n <= 3; ++n)
        check_verified(explore(ring{n}, [](node v) {
            return renewed{static_cast<int>(v.index) + 1, overdue{10}};
        }, {.initiators = any_subset,
            .properties = the_best_one_leads<renewed<int, overdue>>(),
            .faults = {.losses = 2},
            .fifo = false,
            .orders = all_permutations}));
}

TEST_CASE("renewed: overdue: who waits for a lap begins no needless epoch, less is not enough") {
    each_order_and_start(5, [](const std::vector<int>& ids, const sizes& starters) {
        const std::size_t n = ids.size();
        const auto waiting = [&](ticks wait) {
            return [&ids, wait](node v) { return renewed{ids[v], overdue{wait}}; };
        };
        rounds patient{ring{n}, waiting(n)};
        CHECK(run_from(patient, starters).messages ==
              in_rounds(electing<chang_roberts>{ids}, starters).messages);
        check_in_one_epoch(patient, static_cast<int>(n));
        CHECK(patient[0].now().number == 0);
        if (n < 2 || starters.size() != 1 || ids[starters[0]] != static_cast<int>(n)) return;
        rounds hasty{ring{n}, waiting(n - 1)};
        hasty.start(starters[0]);
        hasty.run({.max_rounds = 100});
        CHECK(hasty.outcomes().empty());
        CHECK(hasty[starters[0]].now().number >= 100 / n);
    });
}

TEST_CASE("renewed: overdue: no time at all to wait is refused") {
    CHECK_THROWS_WITH(rounds(ring{1}, [](node) { return renewed{1, overdue{0}}; }),
                      "simulation: node 0 cannot run there: renewed: announcements are overdue at "
                      "once: nobody would win");
}

// The detector

TEST_CASE("renewed: a detector that notices at any time ends a dead node's laps, n <= 4") {
    for (const std::size_t living : sizes{2, 3}) {
        for (const bool fifo : {true, false}) {
            CAPTURE(living);
            const auto v = explore(bypassed_ring{living},
                                   survivors<detector>({first_word::message_of_the_dead,
                                                        first_word::suspicion}),
                                   {.initiators = {0, 1},
                                    .properties = {always(at_most_one_leader),
                                                   finally(survivors_agree),
                                                   sometimes(someone_leads)},
                                    .fifo = fifo,
                                    .starting = starting::any_time});
            check_verified(v);
            CHECK(v.messages.most < never);     // its second pass gives the dead away in any case
        }
    }
}

TEST_CASE("renewed: detector: a wrong suspicion costs an election, and no more, n = 3") {
    const auto v = explore(ring{3}, survivors<detector>({}),
                           {.initiators = any_subset,
                            .properties = the_best_one_leads<survivor<detector>>(),
                            .faults = {.wrong_suspicions = 1},
                            .orders = all_permutations});
    check_verified(v);
}

// Outside the model

TEST_CASE("renewed: a detector that keeps erring: a new election each time, and never a leader") {
    const std::vector<int> ids{1, 2, 3, 4};
    events net{ring{4}, renewing<detector>{ids}, {.delay = unit{}}};
    net.start(3);
    for (std::uint32_t times = 1; times <= 100; ++times) {
        net.run_for(3);                       // one tick before the winner would know
        net.suspect(3, next);
        CHECK(net[3].now().number == times);
        for (std::size_t v = 0; v < 4; ++v) CHECK_FALSE(net[v].leader().has_value());
    }
    CHECK(net.outcomes().empty());
    CHECK(net.run().stopped == stop::quiescent);   // it stops erring
    check_in_one_epoch(net, 4);
}

TEST_CASE("renewed: second_pass is deaf to detectors, detector listens to both") {
    using by_pass = renewed<int>;
    by_pass one{5};
    support::notes<by_pass> env;
    one.on(suspect{next}, env);
    one.on(trust{next}, env);
    CHECK(env.out.empty());
    for (const std::uint32_t hops : {1u, 4u}) one.on(by_pass::election{{}, 9, hops}, prev, env);
    CHECK(env.out.size() == 2);
    CHECK(one.now().number == 1);

    using by_word = renewed<int, detector>;
    by_word other{5, {}};
    support::notes<by_word> notes;
    for (const std::uint32_t hops : {1u, 4u}) other.on(by_word::election{{}, 9, hops}, prev, notes);
    CHECK(notes.out.size() == 2);
    CHECK(other.now().number == 1);
    other.on(suspect{next}, notes);
    CHECK(notes.out.size() == 3);
    CHECK(other.now().number == 2);
    other.on(trust{next}, notes);     // who is there again has missed that
    CHECK(notes.out.size() == 4);
    CHECK(other.now().number == 3);
}

TEST_CASE("renewed: detector: a word before the start is a start: who started may be dead") {
    using by_word = renewed<int, detector>;
    by_word asleep{5, {}};
    support::notes<by_word> notes;
    asleep.on(suspect{next}, notes);
    REQUIRE(notes.out.size() == 1);
    const auto& sent = std::get<by_word::election>(notes.out[0].message);
    CHECK(sent.candidate == 5);
    CHECK(sent.when.number == 1);   // whatever the dead one has begun is of an older epoch
}

TEST_CASE("renewed: what an older epoch says is ignored, what a newer one says is believed") {
    using process = renewed<int>;
    using epoch = process::epoch;
    process p{5};
    support::notes<process> env;
    p.on(process::election{epoch{2}, 7}, prev, env);
    CHECK(p.now() == epoch{2});
    p.on(process::election{epoch{1}, 9}, prev, env);
    p.on(process::elected{epoch{1}, 9}, prev, env);
    CHECK(env.out.size() == 1);
    CHECK_FALSE(p.leader().has_value());
    p.on(process::elected{epoch{3}, 8}, prev, env);
    CHECK(p.leader() == 8);
    p.on(process::election{epoch{3}, 9}, prev, env);     // too late in its epoch
    CHECK(p.leader() == 8);
    CHECK(env.out.size() == 2);
    p.on(process::election{epoch{4}, 6}, prev, env);
    CHECK_FALSE(p.leader().has_value());
    CHECK(env.out.size() == 3);
    // An announcement twice is a copy; from farther away it has been past its owner, who is dead.
    process told{5};
    for (int twice = 0; twice < 2; ++twice) told.on(process::elected{epoch{3}, 8, 4}, prev, env);
    CHECK(told.now() == epoch{3});
    CHECK(env.out.size() == 4);
    told.on(process::elected{epoch{3}, 8, 9}, prev, env);
    CHECK(told.now() == epoch{4});
    CHECK_FALSE(told.leader().has_value());
    // Its own id, from a life that it does not remember: nobody else would stop it.
    process reborn{6};
    support::notes<process> notes;
    reborn.on(process::election{epoch{4}, 6}, prev, notes);
    CHECK(reborn.now() == epoch{5});
}

TEST_CASE("renewed: equal ids are refused, and give two leaders when let through") {
    const std::vector<int> ids{7, 1, 7, 2, 3};
    check_refused<renewing<>>(ids, "simulation: nodes 0 and 2 have the same id");
    rounds sim{ring{5}, renewing<>{ids}, {.outside_model = true}};
    sim.start_all();
    sim.run({.max_rounds = 20});
    CHECK(sim[0].is_leader());
    CHECK(sim[2].is_leader());
}

TEST_CASE("renewed: repeated messages change nothing, and begin no epoch, any schedule, n <= 4") {
    const auto the_first_epoch_lasts = [](const global_state<renewed<int>>& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].now().number != 0) return false;
        return true;
    };
    auto properties = one_leads<renewed<int>>();
    properties.push_back(always(the_first_epoch_lasts));
    for (std::size_t n = 1; n <= 4; ++n)
        check_verified(explore(ring{n}, renewing<>{shuffled(n, 3)},
                               {.initiators = any_subset,
                                .properties = properties,
                                .faults = {.duplicates = 1}, .fifo = false}));
}
