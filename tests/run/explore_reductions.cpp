// SPDX-License-Identifier: MIT
// What is left out changes no verdict: on random systems, some of which are right and some wrong.
#include <caucus/run/explore.hpp>

#include <doctest/doctest.h>

#include "mutants.hpp"

#include <caucus/core/random.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace caucus;
using mutants::bug;

namespace {

/// Three states, two messages, and a table drawn from a seed: what to become and what to send.
/// Either answers each message with one at most, for ever, or with two while its budget lasts.
struct automaton {
    using message = std::uint8_t;
    using timer = nothing;
    using outcome = nothing;
    [[maybe_unused]] static constexpr bool tosses_coins = true;
    struct temper {
        bool coins;
        bool budgeted;
    };

    temper has = {};
    std::uint64_t table = 0;
    std::uint8_t is = 0;
    std::uint8_t budget = 2;

    void start(auto& env) { act(99, env); }
    void on(std::uint8_t m, port from, auto& env) { act(2 * from.index() + m, env); }

private:
    void act(std::uint64_t input, auto& env) {
        const bool tosses = has.coins && mix(table, input) % 3 == 0;
        const std::uint64_t side = tosses ? env.choose(2) : 0;
        const std::uint64_t row = mix(mix(table, is), mix(input, side));
        is = static_cast<std::uint8_t>(row % 3);
        for (std::uint64_t i = 0, sends = row / 3 % (has.budgeted ? 3 : 2); i < sends; ++i) {
            if (has.budgeted && budget == 0) return;
            budget = static_cast<std::uint8_t>(budget - has.budgeted);
            const std::uint64_t draw = mix(row, i);
            env.send(port{draw % env.degree()}, static_cast<std::uint8_t>(draw >> 32 & 1));
        }
    }
};

/// True unless some numbers of nodes are in given states: drawn from a seed, blind to who is who.
struct census {
    static constexpr bool any_node = true;
    std::uint64_t draw;

    bool operator()(const auto& g) const {
        std::array<std::size_t, 3> count{};
        for (std::size_t v = 0; v < g.nodes(); ++v) ++count[g[v].is];
        return count[draw % 3] != draw / 3 % (g.nodes() + 1);
    }
    static std::uint64_t observes(const auto& p) { return p.is; }
};
/// The same, but does not say what it looks at, and looks at the messages under way, too.
struct secret_census {
    static constexpr bool any_node = true;
    census inner;
    bool operator()(const auto& g) const {
        std::size_t sum = g.in_flight();
        g.each_in_flight([&](node, node, std::uint8_t m) { sum += m; });
        return inner(g) || sum % 2 == 0;
    }
};
/// True unless two given nodes are in two given states.
struct pair_is_apart {
    std::uint64_t draw;

    bool operator()(const auto& g) const {
        const bool one = g[draw % g.nodes()].is == draw / 8 % 3;
        return !one || g[draw / 64 % g.nodes()].is != draw / 512 % 3;
    }
    static std::uint64_t observes(const auto& p) { return p.is; }
};

template <class P>
property<P> in_some_mode(std::uint64_t draw, auto predicate) {
    if (draw % 3 == 0) return always(predicate);
    if (draw % 3 == 1) return sometimes(predicate);
    return finally(predicate);
}

struct scores {
    std::size_t instances = 0;
    std::size_t holding = 0;
    std::size_t slept = 0;
    std::size_t ampled = 0;
    std::size_t turned = 0;
    std::size_t cyclic = 0;
};

template <class P>
void compare(auto topology, auto make, explore_options<P> options, scores& score) {
    options.max_states = 200'000;
    const auto with = [&](reduction r) {
        options.reduce = r;
        return explore(topology, make, options);
    };
    const verdict full = with(reduction::none);
    const verdict sleep = with(reduction::sleep);
    const verdict ample = with(reduction::ample);
    const verdict both = with(reduction::sleep | reduction::ample);
    const verdict every = with(reduction::every);
    ++score.instances;
    score.holding += full.holds;
    score.slept += sleep.reductions == "sleep";
    score.ampled += ample.reductions == "ample";
    score.turned += every.reductions == "rotations";
    score.cyclic += full.messages.most == never;
    REQUIRE(full.limit.empty());

    for (const verdict* v : {&sleep, &ample, &both, &every}) {
        CAPTURE(v->reductions);
        CHECK(v->holds == full.holds);
        CHECK(v->complete == full.complete);
        CHECK(v->counterexample.property == full.counterexample.property);
        if (full.complete) {
            CHECK(v->states <= full.states);
            CHECK(v->messages.least == full.messages.least);
            CHECK(v->messages.most == full.messages.most);
        }
    }
    CHECK(sleep.counterexample.size() == full.counterexample.size());
    CHECK(sleep.counterexample.loop_from == full.counterexample.loop_from);
    if (!full.complete) return;
    CHECK(sleep.states == full.states);
    CHECK(sleep.transitions <= full.transitions);
}

/// One system from a seed: its processes, its predicate, who starts and when.
void compare_random(auto topology, automaton::temper t, std::uint64_t seed, bool anonymous,
                    scores& score) {
    using P = automaton;
    const auto make = [&](node v) { return P{t, mix(seed, anonymous ? 0 : v.index % 2)}; };
    random_source draw{seed};
    explore_options<P> options;
    const std::uint64_t who = draw.below(4);
    if (!anonymous && who == 2) options.initiators = any_subset;
    if (!anonymous && who == 3) options.initiators = spontaneous;
    const starting when[] = {starting::at_once, starting::before_receiving, starting::any_time};
    if (!anonymous) options.starting = when[draw.below(3)];
    const std::uint64_t mode = draw.below(3);
    const census counted{draw.below(1000)};
    const pair_is_apart apart{draw.below(100'000)};
    switch (anonymous ? draw.below(3) : draw.below(4)) {
        case 0: options.properties = {in_some_mode<P>(mode, counted)}; break;
        case 1: options.properties = {in_some_mode<P>(mode, secret_census{counted})}; break;
        case 2: options.properties = {in_some_mode<P>(mode, counted),
                                      always(census{draw.below(1000)})}; break;
        default: options.properties = {in_some_mode<P>(mode, apart)}; break;
    }
    CAPTURE(seed);
    compare<P>(topology, make, options, score);
}

}  // namespace

TEST_CASE("explore: reductions change no verdict, random processes and small networks, n <= 4") {
    for (const automaton::temper t : {automaton::temper{false, false}, {false, true}, {true, false},
                                      {true, true}}) {
        CAPTURE(t.coins);
        CAPTURE(t.budgeted);
        scores score;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            for (const std::size_t n : {2u, 3u, 4u}) {
                compare_random(ring{n}, t, seed, false, score);
                compare_random(ring{n}, t, seed, true, score);
            }
            for (const std::size_t n : {2u, 3u}) {
                compare_random(two_way_ring{n}, t, seed, false, score);
                compare_random(two_way_ring{n}, t, seed, true, score);
            }
            compare_random(path{3}, t, seed, false, score);
            compare_random(star{4}, t, seed, false, score);
            compare_random(complete{3}, t, seed, false, score);
            compare_random(random_graph(4, 0.5, seed), t, seed, false, score);
        }
        // Each kind has had its say, on right ones and on wrong ones.
        CHECK(score.instances == 12 * 14);
        CHECK(score.holding > score.instances / 4);
        CHECK(score.holding < score.instances * 3 / 4);
        CHECK(score.slept > score.instances / 4);
        CHECK(score.ampled > score.instances / 10);
        CHECK(score.turned > score.instances / 10);
        CHECK((score.cyclic != 0) == !t.budgeted);
    }
}

TEST_CASE("explore: reductions change no verdict on planted bugs, any start set and order, n = 3") {
    scores score;
    for (const bug b : {bug::none, bug::equal_passes, bug::swallows_nothing, bug::starts_late,
                        bug::forwards_home, bug::relays_when_woken, bug::misses_home,
                        bug::announces_on_and_on, bug::keeps_the_news}) {
        using P = mutants::ring_election;
        const auto make = [b](node v) { return P{static_cast<int>(v.index), b}; };
        for (const property<P>& p : {property<P>{always(at_most_one_leader)},
                                     property<P>{always(the_best_leads)},
                                     property<P>{sometimes(someone_leads)},
                                     property<P>{finally(all_agree)}})
            for (const starting when : {starting::at_once, starting::any_time})
                compare<P>(ring{3}, make, {.initiators = any_subset, .properties = {p},
                                           .starting = when, .orders = all_permutations}, score);
    }
    for (const bug b : {bug::none, bug::keeps_settled, bug::worse_is_done, bug::starts_when_marked,
                        bug::any_echo, bug::stays_candidate}) {
        using P = mutants::wave_election;
        const auto make = [b](node v) { return P{static_cast<int>(v.index), b}; };
        for (const property<P>& p : {property<P>{always(at_most_one_leader)},
                                     property<P>{finally(all_agree)}})
            compare<P>(path{3}, make, {.initiators = any_subset, .properties = {p},
                                       .starting = starting::any_time}, score);
    }
    CHECK(score.holding < score.instances * 3 / 4);
}
