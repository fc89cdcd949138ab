// SPDX-License-Identifier: MIT
#include <caucus/run/events.hpp>

#include <doctest/doctest.h>

#include "../laws/topology.hpp"
#include "subjects.hpp"

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace caucus;
using laws::refusal;
using subjects::diary;

namespace {

using lines = std::vector<diary::line>;

auto diaries(std::vector<diary::act> script) {
    return [script](node v) { return diary{v == 0 ? script : std::vector<diary::act>{}}; };
}

/// Numbers a hundred messages, a few at each tick.
struct counter {
    struct numbered { std::uint32_t number; };
    struct more {};
    using message = numbered;
    using timer = more;
    using outcome = numbered;

    void start(auto& env) { on(more{}, env); }
    void on(more, auto& env) {
        for (int i = 0; i < 3; ++i) env.broadcast(numbered{sent++});
        if (sent < 100) env.arm(more{}, 1);
    }
    void on(numbered m, port from, auto& env) {
        if (last.size() < env.degree() + 1) last.resize(env.degree() + 1);
        overtaken += m.number < last[from] ? 1 : 0;
        last[from] = m.number;
    }
    std::uint32_t sent = 0;
    std::uint32_t overtaken = 0;
    std::vector<std::uint32_t> last = {};
};

/// Needs fifo links.
struct orderly : counter {
    static constexpr model assumes = {.links = guarantee::fifo, .names = naming::anonymous};
};

/// Needs links that lose nothing.
struct trusting : counter {
    static constexpr model assumes = {.links = guarantee::reliable, .names = naming::anonymous};
};

std::uint32_t overtakings(auto topology, delay_model delay, bool fifo, std::uint64_t seed) {
    events net{topology, [](node) { return counter{}; },
               {.seed = seed, .delay = delay, .fifo = fifo}};
    net.start_all();
    net.run();
    std::uint32_t sum = 0;
    for (std::size_t v = 0; v < net.nodes(); ++v) sum += net[v].overtaken;
    return sum;
}

const delay_model models[] = {unit{}, uniform{1, 20}, exponential{10}, heavy_tailed{1, 500},
                              by_hand{[](const hop& h, random_source&) {
                                  return h.sent % 2 == 0 ? ticks{50} : ticks{1};
                              }}};

}  // namespace

TEST_CASE("events: with unit delays, exactly what rounds do") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const auto compare = [&](auto topology, auto make) {
            rounds sim{topology, make, {.seed = seed}, trace_hash{}};
            events net{topology, make, {.seed = seed, .delay = unit{}}, trace_hash{}};
            for (const std::size_t v : {0u, 3u, 4u}) sim.start(v), net.start(v);
            CHECK(subjects::same_counts(sim.run(), net.run()));
            CHECK(subjects::same_outcomes(sim.outcomes(), net.outcomes()));
            CHECK(sim.watcher().value() == net.watcher().value());
        };
        const auto ids = subjects::shuffled_ids(12, seed);
        compare(ring{12}, [&](node v) { return chang_roberts{ids[v]}; });
        compare(random_graph(12, 0.3, seed), [&](node v) { return extinction{ids[v]}; });
        compare(complete{12}, [&](node v) {
            return bully{ids[v], peer_ids(complete{12}, v, ids)};
        });
        compare(random_tree(12, seed), [](node) { return subjects::gossip{}; });
    }
}

TEST_CASE("events: a message takes as long as the model says, a timer as long as it was told") {
    events net{ring{3}, diaries({{0, 1}, {-1, 2, 7}}), {.delay = per_link{{5, 2, 9}}}};
    net.start(0);
    net.run();
    CHECK(net[1].lines == lines{{1, 1, 5}});
    CHECK(net[0].lines == lines{{-1, 2, 7}});
}

TEST_CASE("events: at one tick, messages by port, then as sent, then timers by value") {
    events net{two_way_ring{2}, diaries({{1, 1}, {0, 2}, {1, 3}, {0, 4}, {-1, 9, 4}, {-1, 8, 4}}),
               {.delay = by_hand{[](const hop&, random_source&) { return ticks{4}; }}}};
    net.start(0);
    net.run();
    CHECK(net[1].lines == lines{{0, 1, 4}, {0, 3, 4}, {1, 2, 4}, {1, 4, 4}});
    CHECK(net[0].lines == lines{{-1, 8, 4}, {-1, 9, 4}});
    CHECK(net.now() == 4);
}

TEST_CASE("events: with fifo, nothing overtakes on a link, any delays; without, it happens") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        CAPTURE(seed);
        for (const delay_model& delay : models) {
            CHECK(overtakings(ring{4}, delay, true, seed) == 0);
            CHECK(overtakings(complete{4}, delay, true, seed) == 0);
            const bool may = !delay.keeps_order();
            CHECK((overtakings(ring{4}, delay, false, seed) > 0) == may);
            CHECK((overtakings(complete{4}, delay, false, seed) > 0) == may);
        }
    }
}

TEST_CASE("events: fifo slows nobody down who would not overtake") {
    const auto make = diaries({{0, 1}});
    for (const bool fifo : {true, false}) {
        events net{ring{2}, make, {.seed = 3, .delay = uniform{10, 10}, .fifo = fifo}};
        net.start(0);
        net.run_for(100);
        net.start(0);
        net.run();
        CHECK(net[1].lines == lines{{1, 1, 10}, {1, 1, 110}});
    }
}

TEST_CASE("events: loss by chance is refused under an algorithm that needs reliable links") {
    const auto refused = [](fault_plan plan, bool outside_model = false) {
        return refusal([&] {
            events{complete{3}, [](node) { return trusting{}; },
                   {.faults = std::move(plan), .outside_model = outside_model}};
        });
    };
    const auto words = "events: the plan loses messages and the algorithm needs reliable links; "
                       "wrap it in reliable, or say outside_model";
    CHECK(refused(fault_plan{}.links({.loss = 0.1})) == words);
    CHECK(refused(fault_plan{}.link(0, 1, {.loss = 0.1}, 50, 60)) == words);
    CHECK(refused(fault_plan{}.links({.loss = 0.1}).heal(9).links({})) == words);
    CHECK(refused(fault_plan{}.links({.loss = 0.1}), true) == "not refused");
    CHECK(refused(fault_plan{}.links({.duplication = 1})) == "not refused");
    CHECK(refused(fault_plan{}.cut(0, 1, 5).partition({0}, 7)) == "not refused");   // on purpose
    CHECK(refusal([] {
        events{complete{3}, [](node) { return orderly{}; },
               {.faults = fault_plan{}.links({.loss = 0.1})}};
    }) == "not refused");
}

TEST_CASE("events: fifo = false is refused under an algorithm that needs fifo links") {
    const auto make = [](node) { return orderly{}; };
    CHECK(refusal([&] { events{complete{3}, make, {.fifo = false}}; }) ==
          "events: the algorithm needs fifo links; leave fifo on, or say outside_model");
    CHECK(refusal([&] { events{complete{3}, make, {.fifo = true}}; }) == "not refused");
    CHECK(refusal([&] { events{complete{3}, make, {.fifo = false, .outside_model = true}}; }) ==
          "not refused");
    CHECK(refusal([&] { events{ring{3}, diaries({}), {.fifo = false}}; }) == "not refused");
}

TEST_CASE("events: refuses delays that make no sense on the topology") {
    CHECK(refusal([] { events{ring{3}, diaries({}), {.delay = per_link{{1, 1}}}}; }) ==
          "per_link: 2 delays for 3 arcs");
    CHECK(refusal([] { events{ring{3}, diaries({}), {.delay = uniform{0, 1}}}; }) ==
          "uniform: delays from 0 to 1; need 1 <= least <= most");
}

TEST_CASE("events: a run for some ticks leaves the clock at their end, whatever happened") {
    events net{ring{3}, diaries({{0, 1}, {-1, 5, 300}}), {.delay = unit{}}};
    net.start(0);
    CHECK(net.run_for(100).stopped == stop::limit);
    CHECK(net.now() == 100);
    CHECK(net.run_for(200).rounds == 300);
    CHECK(net.now() == 300);
    CHECK(net.run_for(5000).stopped == stop::quiescent);
    CHECK(net.now() == 5300);
    net.start(0);
    CHECK(net.run().rounds == 5600);
    CHECK(net[1].lines == lines{{1, 1, 1}, {1, 1, 5301}});
}

TEST_CASE("events: the same seed gives the same run, another one another") {
    const auto hash_of = [](std::uint64_t seed, const delay_model& delay) {
        events net{complete{6}, [](node) { return subjects::gossip{}; },
                   {.seed = seed, .delay = delay}, trace_hash{}};
        net.start_all();
        CHECK(net.run().seed == seed);
        return net.watcher().value();
    };
    for (const delay_model& delay : models) {
        CHECK(hash_of(1, delay) == hash_of(1, delay));
        CHECK(hash_of(1, delay) != hash_of(2, delay));
    }
}

TEST_CASE("events: delays far beyond any horizon arrive in order of time") {
    events net{ring{2}, diaries({{0, 1}, {0, 2}, {0, 3}}),
               {.delay = by_hand{[](const hop&, random_source& bits) {
                    return 1 + bits.below(ticks{1} << 40);
                }},
                .fifo = false}};
    for (int i = 0; i < 200; ++i) net.start(0);
    net.run();
    REQUIRE(net[1].lines.size() == 600);
    for (std::size_t i = 1; i < 600; ++i) CHECK(net[1].lines[i - 1].at <= net[1].lines[i].at);
}

TEST_CASE("events: messages that take longer than bully was told are reported, also of a layer's") {
    const std::vector ids{1, 2, 3};
    const auto late = [&](ticks delay_max, delay_model delay, auto around) {
        events net{complete{3},
                   [&](node v) {
                       return around(bully{ids[v], peer_ids(complete{3}, v, ids),
                                           {.delay_max = delay_max}});
                   },
                   {.delay = std::move(delay)}};
        net.start(0);
        const report r = net.run_for(500);
        return std::pair{r.late, r.messages};
    };
    const auto bare = [](auto p) { return p; };
    CHECK(late(10, uniform{1, 10}, bare).first == 0);
    CHECK(late(5, unit{}, bare).first == 0);
    const auto [too_late, sent] = late(5, uniform{6, 9}, bare);
    CHECK(too_late == sent);
    const auto [some, many] = late(5, uniform{1, 10}, bare);
    CHECK(some > 0);
    CHECK(some < many);
    CHECK(late(5, uniform{6, 9}, [](auto p) { return supervised{p}; }).first > 0);
}
