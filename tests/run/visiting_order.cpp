// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/port_order.hpp>

#include <doctest/doctest.h>

#include "subjects.hpp"

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Nothing observable depends on the order in which the nodes of a tick are visited.

using namespace caucus;

namespace {

constexpr std::uint64_t shuffles = 12;
constexpr std::size_t n = 10;

const delay_model models[] = {unit{}, uniform{1, 4}, exponential{3}, heavy_tailed{1, 100}};

void same_in_rounds(auto topology, auto make, std::uint64_t seed) {
    rounds straight{topology, make, {.seed = seed}, trace_hash{}};
    straight.start_all();
    const report expected = straight.run();
    CHECK(expected.messages > n);
    for (std::uint64_t shuffle = 1; shuffle <= shuffles; ++shuffle) {
        CAPTURE(shuffle);
        rounds sim{topology, make, {.seed = seed, .shuffle_nodes = shuffle}, trace_hash{}};
        sim.start_all();
        CHECK(subjects::same_counts(sim.run(), expected));
        CHECK(subjects::same_outcomes(sim.outcomes(), straight.outcomes()));
        CHECK(sim.watcher().value() == straight.watcher().value());
    }
}

void same_in_events(auto topology, auto make, std::uint64_t seed, events_options options) {
    options.seed = seed;
    events straight{topology, make, options, trace_hash{}};
    straight.start_all();
    const report expected = straight.run();
    for (std::uint64_t shuffle = 1; shuffle <= shuffles; ++shuffle) {
        CAPTURE(shuffle);
        options.shuffle_nodes = shuffle;
        events net{topology, make, options, trace_hash{}};
        net.start_all();
        CHECK(subjects::same_counts(net.run(), expected));
        CHECK(subjects::same_outcomes(net.outcomes(), straight.outcomes()));
        CHECK(net.watcher().value() == straight.watcher().value());
    }
}

void same_everywhere(auto topology, auto make, std::uint64_t seed) {
    CAPTURE(seed);
    same_in_rounds(topology, make, seed);
    for (const delay_model& delay : models)
        for (const bool fifo : {true, false})
            same_in_events(topology, make, seed, {.delay = delay, .fifo = fifo});
}

/// Anonymous and deterministic: folds what it hears, by port, and passes it on both ways.
struct mirror {
    struct image { std::uint64_t seen; };
    struct blink {};
    using message = image;
    using timer = blink;
    using outcome = nothing;

    void start(auto& env) {
        env.broadcast(image{1});
        env.arm(blink{}, 3);
    }
    void on(image m, port from, auto& env) {
        seen = mix(seen, m.seen + from);
        if (seen % 4 != 0) env.send(from == next ? prev : next, image{seen});
    }
    void on(blink, auto& env) { env.broadcast(image{seen}); }

    std::uint64_t seen = 0;
};

bool symmetric_throughout(std::uint64_t seed, std::size_t odd_one_out) {
    rounds sim{two_way_ring{7}, [=](node v) { return mirror{v == odd_one_out ? 1u : 0u}; },
               {.shuffle_nodes = seed}};
    sim.start_all();
    bool all_same = true;
    sim.run_until([&] {
        for (std::size_t v = 1; v < sim.nodes(); ++v)
            all_same = all_same && same(sim[v], sim[0]);
        return false;
    }, {.max_rounds = 30});
    CHECK(sim.now() > 5);
    return all_same;
}

/// Breaks every rule: a counter that all nodes share.
struct cheat {
    struct word { std::uint32_t number; };
    using message = word;
    using timer = nothing;
    using outcome = word;

    void start(auto& env) { env.broadcast(word{0}); }
    void on(word, port, auto& env) { env.report(word{++*shared}); }

    std::uint32_t* shared;
};

}  // namespace

TEST_CASE("visiting order: leaves no mark on chang_roberts, both executors, all delays") {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto ids = subjects::shuffled_ids(n, seed);
        same_everywhere(ring{n}, [&](node v) { return chang_roberts{ids[v]}; }, seed);
    }
}

TEST_CASE("visiting order: leaves no mark on extinction, both executors, all delays") {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto ids = subjects::shuffled_ids(n, seed);
        same_everywhere(random_graph(n, 0.4, seed), [&](node v) { return extinction{ids[v]}; },
                        seed);
    }
}

TEST_CASE("visiting order: leaves no mark on bully, both executors, all delays") {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto ids = subjects::shuffled_ids(n, seed);
        const complete mesh{n};
        same_everywhere(mesh, [&](node v) {
            return bully{ids[v], peer_ids(mesh, v, ids), {.delay_max = 4}};
        }, seed);
    }
}

TEST_CASE("visiting order: leaves no mark on processes that toss coins and arm timers") {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto make = [](node) { return subjects::gossip{}; };
        same_everywhere(complete{n}, make, seed);
        same_everywhere(two_way_ring{n}, make, seed);
        same_everywhere(ring{n}, make, seed);
    }
}

TEST_CASE("visiting order: leaves no mark where nodes crash and restart") {
    const auto make = [](node) { return subjects::gossip{}; };
    const fault_plan plan = fault_plan{}.crash(2, 3).crash(5, 3).restart(2, 6).restart(5, 6);
    for (const delay_model& delay : models)
        same_in_events(complete{n}, make, 4, {.delay = delay, .faults = plan});
}

TEST_CASE("visiting order: the test would see a process that depends on it") {
    const auto hash_of = [](std::uint64_t shuffle) {
        std::uint32_t shared = 0;
        rounds sim{two_way_ring{n}, [&](node) { return cheat{&shared}; },
                   {.shuffle_nodes = shuffle}, trace_hash{}};
        sim.start_all();
        sim.run();
        return sim.watcher().value();
    };
    CHECK(hash_of(0) != hash_of(1));
    CHECK(hash_of(1) != hash_of(2));
}

TEST_CASE("rounds: on an anonymous two-way ring, a deterministic process stays symmetric") {
    for (std::uint64_t seed = 0; seed <= shuffles; ++seed) {
        CAPTURE(seed);
        CHECK(symmetric_throughout(seed, 7));        // nobody is different
        CHECK_FALSE(symmetric_throughout(seed, 3));  // one is, and it shows
    }
}
