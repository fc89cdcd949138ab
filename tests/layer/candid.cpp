// SPDX-License-Identifier: MIT
#include <caucus/layer/candid.hpp>

#include <archetypes.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/roll_call.hpp>
#include <caucus/election/ring/time_slice.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/star.hpp>
#include <support/central_lock.hpp>
#include <support/unstarted.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

const std::vector ids{3, 1, 5, 2, 4};
const auto extinguishing = [](node v) { return candid{extinction{ids[v]}}; };
const auto racing = [](node v) { return candid{chang_roberts{ids[v]}}; };

using over_graph = candid<extinction<int>>;
static_assert(std::is_same_v<over_graph::outcome, std::variant<elected<int>, stalled>>);
static_assert(over_graph::assumes.topology == shape::graph);
static_assert(!perpetual<over_graph> && !tosses_coins<over_graph>);
static_assert(std::is_same_v<candid<time_slice<unsigned>>::timer, time_slice<unsigned>::timer>);
static_assert(candid<time_slice<unsigned>>::timers(1) == 1 && over_graph::timers(4) == 0);

/// At compile time: the same as without.
static_assert([] {
    rounds sim{ring{3}, [](node v) { return candid{chang_roberts{int(v) + 1}}; }};
    sim.start_all();
    return sim.run().messages == 3 + 2 + 3 && sim[2].is_leader() && sim[0].leader() == 3;
}());

using lock = support::central_lock<>;
static_assert(std::is_same_v<candid<lock>::outcome, std::variant<entered<>, left, stalled>>);
static_assert(requires(candid<reliable<lock>> c) { c.awaits(port{0}); });
struct awaits_without_a_word { void awaits(port) const; };
static_assert(needs_an_election_with_leader__or_a_process_with_awaits<lock>);
static_assert(!needs_an_election_with_leader__or_a_process_with_awaits<awaits_without_a_word>);

/// For whom node v has said that it waits.
std::vector<std::size_t> complaints(const auto& net, std::size_t v) {
    std::vector<std::size_t> ports;
    for (const auto& each : net.outcomes())
        if (const auto* s = std::get_if<stalled>(&each.outcome); s != nullptr && each.node == v)
            ports.push_back(s->waiting_for->index());
    return ports;
}
/// All who live know the leader, or somebody has said what it waits for.
struct ends_or_says_why {
    bool operator()(const auto& g) const {
        bool all_know = true;
        bool said = false;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v)) continue;
            all_know = all_know && g[v].leader();
            said = said || g[v].is_stalled();
        }
        return all_know || said;
    }
};
/// To be met somewhere: else crashes do no harm, and nothing was shown.
struct somebody_waits {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].is_stalled()) return true;
        return false;
    }
};

}  // namespace

TEST_CASE("candid: while nobody is suspected, the same messages, time and outcomes as without") {
    rounds plain{path{5}, [](node v) { return extinction{ids[v]}; }};
    rounds audible{path{5}, extinguishing};
    plain.start_all();
    audible.start_all();
    const report a = plain.run();
    const report b = audible.run();
    CHECK(a.messages == b.messages);
    CHECK(a.rounds == b.rounds);
    CHECK(b.within_proven());
    CHECK(audible.outcomes().size() == 5);
    for (std::size_t v = 0; v < 5; ++v) CHECK(plain[v].leader() == audible[v].leader());
}

TEST_CASE("candid: the neighbours of the dead say whom they wait for, each once") {
    events net{path{5}, extinguishing, {.detector = perfect{5}}};
    net.crash(2);
    net.start_all();
    net.run();
    CHECK(complaints(net, 1) == std::vector<std::size_t>{next});
    CHECK(complaints(net, 3) == std::vector<std::size_t>{prev});
    CHECK(complaints(net, 0).empty());   // it knows nothing of node 2
    CHECK_FALSE(net[0].leader());
}

TEST_CASE("candid: who comes back and goes again is complained of again") {
    events net{path{3}, extinguishing};
    net.start(0);
    net.crash(1);
    net.suspect(0, port{0});
    net.suspect(0, port{0});
    CHECK(complaints(net, 0).size() == 1);
    net.trust(0, port{0});
    net.suspect(0, port{0});
    CHECK(complaints(net, 0).size() == 2);
}

TEST_CASE("candid: who does not take part, or knows the leader, waits for nobody") {
    events net{path{3}, extinguishing};
    net.suspect(0, port{0});
    CHECK(complaints(net, 0).empty());
    net.start(0);                         // now it does
    CHECK(complaints(net, 0).size() == 1);
    net.run();
    net.suspect(2, port{0});
    CHECK(net[2].leader());
    CHECK(complaints(net, 2).empty());
}

TEST_CASE("candid: is stalled who waits, and suspects somebody, and has said so; nobody else is") {
    events net{path{3}, extinguishing};
    CHECK_FALSE(net[0].is_stalled());   // neither waits nor suspects
    net.suspect(0, port{0});
    CHECK_FALSE(net[0].is_stalled());   // suspects, and waits for nothing
    net.trust(0, port{0});
    net.start(0);
    CHECK_FALSE(net[0].is_stalled());   // waits, and suspects nobody
    net.suspect(0, port{0});
    CHECK(net[0].is_stalled());
    CHECK(complaints(net, 0).size() == 1);
    net.trust(0, port{0});
    CHECK_FALSE(net[0].is_stalled());
    net.run();
    REQUIRE(net[0].leader());
    net.suspect(0, port{0});
    CHECK_FALSE(net[0].is_stalled());   // suspects, and knows what it waited for
}

TEST_CASE("candid: who was only woken by a message takes part, and complains as others do") {
    events net{path{3}, extinguishing};
    net.crash(2);
    net.start(0);
    net.run();
    REQUIRE_FALSE(net[1].leader());
    net.suspect(1, next);
    CHECK(complaints(net, 1) == std::vector<std::size_t>{next});
}

TEST_CASE("candid: so does who comes back after a crash, if the election hears of that") {
    candid back{bully{2, std::vector{1, 3}}};
    archetype::environment<decltype(back)> env;
    env.ports = 2;
    back.on(recovered<>{{1}, {}}, env);
    CHECK(env.outbox.size() == 1);   // it asks the better one
    back.on(suspect{port{1}}, env);
    CHECK(env.heard.size() == 1);
    CHECK(back.is_stalled());

    candid deaf{extinction{2}};      // it has to be started again
    archetype::environment<decltype(deaf)> notes;
    notes.ports = 2;
    deaf.on(recovered<>{{1}, {}}, notes);
    deaf.on(suspect{port{1}}, notes);
    CHECK(notes.heard.empty());
}

TEST_CASE("candid: a detector's word before the start: nothing happens") {
    support::check_words_before_start(candid{extinction{3}}, 3);
    support::check_words_before_start(candid{roll_call{3}}, 3);
    support::check_words_before_start(candid{chang_roberts{3}}, 1);
}

TEST_CASE("candid: on a one-way ring a dead successor stops all that comes, decided or not") {
    events net{ring{5}, racing};
    net.start_all();
    net.run();
    REQUIRE(net[1].leader());
    net.suspect(1, next);
    CHECK(complaints(net, 1).size() == 1);
}

TEST_CASE("candid: timers and the detector's word reach the election inside") {
    rounds slices{ring{3}, [](node v) {
        return candid{time_slice{static_cast<unsigned>(v) + 1, 3}};
    }};
    slices.start_all();
    slices.run();
    CHECK(slices[0].is_leader());   // when its slice had come

    events net{complete{4}, [](node v) { return candid{roll_call{ids[v]}}; },
               {.detector = perfect{1}}};
    net.crash(2);
    net.run_for(10);
    net.start(0);
    net.run();
    CHECK(net[1].leader() == 3);   // the dead 5 is skipped
}

TEST_CASE("candid: nobody blocks in silence, one crash at any time, all schedules, n <= 3") {
    const fault_budget one_crash{.crashes = 1};
    for (std::size_t n = 2; n <= 3; ++n) {
        CAPTURE(n);
        const verdict graph = explore(path{n}, extinguishing,
                                      {.properties = {finally(ends_or_says_why{}),
                                                      sometimes(somebody_waits{})},
                                       .faults = one_crash, .perfect_detector = true});
        CHECK_MESSAGE(graph.verified(), graph.counterexample.text());
        const verdict circle = explore(ring{n}, racing,
                                       {.properties = {finally(ends_or_says_why{}),
                                                       sometimes(somebody_waits{})},
                                        .faults = one_crash, .perfect_detector = true});
        CHECK_MESSAGE(circle.verified(), circle.counterexample.text());
    }
}

TEST_CASE("candid: nobody complains of one that is back when its former life is suspected late") {
    events net{path{3}, extinguishing};
    net.start(0);
    net.crash(1);
    net.suspect(0, port{0}, incarnation{0});
    CHECK(complaints(net, 0).size() == 1);
    net.restart(1);
    net.trust(0, port{0}, incarnation{1});
    net.suspect(0, port{0}, incarnation{0});
    CHECK(complaints(net, 0).size() == 1);
    CHECK_FALSE(net[0].is_stalled());
    net.suspect(0, port{0}, incarnation{1});
    CHECK(complaints(net, 0).size() == 2);
    net.trust(0, port{0}, incarnation{0});
    CHECK(net[0].is_stalled());
}

TEST_CASE("candid: a suspicion of an old life does not stick, and an old trust clears nothing") {
    candid waiting{extinction{2}};
    archetype::environment<decltype(waiting)> env;
    env.ports = 1;
    waiting.start(env);
    const auto stalls_after = [&](const auto& word) {
        waiting.on(word, env);
        return waiting.is_stalled();
    };
    CHECK(stalls_after(suspect{port{0}, incarnation{0}}));
    CHECK_FALSE(stalls_after(trust{port{0}, incarnation{1}}));
    CHECK_FALSE(stalls_after(suspect{port{0}, incarnation{0}}));   // late: of its first life
    CHECK(stalls_after(suspect{port{0}, incarnation{1}}));
    CHECK(stalls_after(trust{port{0}, incarnation{0}}));           // late, too
    CHECK_FALSE(stalls_after(trust{port{0}, incarnation{2}}));
    CHECK(stalls_after(suspect{port{0}}));                         // of which life is not known
    CHECK_FALSE(stalls_after(trust{port{0}}));
    CHECK(env.heard.size() == 3);
}

TEST_CASE("candid: who says whom it awaits complains of that one alone, each time that it waits") {
    candid waiting{lock{}};
    archetype::environment<decltype(waiting)> env;
    env.ports = 2;
    const auto stalls = [&] {
        std::size_t said = 0;
        for (const auto& each : env.heard)
            if (const auto* s = std::get_if<stalled>(&each)) said += s->waiting_for == port{0};
        return said;
    };
    waiting.on(suspect{port{1}}, env);
    CHECK(waiting.request(env) == answer::accepted);
    CHECK(env.heard.empty());               // it waits, but not for that one
    waiting.on(suspect{port{0}}, env);
    CHECK(stalls() == 1);
    CHECK(waiting.is_stalled());
    CHECK(waiting.cancel(env) == answer::accepted);
    CHECK_FALSE(waiting.is_stalled());
    CHECK(waiting.request(env) == answer::accepted);
    CHECK(stalls() == 2);                   // it has known since before it asked
    CHECK(waiting.request(env) == answer::already_waiting);
    waiting.on(suspect{port{0}}, env);
    CHECK(stalls() == 2);
    waiting.on(trust{port{0}}, env);
    CHECK_FALSE(waiting.is_stalled());
    waiting.on(suspect{port{0}}, env);
    CHECK(stalls() == 3);
    CHECK(env.heard.size() == 3);
}

TEST_CASE("candid: a client that asks whom it suspects hears of it, one crash, all schedules") {
    const auto make = [](node v) {
        const std::uint8_t entries = v.index != 0;
        return client{candid{lock{}}, {.entries = entries}};
    };
    const auto says_why = [](const auto& g) {
        for (std::size_t v = 1; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].process().awaits(port{0}) && !g[v].process().is_stalled())
                return g.alive(0);   // or it waits for who lets in somebody else
        return true;
    };
    const auto waits_in_vain = [](const auto& g) {
        return !g.alive(0) && g[1].process().is_stalled();
    };
    const verdict v = explore(star{3}, make,
                              {.properties = {finally(says_why), sometimes(waits_in_vain)},
                               .faults = {.crashes = 1}, .perfect_detector = true,
                               .timers = timers::any_time});
    CHECK_MESSAGE(v.verified(), v.counterexample.text());
}
