// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/network.hpp>

#include <doctest/doctest.h>

#include "../../laws/topology.hpp"
#include "../subjects.hpp"

#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <caucus/wave/echo.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

using namespace caucus;
using namespace caucus::simulation;
using laws::refusal;

namespace {

struct ask { int question; };

/// Answers requests, reports each, and keeps the last; speaks on any port it is told to.
struct oracle {
    struct word {};
    using message = word;
    using timer = nothing;
    using outcome = ask;
    using kept = ask;

    constexpr void start(auto& env) { env.report(ask{0}); }
    constexpr void on(word, port, auto&) {}
    constexpr int on(ask a, auto& env) {
        env.report(a);
        env.keep(a);
        return 2 * a.question;
    }
};

/// Sends on one port, wherever it leads.
struct speaker {
    struct word {};
    using message = word;
    using timer = nothing;
    using outcome = nothing;
    port out;

    constexpr void start(auto& env) { env.send(out, word{}); }
    constexpr void on(word, port, auto&) {}
};

/// Needs a tree; does nothing.
struct climber {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
    static constexpr model assumes = {.topology = shape::tree, .names = naming::anonymous};
    constexpr void start(auto&) {}
};

/// Tosses once, when started.
struct gambler {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
    std::size_t drawn = 99;
    constexpr void start(auto& env) { drawn = env.choose(6); }
};

auto speakers(port out) {
    return [out](node) { return speaker{out}; };
}

}  // namespace

TEST_CASE("network: a request's result comes back, also in constant evaluation") {
    static_assert([] {
        rounds sim{ring{3}, [](node) { return oracle{}; }};
        return sim.call(1, ask{21}) == 42 && sim.outcomes().size() == 1;
    }());
    rounds sim{ring{3}, [](node) { return oracle{}; }};
    CHECK(sim.call(1, ask{4}) == 8);
}

TEST_CASE("network: outcomes stand in order of time, then node, however they came about") {
    rounds sim{ring{4}, [](node) { return oracle{}; }};
    const auto nodes_of = [&] {
        std::vector<std::size_t> nodes;
        for (const auto& each : sim.outcomes()) nodes.push_back(each.node);
        return nodes;
    };
    sim.start(3);
    sim.start(1);
    sim.call(2, ask{5});
    CHECK(nodes_of() == std::vector<std::size_t>{1, 2, 3});
    sim.call(1, ask{6});   // of one node, in the order of its reports
    CHECK(nodes_of() == std::vector<std::size_t>{1, 1, 2, 3});
    CHECK(sim.outcomes()[0].outcome.question == 0);
    CHECK(sim.outcomes()[1].outcome.question == 6);
    sim.run_for(1);
    sim.call(0, ask{7});
    CHECK(nodes_of() == std::vector<std::size_t>{1, 1, 2, 3, 0});
    CHECK(sim.outcomes()[4].at == 1);
}

TEST_CASE("network: refuses a node that is not there") {
    rounds sim{ring{3}, speakers(next)};
    CHECK(refusal([&] { sim.start(3); }) == "simulation: there is no node 3 among 3");
    CHECK(refusal([&] { static_cast<void>(sim[99]); }) ==
          "simulation: there is no node 99 among 3");
    CHECK(refusal([&] { static_cast<void>(sim.call(3, request::start{})); }) ==
          "simulation: there is no node 3 among 3");
}

TEST_CASE("network: refuses to send on a port that does not exist") {
    rounds one_way{ring{3}, speakers(prev)};
    CHECK(refusal([&] { one_way.start(2); }) ==
          "topology: node 2 cannot send on port 1, only on 1 ports from 0");
    rounds two_way{two_way_ring{3}, speakers(prev)};
    CHECK(refusal([&] { two_way.start(2); }) == "not refused");
    rounds all{complete{3}, speakers(port{2})};
    CHECK(refusal([&] { all.start(0); }) ==
          "topology: node 0 cannot send on port 2, only on 2 ports from 0");
}

TEST_CASE("network: two nodes with one id are named, unless outside the model") {
    const std::array ids{5, 7, 3, 7, 9};
    const auto make = [&](node v) { return chang_roberts{ids[v]}; };
    CHECK(refusal([&] { rounds{ring{5}, make}; }) == "simulation: nodes 1 and 3 have the same id");
    CHECK(refusal([&] { rounds{ring{3}, make}; }) == "not refused");
    CHECK(refusal([&] { rounds{ring{5}, make, {.outside_model = true}}; }) == "not refused");
    const auto all_same = [](node) { return extinction{1}; };
    CHECK(refusal([&] { rounds{complete{40}, all_same}; }) ==
          "simulation: nodes 0 and 1 have the same id");
    CHECK(refusal([&] { rounds{complete{1}, all_same}; }) == "not refused");
}

TEST_CASE("network: many distinct ids pass, one repetition among them does not") {
    const std::size_t n = 1000;
    auto ids = subjects::shuffled_ids(n, 3);
    const auto make = [&](node v) { return chang_roberts{ids[v]}; };
    CHECK(refusal([&] { rounds{ring{n}, make}; }) == "not refused");
    ids[999] = ids[0];
    CHECK(refusal([&] { rounds{ring{n}, make}; }) ==
          "simulation: nodes 0 and 999 have the same id");
}

TEST_CASE("network: a disconnected graph is refused, unless outside the model") {
    const graph parts{4, {{0, 1}, {2, 3}}};
    const auto make = [](node) { return echo{1, sum{}}; };
    CHECK(refusal([&] { rounds{parts, make}; }) ==
          "simulation: the graph is not connected: no way from node 0 to node 2");
    rounds sim{parts, make, {.outside_model = true}};
    sim.start(0);
    sim.run();
    CHECK(sim[0].value() == 2);
}

TEST_CASE("network: an algorithm for trees is refused a graph with a cycle") {
    const auto make = [](node) { return climber{}; };
    const graph cycle{3, {{0, 1}, {1, 2}, {2, 0}}}, tree{3, {{0, 1}, {1, 2}}};
    CHECK(refusal([&] { rounds{cycle, make}; }) ==
          "simulation: the algorithm needs a tree, and the graph has a cycle");
    CHECK(refusal([&] { rounds{tree, make}; }) == "not refused");
    CHECK(refusal([&] { rounds{cycle, make, {.outside_model = true}}; }) == "not refused");
}

TEST_CASE("network: a process without a card may have any ids, on any graph") {
    CHECK(refusal([] { rounds{graph{2, {{0, 1}}}, speakers(next)}; }) == "not refused");
    CHECK(refusal([] {
              rounds{graph{2, std::vector<std::pair<int, int>>{}}, speakers(next)};
          }) == "not refused");
}

TEST_CASE("network: choose is fair, 60,000 dice of seed 5") {
    rounds sim{complete{60'000}, [](node) { return gambler{}; }, {.seed = 5}};
    std::array<int, 6> count{};
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        sim.start(v);
        ++count[sim[v].drawn];
    }
    for (const int c : count) CHECK(std::abs(c - 10'000) < 4 * 92);   // sqrt(60,000 · 5/36) = 91.3
}

TEST_CASE("network: what a node draws depends on the seed, not on who drew before") {
    const auto make = [](node) { return gambler{}; };
    rounds up{complete{50}, make, {.seed = 5}}, down{complete{50}, make, {.seed = 5}};
    rounds other{complete{50}, make, {.seed = 6}};
    int differing = 0;
    for (std::size_t v = 0; v < 50; ++v) {
        up.start(v);
        down.start(49 - v);
        other.start(v);
    }
    for (std::size_t v = 0; v < 50; ++v) {
        CHECK(up[v].drawn == down[v].drawn);
        differing += up[v].drawn != other[v].drawn ? 1 : 0;
    }
    CHECK(differing > 25);
    CHECK(up.run().seed == 5);
}
