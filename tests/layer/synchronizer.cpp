// SPDX-License-Identifier: MIT
#include <caucus/layer/synchronizer.hpp>

#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/renewed.hpp>
#include <caucus/election/ring/roll_call.hpp>
#include <caucus/election/ring/time_slice.hpp>
#include <caucus/election/ring/variable_speeds.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <caucus/wave/echo.hpp>
#include <laws/layer.hpp>
#include <support/graphs.hpp>
#include <support/instances.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace caucus;

namespace {

/// Whatever it does next depends on everything that has happened to it, in which order and round.
struct sensitive {
    struct rumour { std::uint32_t tale; std::uint32_t hops_left; };
    struct retell { std::uint32_t tale; };
    using message = rumour;
    using timer = retell;
    using outcome = std::uint64_t;

    std::uint64_t digest;
    int turns_left = 20;

    void start(auto& env) {
        note(env.now() + 7, env);
        env.broadcast(rumour{static_cast<std::uint32_t>(digest), 5});
    }
    void on(rumour m, port from, auto& env) {
        note(m.tale + 1000 * from.index() + 31 * env.now(), env);
        const auto draw = [&](std::uint64_t k) { return digest >> 20 & (k - 1); };
        if (m.hops_left == 0 || --turns_left < 0) return;
        env.arm(retell{m.tale % 3}, draw(4));
        if (draw(2) == 0) env.disarm(retell{m.tale % 2});
        env.send(port{digest % env.degree()}, rumour{m.tale + 1, m.hops_left - 1});
        if (draw(8) == 0) env.broadcast(rumour{m.tale, 1});
    }
    void on(retell t, auto& env) {
        note(t.tale + 17 * env.now(), env);
        if (t.tale == 0) env.disarm(retell{1});
        if (t.tale == 1) env.arm(retell{2}, 1);
        env.send(port{digest % env.degree()}, rumour{t.tale, 1});
    }
    void note(std::uint64_t what, auto& env) {
        digest = mix(digest, what);
        env.report(digest);
    }
};

/// A run under the synchronizer, at any delays, is the run on rounds: the same states, outcomes at
/// each node, and messages inside; one mark for each link, direction and round.
void check_same(auto topology, auto make, const std::vector<std::size_t>& starters) {
    rounds sim{topology, make};
    for (const std::size_t v : starters) sim.start(v);
    const report bare = sim.run();
    REQUIRE(bare.messages != 0);
    const ticks last = bare.rounds + 2;
    std::uint64_t seed = 1;
    for (const delay_model& delay : support::every_delay()) {
        events net{topology, [&](node v) { return synchronizer{make(v), for_rounds{last}}; },
                   {.seed = ++seed, .delay = delay}};
        for (const std::size_t v : starters) net.start(v);
        const report r = net.run();
        CHECK(r.by_kind("carried") == bare.messages);
        CHECK(r.by_kind("mark") == last * topology.arcs());
        REQUIRE(net.outcomes().size() == sim.outcomes().size());
        for (std::size_t v = 0; v < net.nodes(); ++v) {
            CHECK(same(net[v].process(), sim[v]));
            CHECK(net[v].round() == last);
            auto theirs = sim.outcomes().begin();
            for (const auto& mine : net.outcomes()) {
                if (mine.node != node{v}) continue;
                while (theirs->node != node{v}) ++theirs;
                CHECK(same(mine.outcome, (theirs++)->outcome));
            }
        }
    }
}

bool in_step(const auto& g, std::size_t a, std::size_t b) {
    return g[a].round() <= g[b].round() + 1 && g[b].round() <= g[a].round() + 1;
}

}  // namespace

// Shape.
using slices = synchronizer<time_slice<int>>;
static_assert(process<slices> && perpetual<slices>);
static_assert(!perpetual<synchronizer<time_slice<int>, for_rounds>>);
static_assert(slices::assumes.time == timing::asynchronous);
static_assert(slices::assumes.links == perfect_links);
static_assert(slices::assumes.topology == shape::one_way_ring);
static_assert(reliable<synchronizer<extinction<int>>>::assumes.links == guarantee::none);

static_assert([] {
    rounds sim{ring{4}, [](node v) {
                   return synchronizer{time_slice{static_cast<int>(v) + 1, 4}, for_rounds{9}};
               }};
    sim.start(0);
    sim.start(2);
    sim.run();
    for (std::size_t v = 0; v < 4; ++v)
        if (sim[v].leader() != 1 || sim[v].is_leader() != (v == 0)) return false;
    return true;
}());

TEST_CASE("synchronizer: the laws of layers") {
    laws::layer_laws([](auto process) { return synchronizer{process}; });
    laws::layer_laws([](auto process) { return synchronizer{process, for_rounds{50}}; });
}

// Safety: the same as on rounds.

TEST_CASE("synchronizer: elections run as on rounds, whatever the delays") {
    for (const std::size_t n : {1u, 2u, 5u, 9u}) {
        const std::vector<int> ids = support::shuffled(n, n);
        const std::vector<std::size_t> some{n - 1, n / 2};
        for (const auto& starters : {support::everybody(n), some}) {
            check_same(ring{n}, [&](node v) { return time_slice{ids[v], n}; }, starters);
            check_same(ring{n}, [&](node v) { return variable_speeds{ids[v]}; }, starters);
            check_same(ring{n}, [&](node v) { return chang_roberts{ids[v]}; }, starters);
        }
    }
}

TEST_CASE("synchronizer: on every graph of four nodes, too, and none notices any difference") {
    std::uint64_t seed = 0;
    support::each_connected_graph(4, [&](const graph& g) {
        const std::vector<int> ids = support::shuffled(4, ++seed);
        check_same(g, [&](node v) { return extinction{ids[v]}; }, {seed % 4, (seed / 2) % 4});
        check_same(g, [](node) { return echo{1, sum{}}; }, {seed % 4});
        check_same(g, [&](node v) { return sensitive{mix(seed, v.index)}; },
                   {seed % 4, (seed + 1) % 4});
    });
    CHECK(seed == 38);
}

TEST_CASE("synchronizer: what silence says is true again, though delays have no bound") {
    // Without it, time_slice has several leaders, since slices pass before the word is round.
    const auto leaders = [](auto& net) {
        std::size_t count = 0;
        for (std::size_t v = 0; v < net.nodes(); ++v) count += net[v].is_leader();
        return count;
    };
    std::size_t bare_most = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto slice = [](node v) { return time_slice{static_cast<int>(v) + 1, 5}; };
        const events_options wild{.seed = seed, .delay = heavy_tailed{1, 2000}};
        events bare{ring{5}, slice, wild};
        bare.start_all();
        bare.run();
        bare_most = std::max(bare_most, leaders(bare));
        events net{ring{5}, [&](node v) { return synchronizer{slice(v)}; }, wild};
        net.start_all();
        net.run_until([&] { return net[0].round() >= 12; });
        CHECK(leaders(net) == 1);
        CHECK(net[0].is_leader());
    }
    CHECK(bare_most > 1);
}

TEST_CASE("synchronizer: neighbours stay in step on every schedule, and the best is elected") {
    const auto never_far_ahead = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[(v + 1) % g.nodes()].round() > g[v].round() + 1) return false;
        return true;
    };
    // One way, a node hears nothing from whoever is behind: it may be n - 1 rounds ahead of it.
    const auto far_behind = [](const auto& g) {
        const std::size_t n = g.nodes();
        return g[0].round() == g[n == 1 ? 0 : 1].round() + n - 1;
    };
    const auto path_in_step = [](const auto& g) { return in_step(g, 0, 1) && in_step(g, 1, 2); };
    const auto apart = [](const auto& g) { return g[0].round() != g[1].round(); };
    const auto all_through = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].round() != 7) return false;
        return true;
    };
    for (const std::size_t n : {1u, 2u, 3u}) {
        const verdict v = explore(
            ring{n},
            [](node u) {
                return synchronizer{chang_roberts{static_cast<int>(u)}, for_rounds{7}};
            },
            {.initiators = any_subset,
             .properties = {always(at_most_one_leader), always(the_best_leads), finally(all_agree),
                            finally(all_through), always(never_far_ahead),
                            sometimes(far_behind)},
             .starting = starting::before_receiving});
        CHECK_MESSAGE(v.verified(), v.counterexample.text(), v.limit);
    }
    const auto waves = [](node u) {
        return synchronizer{extinction{static_cast<int>(u)}, for_rounds{7}};
    };
    const verdict v = explore(path{3}, waves,
                              {.properties = {always(at_most_one_leader), finally(all_agree),
                                              finally(all_through), always(path_in_step),
                                              sometimes(apart)}});
    CHECK_MESSAGE(v.verified(), v.counterexample.text(), v.limit);
    CHECK(v.messages.least == v.messages.most);
    // A start after the last round comes too late; before that it is one of a later round.
    const verdict late = explore(path{3}, waves,
                                 {.properties = {always(at_most_one_leader), always(path_in_step),
                                                 finally(all_through), sometimes(all_agree)},
                                  .starting = starting::any_time});
    CHECK_MESSAGE(late.verified(), late.counterexample.text(), late.limit);
}

TEST_CASE("synchronizer: a late start belongs to the next round") {
    events net{path{2}, [](node) { return synchronizer{sensitive{1}}; }};
    net.start(0);
    net.run_until([&] { return net[0].round() >= 20; });
    const ticks round = net[1].round();
    const std::uint64_t before = net[1].process().digest;
    net.start(1);
    CHECK(net[1].process().digest == mix(before, round + 1 + 7));
    CHECK(net[1].round() == round);
}

TEST_CASE("synchronizer: alone, only the rounds that are waited for pass") {
    events net{complete{1}, [](node) { return synchronizer{laws::watchful_process{}}; }};
    net.start(0);
    CHECK(net[0].process().burnt == 4);
    CHECK(net[0].round() == 4);
    net.start(0);
    CHECK(net[0].process().burnt == 8);
}

TEST_CASE("synchronizer: over reliable it stands any links") {
    const std::vector<int> ids = support::shuffled(5, 3);
    const auto stack = [&](node v) {
        return reliable{synchronizer{extinction{ids[v]}, for_rounds{12}}};
    };
    events net{two_way_ring{5}, stack, {.delay = heavy_tailed{1, 2000}, .fifo = false}};
    net.start(2);
    CHECK(net.run().stopped == stop::quiescent);
    for (std::size_t v = 0; v < 5; ++v) CHECK(net[v].leader() == ids[2]);
}

TEST_CASE("synchronizer: outside fifo links it is refused") {
    const auto make = [](node v) { return synchronizer{extinction{static_cast<int>(v)}}; };
    CHECK_THROWS_AS((events{path{2}, make, {.fifo = false}}), error);
}

TEST_CASE("synchronizer: a detector's word wakes nobody, unless the process inside answers it") {
    support::check_words_before_start(synchronizer{roll_call{3}}, 3);
    events net{complete{3}, [](node v) {
                   return synchronizer{roll_call{static_cast<int>(v) + 1}, for_rounds{9}};
               }};
    net.suspect(0, port{0});
    CHECK(net.run().messages == 0);
    CHECK_FALSE(net[0].is_awake());
    net.start(0);
    net.run();
    CHECK(net[0].leader() == 3);
    CHECK(net[0].process().members().size() == 2);   // it has remembered whom to skip

    events ring_of_three{ring{3}, [](node v) {
                             const int id = static_cast<int>(v) + 1;
                             return synchronizer{renewed{id, detector{}}, for_rounds{12}};
                         }};
    ring_of_three.suspect(1, next);
    CHECK(ring_of_three[1].is_awake());
    CHECK(ring_of_three.run().by_kind("mark") == 3 * 12);
    for (std::size_t v = 0; v < 3; ++v) CHECK(ring_of_three[v].leader() == 3);
}
