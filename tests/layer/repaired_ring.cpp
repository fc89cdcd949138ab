// SPDX-License-Identifier: MIT
#include <caucus/layer/repaired_ring.hpp>

#include <archetypes.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/peterson_alternating.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>
#include <support/least.hpp>
#include <support/unstarted.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>
#include <vector>

using namespace caucus;

namespace {

const std::vector ids{3, 1, 5, 2, 4};
const auto one_way = [](node v) { return repaired_ring{chang_roberts{ids[v]}}; };
const auto two_way = [](node v) { return repaired_ring{franklin{ids[v]}}; };

using over_ring = repaired_ring<chang_roberts<int>>;
static_assert(over_ring::assumes.topology == shape::complete);
static_assert(over_ring::assumes.links == chang_roberts<int>::assumes.links);
static_assert(std::is_same_v<over_ring::outcome, elected<int>>);
static_assert(!tosses_coins<over_ring> && !perpetual<over_ring>);

/// Notes what it hears of its neighbours on the ring.
template <shape Ring>
struct ring_bystander : support::bystander {
    static constexpr model assumes = {Ring};
    static constexpr auto fields(auto& self) { return std::tie(self.words); }
};

/// What node 0 of a ring hears when its detector speaks of those ports, up to n-2.
template <shape Ring>
auto heard(std::size_t nodes, const std::vector<support::bystander::word>& words) {
    events net{complete{nodes}, [](node) { return repaired_ring{ring_bystander<Ring>{}}; }};
    for (const auto& [whom, suspected] : words) {
        if (suspected) net.suspect(0, whom, incarnation{});
        else net.trust(0, whom, incarnation{});
    }
    for (const auto& life : net[0].process().lives) CHECK_FALSE(life.has_value());
    return net[0].process().words;
}

/// A ring of three, at compile time.
static_assert([] {
    rounds sim{complete{3}, [](node v) { return repaired_ring{chang_roberts{int(v) + 1}}; }};
    sim.start_all();
    return sim.run().messages == 3 + 2 + 3 && sim[2].is_leader() && sim[0].leader() == 3;
}());

}  // namespace

TEST_CASE("repaired_ring: while nobody is suspected, a ring: the same messages at the same time") {
    for (std::size_t n = 1; n <= 5; ++n) {
        CAPTURE(n);
        rounds plain{ring{n}, [](node v) { return chang_roberts{ids[v]}; }};
        rounds repaired{complete{n}, one_way};
        plain.start_all();
        repaired.start_all();
        const report a = plain.run();
        const report b = repaired.run();
        if (n > 1) CHECK(a.messages == b.messages);
        else CHECK(b.messages == 0);   // the loop is inside
        if (n > 1) CHECK(a.rounds == b.rounds);
        for (std::size_t v = 0; v < n; ++v) CHECK(plain[v].leader() == repaired[v].leader());
        if (n > 1) CHECK(b.within_proven());
    }
}

TEST_CASE("repaired_ring: the suspected are passed over, by both kinds of ring, down to one node") {
    const auto check = [](auto make) {
        for (unsigned dead = 0; dead < 31; ++dead) {
            CAPTURE(dead);
            events net{complete{5}, make, {.detector = perfect{2}}};
            int best = 0;
            std::size_t living = 0;
            for (std::size_t v = 0; v < 5; ++v) {
                if ((dead >> v & 1) != 0) net.crash(v);
                else {
                    best = best < ids[v] ? ids[v] : best;
                    ++living;
                }
            }
            net.run_for(10);
            net.start_all();
            const report r = net.run();
            for (std::size_t v = 0; v < 5; ++v)
                if (net.alive(v)) CHECK(net[v].leader() == best);
            CHECK(r.lost == 0);
            if (living > 1) CHECK(r.messages >= living);
        }
    };
    check(one_way);
    check(two_way);
}

TEST_CASE("repaired_ring: who is trusted again is back in the ring") {
    events net{complete{5}, one_way, {.faults = fault_plan{}.crash(2, 1).restart(2, 20),
                                      .detector = perfect{2}}};
    net.run_for(50);
    net.start(0);
    static_cast<void>(net.run());
    CHECK(net[2].is_leader());
    CHECK(net[4].leader() == 5);
}

TEST_CASE("repaired_ring: ids that others adopt get home, though they pass more than once round") {
    std::vector<int> order{1, 2, 3, 4, 5, 6};
    do {
        events net{complete{6},
                   [&](node v) { return repaired_ring{peterson_alternating{order[v]}}; }};
        net.start_all();
        static_cast<void>(net.run());
        std::size_t leaders = 0;
        for (std::size_t v = 0; v < 6; ++v) leaders += net[v].is_leader();
        REQUIRE(leaders == 1);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("repaired_ring: what nobody takes home goes round three times, repeated or not") {
    for (const double doubled : {0.0, 0.5}) {
        CAPTURE(doubled);
        events net{complete{4}, one_way, {.delay = unit{},
                                          .faults = fault_plan{}.links({.duplication = doubled})}};
        net.suspect(1, port{0});          // of the best id, which others hear: it is passed over
        net.start(2);
        const report r = net.run(limits{.max_messages = 10'000});
        CHECK(r.stopped == stop::quiescent);
        if (doubled == 0) CHECK(r.messages == 3 * 4);
        CHECK_FALSE(net[2].leader());
    }
}

TEST_CASE("repaired_ring: every schedule of three, anyone starts, one dead from the beginning") {
    const auto suspecting = [](node v) {
        auto process = repaired_ring{chang_roberts{ids[v]}};
        archetype::environment<over_ring> env;
        env.ports = 2;
        if (v != 2) process.on(suspect{v == 0 ? port{1} : port{0}}, env);
        return process;
    };
    const verdict v = explore(complete{3}, suspecting,
        {.initiators = {0, 1},
         .properties = {always(at_most_one_leader), sometimes(someone_leads),
                        finally([](const auto& g) {
                            return g[0].leader() == 3 && g[1].leader() == 3;
                        })},
         .fifo = false, .starting = starting::any_time});
    CHECK(v.holds);
    CHECK(v.complete);
    CHECK(v.messages.least == 4);   // 1 is reached before it starts
    CHECK(v.messages.most == 5);
}

TEST_CASE("repaired_ring: what was on its way to a node that crashes is lost, and nobody is told") {
    events net{complete{3}, one_way, {.delay = uniform{5, 5}, .detector = perfect{2}}};
    net.start(0);
    net.run_for(2);
    net.crash(1);   // 0's message was for 1
    static_cast<void>(net.run());
    CHECK_FALSE(net[0].leader());
    CHECK_FALSE(net[2].leader());
}

TEST_CASE("repaired_ring: each hears of its neighbours on the ring, and of nobody else") {
    using words = std::vector<support::bystander::word>;
    constexpr auto one = shape::one_way_ring;
    constexpr auto two = shape::two_way_ring;
    constexpr auto goes = [](std::size_t p) { return support::bystander::word{port{p}, true}; };
    constexpr auto back = [](std::size_t p) { return support::bystander::word{port{p}, false}; };
    CHECK(heard<one>(5, {goes(0), back(0)}) == words{goes(next), back(next)});
    CHECK(heard<two>(5, {goes(3), back(3)}) == words{goes(prev), back(prev)});
    CHECK(heard<one>(5, {goes(3), goes(2), back(2), back(3)}) == words{});
    CHECK(heard<two>(5, {goes(1), goes(2), back(2), back(1)}) == words{});
    CHECK(heard<one>(5, {goes(0), goes(0), back(0), back(0)}) == words{goes(next), back(next)});
    // The one behind the gap is the neighbour; who returns beyond a neighbour is none.
    CHECK(heard<one>(5, {goes(0), goes(1)}) == words{goes(next), goes(next)});
    CHECK(heard<one>(5, {goes(1), goes(0), back(1), back(0)}) ==
          words{goes(next), back(next), back(next)});
    CHECK(heard<one>(5, {goes(0), goes(1), back(0), back(1)}) ==
          words{goes(next), goes(next), back(next)});
    // Of two nodes, the other stands on both sides.
    CHECK(heard<two>(2, {goes(0), back(0)}) ==
          words{goes(next), goes(prev), back(next), back(prev)});
    CHECK(heard<one>(2, {goes(0), back(0)}) == words{goes(next), back(next)});
}

TEST_CASE("repaired_ring: a detector's word before the start: nothing happens") {
    support::check_words_before_start(repaired_ring{chang_roberts{3}}, 4);
}

TEST_CASE("repaired_ring: who restarted is no gap, though its former life is suspected late") {
    events net{complete{3}, one_way};
    net.crash(1);
    net.suspect(0, port{0}, incarnation{0});
    net.restart(1);
    net.trust(0, port{0}, incarnation{1});
    net.suspect(0, port{0}, incarnation{0});
    net.suspect(0, port{1}, incarnation{1});
    net.trust(0, port{1}, incarnation{0});
    net.start(0);
    CHECK(net.run_for(0).by_node[0] == 1);
    static_cast<void>(net.run());
    CHECK(net[1].leader().has_value());   // it got the candidate's id: a ring over 2 would not
}
