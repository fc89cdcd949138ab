// SPDX-License-Identifier: MIT
#include <caucus/election/ring/roll_call.hpp>

#include <doctest/doctest.h>
#include <support/election_suite.hpp>
#include <support/trace.hpp>
#include <support/unstarted.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using process_type = roll_call<int>;
using calling = electing<roll_call>;

bool contains(const sizes& set, std::size_t v) {
    return std::find(set.begin(), set.end(), v) != set.end();
}

/// The list that `from` gets back, by the ring order alone.
std::vector<int> signatures(const std::vector<int>& ids, std::size_t from, const sizes& dead) {
    std::vector<int> list;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (const std::size_t v = (from + i) % ids.size(); !contains(dead, v))
            list.push_back(ids[v]);
    return list;
}

/// Every live node follows the best live one and has a list of all the living, in ring order.
void check_members(const auto& sim, const std::vector<int>& ids, const sizes& dead = {}) {
    int best = 0;
    for (std::size_t v = 0; v < ids.size(); ++v)
        if (!contains(dead, v)) best = std::max(best, ids[v]);
    std::string objections;
    for (std::size_t v = 0; v < ids.size(); ++v) {
        if (contains(dead, v)) continue;
        const auto& list = sim[v].members();
        if (sim[v].leader() != best) object(objections, v, " follows another");
        if (sim[v].is_leader() != (ids[v] == best)) object(objections, v, " is wrong of itself");
        if (list.size() != ids.size() - dead.size()) {
            object(objections, v, " has not listed all");
            continue;
        }
        const auto first = std::find(ids.begin(), ids.end(), list[0]) - ids.begin();
        if (list != signatures(ids, static_cast<std::size_t>(first), dead))
            object(objections, v, " has listed others");
    }
    // One report at each node, and one more where an initiator had heard the news before.
    for (const auto& o : sim.outcomes())
        if (o.outcome.leader != best) object(objections, o.node, " reports another");
    check_no(objections);
}

/// `dead` have crashed, and all the others have been told.
template <class Sim>
void bury(Sim& net, const sizes& dead) {
    const std::size_t n = net.nodes();
    for (const std::size_t v : dead) net.crash(v);
    for (std::size_t v = 0; v < n; ++v)
        for (const std::size_t u : dead)
            if (u != v) net.suspect(v, way(v, u, n));
}

/// An environment that only takes notes.
template <class P>
struct hand {
    struct letter {
        port out;
        typename P::message message;
    };
    std::size_t ports = 0;
    std::vector<letter> sent;
    std::vector<typename P::outcome> told;
    std::size_t degree() const { return ports; }
    void send(port p, const typename P::message& m) { sent.push_back({p, m}); }
    void broadcast(const typename P::message&) {}
    void report(const typename P::outcome& o) { told.push_back(o); }
};

/// Nothing that is sent gets out.
template <class Env>
struct muted {
    Env& env;
    std::size_t degree() const { return env.degree(); }
    void send(port, const process_type::message&) {}
    void broadcast(const process_type::message&) {}
    void report(const process_type::outcome& o) { env.report(o); }
};

/// The lecture's ring, with one flaw or the other.
struct lectured : process_type {
    enum class flaw : std::uint8_t {
        waits_for_its_own,     // only the initiator closes its list
        keeps_the_news         // whoever hears of the coordinator does not pass it on
    };
    flaw has;
    std::uint32_t dead = 0;

    lectured(int self, flaw f) : process_type(self), has(f) {}

    void on(const election& m, port from, auto& env) {
        const bool signed_here = std::find(m.members.begin(), m.members.end(), id()) !=
                                 m.members.end();
        const bool mine = m.members[0] == id();
        if (has == flaw::waits_for_its_own && signed_here && !mine) return pass_on(m, env);
        process_type::on(m, from, env);
    }
    void on(const coordinator& m, port from, auto& env) {
        muted<std::remove_reference_t<decltype(env)>> quiet{env};
        if (has == flaw::keeps_the_news) process_type::on(m, from, quiet);
        else process_type::on(m, from, env);
    }
    void on(suspect s, auto& env) {
        dead |= 1u << s.whom;
        process_type::on(s, env);
    }
    void pass_on(const election& m, auto& env) {
        for (const port p : ports(env.degree()))
            if ((dead >> p & 1u) == 0) return env.send(p, m);
    }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(process_type::fields(self), std::tie(self.has, self.dead));
    }
};

/// No live node is left in the dark.
struct all_know {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && !g[v].leader()) return false;
        return true;
    }
};

}  // namespace

// Shape

static_assert(process<process_type>);
static_assert(deduces<roll_call, least, heap_storage>([](auto... w) { return roll_call{w...}; }));
static_assert(std::is_trivially_copyable_v<roll_call<int, inplace_storage<4>>>);
static_assert(std::is_same_v<decltype(roll_call{3L, least{}, inplace_storage<8>{}}),
                             roll_call<long, least, inplace_storage<8>>>);
static_assert(roll_call<int>::assumes.topology == shape::complete);

using in_place_calling = electing<roll_call, inplace_storage<4>>;
static_assert(elected_at_compile_time<in_place_calling>({17, 4, 42, 8}, {1}) == 42);
static_assert(elected_at_compile_time<in_place_calling>({4, 3, 2, 1}, {1}) == 4);
static_assert(costs_nothing_unstarted<process_type>());
static_assert(process_type::messages({.nodes = 4, .initiators = 1}).least == 8);
static_assert(process_type::messages({.nodes = 4, .initiators = 1}).most == 8);
static_assert(process_type::messages({.nodes = 1, .initiators = 1}).most == 0);
static_assert(process_type::time({.nodes = 1, .initiators = 1}).most == 0);

TEST_CASE("roll_call: asks for no more than the least environment, id and preference") {
    CHECK(check_archetypes<roll_call>({0}) == sizes{2, 2});
}

// Paper

/// What is on the list, and by which port it goes: "election 5 6 by 1".
struct list_words {
    std::string operator()(std::string kind, const auto& m, port p) const {
        for (const int id : m.members) kind += " " + std::to_string(id);
        return kind + " by " + std::to_string(p.index());
    }
};

TEST_CASE("roll_call: Tanenbaum's example: the coordinator is dead, its predecessor skips it") {
    std::vector<trace_line> lines;
    const std::vector<int> ids{5, 6, 7, 4};   // 7 has crashed, 5 notices
    events net{complete{4}, calling{ids}, {.delay = unit{}}, trace<list_words>{{}, &lines, {}}};
    bury(net, {2});
    net.start(0);
    net.run();
    CHECK(joined(lines) ==
          "0: 0 election 5 by 0\n"
          "1: 1 election 5 6 by 1\n"       // past 7
          "2: 3 election 5 6 4 by 0\n"
          "3: 0 knows 6\n"
          "3: 0 coordinator 5 6 4 by 0\n"
          "4: 1 knows 6\n"
          "4: 1 coordinator 5 6 4 by 1\n"
          "5: 3 knows 6\n"
          "5: 3 coordinator 5 6 4 by 0\n");
    check_members(net, ids, {2});
}

// Safety and liveness

TEST_CASE("roll_call: the best leads, every order and start set, 2n for each, rounds, n <= 5") {
    each_order_and_start(5, [](const std::vector<int>& ids, const sizes& starters) {
        const std::size_t n = ids.size();
        rounds sim{complete{n}, calling{ids}};
        const report r = run_from(sim, starters);
        const std::size_t laps = n == 1 ? 0 : starters.size() * n;
        check_quiet(r);
        check_cost(r);
        check_equal(r.by_kind("election"), laps);
        check_equal(r.by_kind("coordinator"), laps);
        check_equal(r.rounds, process_type::time(r.size).most);
        check_equal(sim.outcomes().size(), n);
        check_members(sim, ids);
    });
}

TEST_CASE("roll_call: any schedule, fifo or not, some dead, some starting late, n <= 10") {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 1 + dice.below(10);
        const std::vector<int> ids = shuffled(n, seed);
        sizes dead;
        for (std::size_t v = 1; v < n; ++v)
            if (dice.below(4) == 0) dead.push_back(v);
        for (const delay_model& delay : every_delay()) {
            for (const bool fifo : {true, false}) {
                events net{complete{n}, calling{ids},
                           {.seed = seed, .delay = delay, .fifo = fifo}};
                bury(net, dead);
                std::uint64_t calls = 0;
                for (std::size_t v = 0; v < n; ++v) {
                    if (v != 0 && (contains(dead, v) || dice.below(2) == 0)) continue;
                    net.start(v);
                    net.run_for(dice.below(20));
                    ++calls;
                }
                const report r = net.run();
                const std::uint64_t living = n - dead.size();
                check_quiet(r);
                check_equal(r.messages, living == 1 ? 0 : 2 * living * calls);
                check_equal(r.lost, 0);
                check_members(net, ids, dead);
            }
        }
    }
}

TEST_CASE("roll_call: every order, start set and schedule, fifo or not, starts any time, n <= 3") {
    for (std::size_t n = 1; n <= 3; ++n) {
        for (const bool fifo : {true, false}) {
            for (const starting when : {starting::at_once, starting::any_time}) {
                const auto v = check_explored<calling>(
                    n, {.initiators = any_subset, .properties = the_best_one_leads<process_type>(),
                        .fifo = fifo, .starting = when, .orders = all_permutations});
                // One initiator, or all.
                if (n == 1) check_messages(v, 0, 0);
                else check_messages(v, 2 * n, 2 * n * n);
            }
        }
    }
}

TEST_CASE("roll_call: any start set costs the same on every schedule, n = 4") {
    each_subset(4, [&](const sizes& starters) {
        const auto v = check_explored<calling>(
            4, {.initiators = starters, .properties = the_best_one_leads<process_type>()});
        check_messages(v, 8 * starters.size(), 8 * starters.size());
    });
}

TEST_CASE("nightly: roll_call: every order, start set and schedule, fifo or not, n = 4" *
          doctest::skip()) {
    for (const bool fifo : {true, false}) {
        const auto v = check_explored<calling>(
            4, {.initiators = any_subset, .properties = the_best_one_leads<process_type>(),
                .fifo = fifo, .orders = all_permutations});
        MESSAGE(v.states, " states, fifo: ", fifo);
        check_messages(v, 8, 32);
    }
}

TEST_CASE("roll_call: whoever crashes at any moment, the living learn a leader, n = 3") {
    check_explored<calling>(3, {.properties = {finally(all_know{}), sometimes(all_know{})},
                                .faults = {.crashes = 2},
                                .perfect_detector = true,
                                .orders = all_permutations});
}

TEST_CASE("roll_call: a live initiator, up to three crashes: the living learn a leader, n = 4") {
    const auto known_if_0_lives = [](const global_state<process_type>& g) {
        return !g.alive(0) || all_know{}(g);
    };
    check_explored<calling>(4, {.initiators = {0},
                                .properties = {finally(known_if_0_lives), sometimes(all_know{})},
                                .faults = {.crashes = 3},
                                .perfect_detector = true});
}

TEST_CASE("roll_call: one initiator, another crashes: all agree, perhaps on the dead, n = 3") {
    const auto agree_if_0_lives = [](const global_state<process_type>& g) {
        return !g.alive(0) || all_agree(g);
    };
    check_explored<calling>(3, {.initiators = {0},
                                .properties = {finally(agree_if_0_lives), sometimes(all_agree)},
                                .faults = {.crashes = 1},
                                .perfect_detector = true});
}

TEST_CASE("roll_call: start again when the leader is dead, and the best of the living leads") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        const std::size_t n = 5;
        const std::vector<int> ids = shuffled(n, seed);
        events net{complete{n}, calling{ids}, {.seed = seed}};
        net.start_all();
        net.run_for(seed);          // somewhere in the middle, or after it all
        bury(net, {seed % n, (seed + 1) % n});
        net.run();
        net.start((seed + 2) % n);
        CHECK(net.run().stopped == stop::quiescent);
        int best = 0;
        for (std::size_t v = seed + 2; v < seed + n; ++v) best = std::max(best, ids[v % n]);
        for (std::size_t v = seed + 2; v < seed + n; ++v) {
            CHECK(net[v % n].leader() == best);
            CHECK(net[v % n].members().size() == 3);
        }
    }
}

TEST_CASE("roll_call: a message that died with its receiver is sent to the next one") {
    const std::vector<int> ids{1, 2, 3, 4};
    events net{complete{4}, calling{ids}, {.delay = unit{}}};
    net.start(0);
    net.crash(1);                     // before it can read the list
    CHECK(net.run().lost == 1);
    for (std::size_t v = 0; v < 4; ++v) CHECK_FALSE(net[v].leader().has_value());
    net.start(0);                     // changes nothing: its list is still out
    CHECK(net.run().messages == 1);
    for (const std::size_t v : sizes{0, 2, 3}) net.suspect(v, way(v, 1, 4));
    CHECK(net.run().messages == 1 + 2 * 3);
    check_members(net, ids, {1});

    net.trust(0, port{0});            // wrongly: the next list goes to the dead again
    net.start(0);
    CHECK(net.run().lost == 2);
    net.suspect(0, port{0});
    CHECK(net.run().messages == 1 + 6 + 1 + 6);
    net.suspect(0, port{0});          // no news
    net.suspect(0, port{2});          // nothing went there
    CHECK(net.run().messages == 14);
}

TEST_CASE("roll_call: a dead initiator's list is closed by the next one on it, a lap's end too") {
    const std::vector<int> ids{9, 2, 3, 4};
    events net{complete{4}, calling{ids}, {.delay = unit{}}};
    net.start(0);
    net.run_for(1);
    bury(net, {0});
    const report r = net.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.by_kind("election") == 4);       // 9 to 2, 2 to 3, 3 to 4, and 4 to 2 past the dead
    CHECK(r.by_kind("coordinator") == 3);
    for (const std::size_t v : sizes{1, 2, 3}) {
        CHECK(net[v].leader() == 9);          // it had signed: the detector must speak up
        CHECK(net[v].members() == ids);
    }

    events late{complete{4}, calling{ids}, {.delay = unit{}}};
    late.start(0);
    late.run_for(5);                          // the coordinator message has reached 2
    bury(late, {0});
    const report twice = late.run();
    CHECK(twice.stopped == stop::quiescent);
    CHECK(twice.by_kind("coordinator") == 4 + 3);   // 2 stops it; and 4, whose list went to the
    CHECK(twice.by_kind("election") == 4 + 1);      // dead, cannot know that it was closed
}

TEST_CASE("roll_call: the last one alive leads without a word") {
    const std::vector<int> ids{2, 7, 5};
    events net{complete{3}, calling{ids}};
    bury(net, {1, 2});
    net.start(0);
    CHECK(net.run().messages == 0);
    check_members(net, ids, {1, 2});

    events waiting{complete{3}, calling{ids}};
    waiting.start(0);
    bury(waiting, {1, 2});          // it hears of the deaths while it waits for its list
    waiting.run();
    CHECK(waiting[0].is_leader());
    CHECK(waiting[0].members() == std::vector{2});
}

// Cost

TEST_CASE("roll_call: elections carry m(m+1)/2 ids, coordinators m²: counted, m = 1 … 8") {
    for (std::size_t n = 2; n <= 8; ++n) {
        const std::vector<int> ids = ascending(n);
        rounds sim{complete{n}, calling{ids}};
        sim.start(0);
        const report r = sim.run();
        const std::uint64_t carried = n * (n + 1) / 2 + n * n;
        const std::uint64_t frame = 8 + 32;      // the kind and the length of the list
        CHECK(r.bits == 32 * carried + 2 * n * frame + n * 32);   // and the places passed
        CHECK(r.rounds == 2 * n);
    }
}

TEST_CASE("roll_call: start twice is one start; afterwards it is another election") {
    const std::vector<int> ids{3, 1, 2};
    rounds sim{complete{3}, calling{ids}};
    sim.start(0);
    sim.start(0);
    CHECK(sim.run().messages == 6);
    CHECK(sim.outcomes().size() == 3);
    sim.start(0);
    CHECK(sim.run().messages == 12);
    CHECK(sim.outcomes().size() == 4);    // the one who asked; to the others it is no news
}

// Outside the model

TEST_CASE("roll_call: 'is it mine?' instead of 'am I on it?': a dead node's list never ends") {
    using flaw = lectured::flaw;
    const auto crash_of_the_initiator = [](auto make) {
        return explore(complete{3}, make, {.initiators = {0},
                                           .faults = {.crashes = 1},
                                           .perfect_detector = true});
    };
    CHECK(crash_of_the_initiator([](node v) {
              return lectured{static_cast<int>(v.index) + 1, flaw::waits_for_its_own};
          }).messages.most == never);
    const auto ours = crash_of_the_initiator(calling{ascending(3)});
    CHECK(ours.verified());
    CHECK(ours.messages.most != never);

    const auto v = explore(complete{3}, [](node u) {
        return lectured{static_cast<int>(u.index) + 1, flaw::waits_for_its_own};
    }, {.initiators = {0}, .properties = {finally(all_know{})}, .faults = {.crashes = 1},
        .perfect_detector = true});
    CHECK_FALSE(v.holds);
}

TEST_CASE("roll_call: without passing the coordinator message on one node alone learns of it") {
    const auto v = explore(complete{3}, [](node u) {
        return lectured{static_cast<int>(u.index) + 1, lectured::flaw::keeps_the_news};
    }, {.initiators = {2}, .properties = {sometimes(someone_leads), finally(all_agree)}});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.property == "all_agree");
    CHECK(v.counterexample.how == "is false when all is over, after");
}

TEST_CASE("roll_call: a crash while two lists are out can leave two opinions, n = 3") {
    const auto v = explored<calling>(3, {.properties = {finally(all_agree)},
                                         .faults = {.crashes = 1}, .perfect_detector = true});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.how == "is false when all is over, after");
}

TEST_CASE("roll_call: wrong suspicions on both sides split the ring: two leaders") {
    const std::vector<int> ids{1, 2, 3, 4};
    events net{complete{4}, calling{ids}};
    for (std::size_t v = 0; v < 4; ++v)
        for (std::size_t u = 0; u < 4; ++u)
            if (v / 2 != u / 2) net.suspect(v, way(v, u, 4));
    net.start_all();
    net.run();
    CHECK(net[1].is_leader());
    CHECK(net[3].is_leader());
    CHECK(net[0].members().size() == 2);
    for (std::size_t v = 0; v < 4; ++v)
        for (std::size_t u = 0; u < 4; ++u)
            if (v / 2 != u / 2) net.trust(v, way(v, u, 4));
    net.start(0);                    // healed
    net.run();
    for (std::size_t v = 0; v < 4; ++v) {
        CHECK(net[v].leader() == 4);
        CHECK(net[v].members() == ids);
    }
}

TEST_CASE("roll_call: equal ids are refused; let through, the second takes the list for closed") {
    const std::vector<int> ids{2, 7, 7, 9};
    check_refused<calling>(ids, "simulation: nodes 1 and 2 have the same id");
    rounds sim{complete{4}, calling{ids}, {.outside_model = true}};
    sim.start(0);
    sim.run();
    for (std::size_t v = 0; v < 4; ++v) {
        CHECK(sim[v].leader() == 7);                        // nobody asked 9
        CHECK(sim[v].members() == std::vector{2, 7});
    }
}

TEST_CASE("roll_call: storage that is too small is reported, and the node stays out") {
    const std::vector<int> ids{1, 2, 3, 4};
    const auto make = [&](node v) { return roll_call{ids[v], inplace_storage<3>{}}; };
    rounds sim{complete{4}, make};
    sim.start(2);
    CHECK(sim.run().messages == 0);
    REQUIRE(sim.outcomes().size() == 1);
    REQUIRE(std::get_if<overflow>(&sim.outcomes()[0].outcome) != nullptr);
    CHECK(std::get_if<overflow>(&sim.outcomes()[0].outcome)->needed == 4);

    // A list that is full already, from somebody who thinks that the ring is smaller.
    using process = roll_call<int, inplace_storage<3>>;
    process last{4, {}};
    hand<process> env;
    env.ports = 3;
    process::election full;
    for (const int id : {1, 2, 3}) full.members.push_back(id);
    last.on(full, port{2}, env);
    CHECK(env.sent.empty());
    REQUIRE(env.told.size() == 1);
    CHECK(std::get_if<overflow>(&env.told[0])->needed == 4);
    env.ports = 400;
    last.on(suspect{port{300}}, env);    // there is no room for it, and no use
    CHECK(env.sent.empty());
}

TEST_CASE("roll_call: a coordinator that lists nobody is ignored") {
    process_type node_2{2};
    hand<process_type> env;
    env.ports = 2;
    node_2.on(process_type::coordinator{{}, 0}, port{1}, env);
    CHECK(env.sent.empty());
    CHECK(env.told.empty());
    CHECK_FALSE(node_2.leader().has_value());

    using in_place = roll_call<int, inplace_storage<3>>;
    in_place other{2, {}};
    hand<in_place> notes;
    notes.ports = 2;
    other.on(in_place::coordinator{{}, 0}, port{1}, notes);
    CHECK(notes.sent.empty());
    CHECK(notes.told.empty());

    // Nor does it undo what is known.
    node_2.on(process_type::coordinator{{3, 2}, 0}, port{1}, env);
    node_2.on(process_type::coordinator{{}, 0}, port{1}, env);
    CHECK(node_2.leader() == 3);
    CHECK(node_2.members() == std::vector{3, 2});
}

TEST_CASE("roll_call: strange lists, without anybody, without the sender, with names twice") {
    process_type node_2{2};
    hand<process_type> env;
    env.ports = 2;
    node_2.on(process_type::election{{}}, port{1}, env);   // as good as a list that begins here
    REQUIRE(env.sent.size() == 1);
    CHECK(std::get<process_type::election>(env.sent[0].message).members == std::vector{2});
    node_2.on(process_type::election{{9, 9, 9, 9, 9}}, port{1}, env);
    REQUIRE(env.sent.size() == 2);
    CHECK(std::get<process_type::election>(env.sent[1].message).members.size() == 6);
    node_2.on(process_type::election{{2, 2}}, port{1}, env);
    CHECK(node_2.leader() == 2);
    REQUIRE(env.sent.size() == 3);
    CHECK(std::get<process_type::coordinator>(env.sent[2].message).members == std::vector{2, 2});
    // As far round as can be counted, and further: it goes no further.
    node_2.on(process_type::coordinator{{7}, ~0u}, port{1}, env);
    CHECK(env.sent.size() == 3);
    CHECK(node_2.leader() == 2);
}

TEST_CASE("roll_call: a detector's word before the start: nothing happens, but it is remembered") {
    check_words_before_start(process_type{2}, 3);
    process_type node_2{2};
    hand<process_type> env;
    env.ports = 2;
    node_2.on(suspect{port{0}}, env);
    node_2.start(env);
    REQUIRE(env.sent.size() == 1);
    CHECK(env.sent[0].out == port{1});
}

TEST_CASE("roll_call: a late suspicion of a former life does not leave the present one out") {
    process_type node_2{2};
    hand<process_type> env;
    env.ports = 2;
    node_2.on(trust{port{0}, incarnation{1}}, env);
    node_2.on(suspect{port{0}, incarnation{0}}, env);
    node_2.on(suspect{port{1}, incarnation{1}}, env);
    node_2.on(trust{port{1}, incarnation{0}}, env);   // and that one is dead
    node_2.start(env);
    REQUIRE(env.sent.size() == 1);
    CHECK(env.sent[0].out == port{0});
}
