// SPDX-License-Identifier: MIT
// renewed on the ring that repaired_ring closes over the dead: who crashes, when, and who notices.
#include <caucus/election/ring/renewed.hpp>

#include <caucus/detector/heartbeat.hpp>
#include <caucus/layer/repaired_ring.hpp>

#include <doctest/doctest.h>
#include <support/election_suite.hpp>
#include <support/returning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// On a ring that closes over its dead, as the library ships it.
template <class Remedy>
auto mended(const std::vector<int>& ids, Remedy with) {
    return [ids, with](node v) { return repaired_ring{renewed{ids[v], with}}; };
}

bool living_follow(const auto& net, int leader) {
    for (std::size_t v = 0; v < net.nodes(); ++v)
        if (net.alive(v) && net[v].leader() != leader) return false;
    return true;
}
int best_alive(const auto& net) {
    int best = 0;
    for (std::size_t v = 0; v < net.nodes(); ++v)
        if (net.alive(v)) best = std::max(best, net[v].id());
    return best;
}
bool living_follow_their_best(const auto& net) { return living_follow(net, best_alive(net)); }

/// Some of 3 to 9 nodes start. In every other run the best crashes at some time, else anyone may
/// but the last node. Gives the network when all is quiet.
template <class Remedy>
auto after_crashes(std::uint64_t seed, Remedy with) {
    random_source dice{seed};
    const std::size_t n = 3 + dice.below(7);
    const std::vector<int> ids = shuffled(n, seed);
    const ticks longest = 20 * n;   // an election takes 3n-1 messages in a row, 10 ticks each
    fault_plan plan;
    for (std::size_t v = 0; v + 1 < n; ++v)
        if (seed % 2 == 0 && dice.below(3) == 0) plan.crash(v, 1 + dice.below(longest));
    if (seed % 2 != 0)
        for (std::size_t v = 0; v < n; ++v)
            if (ids[v] == static_cast<int>(n)) plan.crash(v, 1 + dice.below(longest));
    events net{complete{n}, mended(ids, with),
               {.seed = seed, .delay = uniform{1, 10}, .fifo = dice.below(2) == 0, .faults = plan,
                .detector = perfect{2}}};
    for (const std::size_t v : some_of(n, dice)) net.start(v);
    // Those who started may die unheard; then only a detector knows that there is anything to do.
    if (!std::is_same_v<Remedy, detector>) net.start(n - 1);
    CHECK(net.run().stopped == stop::quiescent);
    return net;
}

/// Node 8 of nine, the best, starts; its message is under way to node `at`, on its first lap or its
/// second, when it dies, and its predecessors with it, so many in all.
template <class Remedy>
auto after_a_gap(std::size_t dead, std::size_t lap, std::size_t at, Remedy with) {
    events net{complete{9}, mended({2, 7, 3, 8, 5, 1, 6, 4, 9}, with),
               {.delay = unit{}, .detector = perfect{2}}};
    net.start(8);
    net.run_for(9 * lap + at);
    for (std::size_t i = 0; i < dead; ++i) net.crash(8 - i);
    CHECK(net.run().stopped == stop::quiescent);
    return net;
}

}  // namespace

// Remedy 1: a second pass, a clock

TEST_CASE("renewed: the candidate, its predecessor and that one's predecessor dead: any notices") {
    for (std::size_t dead = 1; dead <= 3; ++dead)
        for (const std::size_t lap : sizes{0, 1})
            // It comes to the gap when that has been closed, two ticks later.
            for (std::size_t at = 0; at + dead + 2 < 8; ++at) {
                CAPTURE(dead);
                CAPTURE(lap);
                CAPTURE(at);
                CHECK(living_follow(after_a_gap(dead, lap, at, second_pass{}), 8));
                CHECK(living_follow(after_a_gap(dead, lap, at, overdue{30}), 8));
                CHECK(living_follow(after_a_gap(dead, lap, at, detector{}), 8));
            }
}

TEST_CASE("renewed: overdue: what is lost in the gap is missed, but not who had won before") {
    for (std::size_t dead = 1; dead <= 3; ++dead)
        for (std::size_t at = 0; at < 18; ++at) {
            CAPTURE(dead);
            CAPTURE(at);
            auto net = after_a_gap(dead, 0, at, overdue{30});
            // Once it has announced itself, all may have heard it before it is missed.
            if (at < 9) CHECK(living_follow(net, 8));
            else CHECK((living_follow(net, 8) || living_follow(net, 9)));
            net.start(0);
            CHECK(net.run().stopped == stop::quiescent);
            CHECK(living_follow(net, 8));
        }
    // Without the clock nobody would: the message was on its way into the gap.
    CHECK_FALSE(living_follow(after_a_gap(3, 0, 5, second_pass{}), 8));
    CHECK(living_follow(after_a_gap(3, 0, 5, overdue{30}), 8));
}

TEST_CASE("renewed: overdue: crashes until the winner is known, 1,000 runs: the survivors agree") {
    std::size_t on_their_best = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        CAPTURE(seed);
        auto net = after_crashes(seed, overdue{100});
        on_their_best += living_follow_their_best(net);
        std::optional<int> leader;
        for (std::size_t v = 0; v < net.nodes(); ++v)
            if (net.alive(v)) leader = net[v].leader();
        REQUIRE(leader.has_value());
        CHECK(living_follow(net, *leader));
        CHECK(*leader >= best_alive(net));   // or one that has won, and died
    }
    CHECK(on_their_best > 500);
}

// Remedy 2: a detector

TEST_CASE("renewed: detector: whoever crashes at any moment, the living elect their best, n = 3") {
    const auto v = explore(complete{3}, mended({1, 2, 3}, detector{}),
                           {.properties = {always(at_most_one_leader), always(the_best_leads),
                                           finally(all_agree), finally(someone_leads)},
                            .faults = {.crashes = 1},
                            .perfect_detector = true,
                            .orders = all_permutations});
    check_verified(v);
}

TEST_CASE("renewed: detector: 1,000 runs of 1,000: the survivors follow their best, n = 3 … 9") {
    std::size_t agreed = 0;
    std::size_t without_the_word = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        agreed += living_follow_their_best(after_crashes(seed, detector{}));
        without_the_word += living_follow_their_best(after_crashes(seed, second_pass{}));
    }
    MESSAGE(agreed, " of 1,000, and ", without_the_word, " without the detector's word");
    CHECK(agreed == 1000);
    CHECK(without_the_word < 700);
    CHECK(without_the_word > 100);
}

TEST_CASE("renewed: detector: who was wrongly passed over, or comes back, is in the ring again") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 3 + dice.below(7);
        const std::size_t victim = dice.below(n);
        const ticks dies = 1 + dice.below(100);
        const auto plan = fault_plan{}.crash(victim, dies).amnesia(victim, dies + dice.below(100));
        events net{complete{n}, mended(shuffled(n, seed), detector{}),
                   {.seed = seed, .faults = plan,
                    .detector = eventual{.delay = 2, .wrong = 10, .until = 300}}};
        net.start(dice.below(n));
        CHECK(net.run().stopped == stop::quiescent);
        CHECK(living_follow(net, static_cast<int>(n)));
    }
}

TEST_CASE("renewed: detector: inside repaired_ring, heartbeats are detector enough") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        CAPTURE(seed);
        const std::vector<int> ids = shuffled(5, seed);
        events net{complete{5}, [&](node v) {
            return heartbeat{repaired_ring{renewed{ids[v], detector{}}}, {.beat = 20}};
        }, {.seed = seed}};
        net.start_all();
        net.run_for(seed);
        net.crash(seed % 5);
        net.run_for(1000);
        CHECK(living_follow_their_best(net));
    }
}

// A better node comes back

/// Of live nodes that are in the same epoch.
const auto one_leads_an_epoch = [](const auto& g) {
    for (std::size_t v = 0; v < g.nodes(); ++v)
        for (std::size_t u = 0; u < v; ++u)
            if (g.alive(v) && g.alive(u) && g[v].is_leader() && g[u].is_leader() &&
                g[v].process().now() == g[u].process().now())
                return false;
    return true;
};

/// 5, 1 and 9 in any order, of which one may die and come back and start, up to the second epoch.
template <class Remedy>
auto with_one_return(Remedy with, std::vector<property<repaired_ring<returning<renewed<int,
                                              Remedy>>>>> properties) {
    const auto make = [=](node v) {
        return repaired_ring{returning{renewed{std::vector{5, 1, 9}[v], with}}};
    };
    return explore(complete{3}, make,
                   {.initiators = any_subset,
                    .properties = std::move(properties),
                    .faults = {.crashes = 1, .amnesias = 1},
                    .perfect_detector = true,
                    .orders = all_permutations,
                    .within = [](const auto& g) {
                        for (std::size_t v = 0; v < 3; ++v)
                            if (g[v].process().now().number > 1) return false;
                        return true;
                    }});
}

TEST_CASE("renewed: who dies, comes back, starts, any schedule: one leader an epoch, n = 3") {
    const auto all_follow = [](int leader) {
        return [=](const auto& g) {
            for (std::size_t v = 0; v < 3; ++v)
                if (!g.alive(v) || g[v].leader() != leader) return false;
            return true;
        };
    };
    const auto judged = [&](auto with) {
        return with_one_return(with, {always(one_leads_an_epoch), sometimes(all_follow(5)),
                                      sometimes(all_follow(9))});
    };
    check_verified(judged(second_pass{}));   // it has no third epoch
    for (const verdict& v : {judged(overdue{9}), judged(detector{})}) {
        CHECK(v.holds);
        CHECK(v.limit == "within");
        CHECK(v.states > 20'000);
    }
}

/// Some of 3 to 7 nodes elect while their best is dead; it comes back and starts, meanwhile or
/// later. How many lead when all is quiet?
template <class Remedy>
std::size_t leaders_after_a_return(std::uint64_t seed, Remedy with) {
    random_source dice{seed};
    const std::size_t n = 3 + dice.below(5);
    const std::vector<int> ids = shuffled(n, seed);
    const auto best = static_cast<std::size_t>(std::max_element(ids.begin(), ids.end()) -
                                               ids.begin());
    events net{complete{n}, [&](node v) { return repaired_ring{returning{renewed{ids[v], with}}}; },
               {.seed = seed, .delay = uniform{1, 10}, .detector = perfect{2}}};
    net.crash(best);
    net.run_for(10);
    for (const std::size_t v : some_of(n, dice)) net.start(v);
    net.run_for(dice.below(40 * n));
    net.restart(best);
    CHECK(net.run().stopped == stop::quiescent);
    std::size_t leaders = 0;
    for (std::size_t v = 0; v < n; ++v) leaders += net[v].is_leader();
    return leaders;
}

TEST_CASE("renewed: the best comes back while others elect: it never leads beside another") {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        CAPTURE(seed);
        CHECK(leaders_after_a_return(seed, second_pass{}) <= 1);
        CHECK(leaders_after_a_return(seed, overdue{100}) <= 1);
    }
}

// Outside the model

TEST_CASE("renewed: a detector that says nothing: an id that dies with a node is gone for good") {
    const auto v = explore(complete{3}, mended({1, 2, 3}, detector{}),
                           {.properties = {finally(someone_leads)}, .faults = {.crashes = 1}});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.how == "is false when all is over, after");
}

TEST_CASE("renewed: who is back and still passed over may lead in the epoch before the others") {
    // The id of its former life comes home to it, and tells the others that it has died.
    const auto v = with_one_return(second_pass{}, {finally(at_most_one_leader)});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.how == "is false when all is over, after");
    CHECK(v.counterexample.size() == 15);
}

TEST_CASE("renewed: two suspicions may make the same epoch: the second pass still tells, n = 4") {
    const auto v = explore(complete{4}, mended({1, 9, 5, 2}, detector{}),
                           {.initiators = {3},
                            .properties = {always(at_most_one_leader), finally(all_agree),
                                           finally(someone_leads)},
                            .faults = {.crashes = 2},
                            .perfect_detector = true});
    check_verified(v);
}
