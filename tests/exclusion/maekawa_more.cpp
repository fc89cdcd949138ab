// SPDX-License-Identifier: MIT
#include <caucus/exclusion/maekawa.hpp>

#include <caucus/exclusion/quorums.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <support/exclusion_suite.hpp>
#include <support/maekawas.hpp>
#include <support/wild.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

// Maekawa's exclusion: many runs, cost, crashes, and what comes from strangers.

using namespace caucus;
using namespace support;

namespace {

const listed_quorums star{{{0}, {0, 1}, {0, 2}, {0, 3}}};

/// Runs in which all always want to enter, and some wait for ever.
template <class Make>
std::size_t deadlocks(std::size_t n, const Make& make, std::uint64_t runs, bool fifo) {
    std::size_t stuck = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        events net{complete{n}, clients(make, sections{.entries = 20}),
                   {.seed = seed, .delay = uniform{1, 10}, .fifo = fifo, .outside_model = true}};
        net.start_all();
        CHECK(net.run().stopped == stop::quiescent);
        stuck += !all_served{}(net);
    }
    return stuck;
}

}  // namespace

TEST_CASE("maekawa: one inside, fences rise, all served, any delays, duplicates") {
    check_runs(complete{7}, voters(plane_quorums{2}), 4, 100, true, true);
    check_runs(complete{9}, voters(grid_quorums{9}), 3, 60, true, true);
    check_runs(complete{11}, voters(grid_quorums{11}), 3, 60, true, true);
    check_runs(complete{4}, voters(star), 4, 60, true, true);
}

TEST_CASE("maekawa: over reliable, whatever storms do to its messages") {
    CHECK(unserved_in_storms(complete{7}, voters(plane_quorums{2}), 250) == 0);
}

TEST_CASE("nightly: maekawa: over reliable, whatever storms do, 100,000 runs" * doctest::skip()) {
    CHECK(unserved_in_storms(complete{7}, voters(plane_quorums{2}), 100'000) == 0);
}

// Cost

TEST_CASE("maekawa: alone 3(K-1) messages an entry: 6, 12, 24 for K = 3, 5, 9") {
    const auto alone = [](const auto& quorum, std::uint64_t expected) {
        events net{complete{quorum.nodes()}, voters(quorum)};
        for (std::size_t v = 0; v < quorum.nodes(); ++v) CHECK(cost_alone(net, v) == expected);
        CHECK(by_votes::per_entry(quorum(node{0}).size() + 1).least == expected);
    };
    alone(plane_quorums{2}, 6);
    alone(grid_quorums{9}, 12);
    alone(grid_quorums{25}, 24);
    alone(plane_quorums{7}, 21);
    alone(grid_quorums{1}, 0);
}

TEST_CASE("maekawa: saturated about 4(K-1): 7.96, 15.95, 31.98 for K = 3, 5, 9") {
    const auto check = [](const auto& quorum, double expected) {
        double sum = 0, squares = 0;
        constexpr int runs = 30;
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            const saturated_cost c = saturated(complete{quorum.nodes()}, voters(quorum), 20, seed);
            CHECK(c.entries == 20 * quorum.nodes());
            sum += c.per_entry();
            squares += c.per_entry() * c.per_entry();
            CHECK(c.messages <= c.entries * by_votes::per_entry(quorum(node{0}).size() + 1).most);
        }
        const double mean = sum / runs;
        const double deviation = std::sqrt((squares / runs - mean * mean) * runs / (runs - 1));
        CHECK(std::abs(mean - expected) < 2 * deviation);   // of one run
        CHECK(std::abs(mean - expected) < 0.005 * expected);
    };
    check(plane_quorums{2}, 7.96);
    check(grid_quorums{9}, 15.95);
    check(grid_quorums{25}, 31.98);
}

TEST_CASE("maekawa: 6(K-1), the most that an entry can cost, is reached, again and again") {
    // All ask node 0. Node 2 has its vote, and cannot have that of 3, which asks late.
    const listed_quorums quorums{{{0}, {1, 0}, {2, 0, 3}, {3, 0}}};
    events net{complete{4}, voters(quorums),
               {.delay = unit{}, .faults = fault_plan{}.clog(3, 0, 0)}};
    CHECK(net.call(3, request::enter{}) == answer::accepted);
    for (int i = 0; i < 5; ++i) {   // so that its wish is later than those of 1
        CHECK(net.call(2, request::enter{}) == answer::accepted);
        CHECK(net.call(2, request::cancel{}) == answer::accepted);
    }
    CHECK(net.call(2, request::enter{}) == answer::accepted);
    net.run();
    CHECK((net[2].waits() && net[3].waits()));
    for (int i = 0; i < 4; ++i) {
        const std::uint64_t before = net.run().messages;
        CHECK(net.call(1, request::enter{}) == answer::accepted);
        net.run();
        REQUIRE(net[1].holds());
        CHECK(net.call(1, request::leave{}) == answer::accepted);
        CHECK(net.run().messages - before == by_votes::per_entry(2).most);
    }
}

TEST_CASE("maekawa: the next enters two delays after the last, if a third node votes for both") {
    // Node 0 asks 0, 1, 3; 2 asks 3 and others; 1 asks itself and others.
    for (const auto& [who, wait] : {std::pair{2u, ticks{20}}, std::pair{1u, ticks{10}}}) {
        events net{complete{7}, voters(plane_quorums{2}), {.delay = uniform{10, 10}}};
        CHECK(net.call(0, request::enter{}) == answer::accepted);
        net.run_for(20);
        CHECK(net[0].holds());
        CHECK(net.call(who, request::enter{}) == answer::accepted);
        net.run_for(100);
        CHECK(net.call(0, request::leave{}) == answer::accepted);
        net.run_for(wait - 1);
        CHECK_FALSE(net[who].holds());
        net.run_for(1);
        CHECK(net[who].holds());
    }
}

TEST_CASE("maekawa: a wish that is cancelled blocks nobody, wherever its votes are") {
    events net{complete{7}, voters(plane_quorums{2}), {.delay = uniform{10, 10}}};
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    CHECK(net.call(6, request::enter{}) == answer::accepted);
    net.run_for(15);
    CHECK(net.call(0, request::cancel{}) == answer::accepted);
    CHECK(net.call(0, request::cancel{}) == answer::not_waiting);
    net.run();
    CHECK_FALSE(net[0].waits());
    CHECK(net[6].holds());
}

TEST_CASE("nightly: maekawa: 10,000 processes on a grid all ask at once" * doctest::skip()) {
    constexpr std::size_t n = 10'000;
    events net{complete{n}, clients(voters(grid_quorums{n})), {}, watch<by_votes>()};
    net.start_all();
    const report r = net.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(net.watcher().holds());
    CHECK(net.watcher().get<0>().entries() == n);
    MESSAGE(r.messages);
    CHECK(r.messages >= n * by_votes::per_entry(199).least);
    CHECK(r.messages <= n * by_votes::per_entry(199).most);
}

// Outside the model

TEST_CASE("maekawa: votes that are never handed back: every saturated run ends in a deadlock") {
    CHECK(deadlocks(7, textbook_voters<maekawa_rules::grants>(plane_quorums{2}), 100, true) == 100);
}

TEST_CASE("maekawa: links in any order: some saturated runs end in a deadlock, none over fifo") {
    const plane_quorums seven{2};
    const grid_quorums many{25};
    CHECK(deadlocks(7, voters(seven), 100, true) == 0);
    CHECK(deadlocks(7, textbook_voters<maekawa_rules::corrected>(seven), 100, true) == 0);
    // Of the textbook's 23 % and 94 % here, 11 % and 53 % under the sheet's load. Ours ignores a
    // wish that overtakes the release of the last one, and so comes to nothing in every run.
    constexpr maekawa_rules corrected = maekawa_rules::corrected;
    const std::size_t few = deadlocks(7, textbook_voters<corrected>(seven), 100, false);
    const std::size_t most = deadlocks(25, textbook_voters<corrected>(many), 100, false);
    CHECK((few > 5 && few < 50));
    CHECK((most > 50 && most < 100));
    CHECK(deadlocks(7, voters(seven), 20, false) == 20);
}

TEST_CASE("maekawa: a crash at any time lets in nobody else, and those who are stopped say so") {
    const auto make = [](node v) {
        return client{candid{maekawa{static_cast<int>(v.index), std::array{port{0}}}},
                      {.entries = 1}};
    };
    using process = decltype(make(node{0}));
    const auto stalled = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].process().is_stalled()) return true;
        return false;
    };
    const auto served_or_stalled = [=](const auto& g) { return stalled(g) || all_served{}(g); };
    for (const std::size_t n : {2u, 3u}) {
        const explore_options<process> how{.properties = {always(at_most_one_inside),
                                                          sometimes(stalled),
                                                          finally(served_or_stalled)},
                                           .faults = {.crashes = 1},
                                           .detector = perfect{},
                                           .timers = timers::any_time};
        check_verified(explore(complete{n}, make, how));
    }
}

TEST_CASE("maekawa: whoever comes back with nothing stays out, and votes no more, n = 3") {
    events net{complete{7}, voters(plane_quorums{2})};
    CHECK(stays_out_and_silent(net, 0, 6));
    const auto make = [](node v) {   // all ask node 2
        return client{candid{maekawa{static_cast<int>(v.index),
                                     std::array{port{v.index == 0 ? 1u : 0u}}}},
                      {.entries = 1}};
    };
    const explore_options<decltype(make(node{}))> how{
        .properties = {always(at_most_one_inside), sometimes(someone_is_inside)},
        .faults = {.crashes = 1, .amnesias = 1},
        .timers = timers::any_time};
    check_verified(explore(complete{3}, make, how));
}

TEST_CASE("maekawa: who waits for a dead voter says so, and so does the voter of a dead holder") {
    events net{complete{7}, [](node v) {
        return candid{maekawa{static_cast<int>(v.index), plane_quorums{2}(v)}};
    }, {.detector = perfect{5}}};
    CHECK(net.call(0, request::enter{}) == answer::accepted);   // of 0, 1, 3
    net.run();
    CHECK(net[0].holds());
    net.crash(0);
    CHECK(net.call(2, request::enter{}) == answer::accepted);   // of 2, 3, 5
    CHECK(net.call(4, request::enter{}) == answer::accepted);   // of 4, 5, 0
    net.run();
    CHECK(net[3].is_stalled());         // 0 has its vote, and 2 waits for it
    CHECK(net[3].awaits(port{3}));
    CHECK_FALSE(net[1].is_stalled());   // so has it the vote of 1, which nobody wants
    CHECK(net[4].is_stalled());
    CHECK(net[4].awaits(port{2}));
}

TEST_CASE("maekawa: strangers' messages do no harm to the program") {
    disturb(60, wild_networks, [](std::size_t n, int id, const auto&) {
        std::vector<port> quorum;
        for (const port p : ports(n - 1))
            if (p.index() % 2 == 0) quorum.push_back(p);
        return client{maekawa{id, quorum}, {.entries = 2}};
    });
}

TEST_CASE("maekawa: late messages, and those from where nobody is, meet a guard") {
    maekawa p{5, std::vector{port{0}}};
    archetype::environment<by_votes> env;
    env.ports = 2;
    p.on(by_votes::wish{{3, 1}}, port{2}, env);
    p.on(voting::release{3, 7}, port{2}, env);
    p.on(voting::yield{1}, port{2}, env);
    p.on(voting::grant{1, 1, 0}, port{0}, env);     // it wants nothing
    p.on(voting::failed{1}, port{0}, env);
    p.on(voting::inquire{1}, port{0}, env);
    CHECK(env.outbox.empty());
    CHECK(caucus::same(p, maekawa{5, std::vector{port{0}}}));
    CHECK(p.request(env) == answer::accepted);
    CHECK(p.cancel(env) == answer::accepted);
    CHECK(p.request(env) == answer::accepted);
    CHECK(env.outbox.size() == 3);
    p.on(voting::grant{1, 1, 0}, port{0}, env);     // to the wish that it cancelled
    CHECK(p.waits());
    p.on(voting::failed{1}, port{0}, env);
    p.on(voting::grant{2, 2, 0}, port{1}, env);     // not of its quorum
    CHECK(p.waits());
    p.on(voting::grant{2, 2, 0}, port{0}, env);
    CHECK(p.holds());
    CHECK(p.fence().count == 1);
}

TEST_CASE("maekawa: whoever asks and has no room here is reported, and may not ask") {
    using small = maekawa<int, inplace_storage<1>>;
    archetype::environment<small> env;
    env.ports = 3;
    small p{1, std::array{port{0}}};
    p.on(small::wish{{1, 2}}, port{0}, env);
    p.on(small::wish{{1, 3}}, port{1}, env);
    CHECK(env.outbox.size() == 1);
    REQUIRE(env.heard.size() == 1);
    CHECK(std::get<overflow>(env.heard[0]).needed == 2);
    p.on(voting::release{1, 1}, port{0}, env);
    p.on(small::wish{{2, 2}}, port{0}, env);        // who is known may ask again
    CHECK(env.outbox.size() == 2);
}

TEST_CASE("maekawa: a quorum that cannot be is refused where it is to run") {
    const auto refused = [](std::vector<port> quorum, const char* words) {
        const auto make = [&](node v) { return maekawa{static_cast<int>(v.index), quorum}; };
        CHECK_THROWS_WITH(events(complete{3}, make), words);
    };
    refused({port{1}, port{1}},
            "simulation: node 0 cannot run there: its quorum names a port twice");
    refused({port{2}},
            "simulation: node 0 cannot run there: its quorum names a port that it does not have");
}
