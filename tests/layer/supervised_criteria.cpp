// SPDX-License-Identifier: MIT
// Another criterion in each election: the node with the most complete log is to lead.
#include <caucus/layer/supervised.hpp>

#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/renewed.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <support/court.hpp>
#include <support/instances.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

using namespace caucus;

namespace {

using standing = ranked<int, int>;   // how complete the log is, and a name
constexpr supervised_options watchful{.beat = 100, .timeout = 350, .election_max = 1000};

auto election(int log, int name) { return repaired_ring{chang_roberts{standing{log, name}}}; }
using ring_election = decltype(election(0, 0));
using supervised_rings = supervised<ring_election>;

static_assert(std::is_same_v<supervised_rings::id_type, int>, "epochs carry the name");

/// Names 1 … n.
template <class... Policies>
auto standing_with(const std::vector<int>& logs, supervised_options options, Policies... how) {
    return [=](node v) {
        return supervised{election(logs[v], static_cast<int>(v.index) + 1), options, how...};
    };
}

/// Whom all that are alive follow, if they do.
std::optional<int> followed(const auto& net) {
    std::optional<int> leader;
    for (std::size_t v = 0; v < net.nodes(); ++v) {
        if (!net.alive(v)) continue;
        if (!net[v].leader() || (leader && *leader != *net[v].leader())) return std::nullopt;
        leader = net[v].leader();
    }
    return leader;
}

/// Logs grow, the leader crashes: the living node with the most complete log leads next. n = 5.
template <class... Policies>
void check_the_most_complete_leads(Policies... how) {
    std::size_t others = 0;   // elections that another would have won before the change
    for (std::uint64_t seed = 1; seed <= (support::sanitized ? 10u : 100u); ++seed) {
        CAPTURE(seed);
        random_source bits{seed};
        std::vector<int> logs;
        const auto grow = [&] {
            for (int& log : logs) log += static_cast<int>(bits.below(4));
        };
        const auto best = [&](const auto& net) {
            standing most{-1, 0};
            for (std::size_t v = 0; v < logs.size(); ++v)
                if (const standing each{logs[v], static_cast<int>(v) + 1}; net.alive(v))
                    if (most < each) most = each;
            return most.name;
        };
        logs.resize(5);
        grow();
        events net{complete{5}, standing_with(logs, watchful, how...), {.seed = seed}};
        net.start_all();
        net.run_for(watchful.settled_after());
        const int first = best(net);
        REQUIRE(followed(net) == first);
        const std::vector<int> before = logs;
        grow();
        for (std::size_t v = 0; v < 5; ++v)
            REQUIRE(net.call(v, request::candidacy{election(logs[v], static_cast<int>(v) + 1)}) ==
                    answer::accepted);
        net.run_for(watchful.settled_after());
        CHECK(followed(net) == first);            // who leads stays, whatever others have now
        net.crash(static_cast<std::size_t>(first) - 1);
        net.run_for(watchful.settled_after());
        CHECK(followed(net) == best(net));
        const int now = best(net);
        logs = before;
        others += best(net) != now;
    }
    CHECK((support::sanitized || others > 20));
}

}  // namespace

TEST_CASE("supervised by criterion: the most complete log leads, the greater name among equals") {
    events net{complete{4}, standing_with({3, 7, 5, 7}, watchful)};
    net.start_all();
    net.run_for(watchful.settled_after());
    CHECK(followed(net) == 4);
    CHECK(net[0].id() == 1);
    CHECK(net[3].epoch()->leader == 4);
}

TEST_CASE("supervised by criterion: a candidacy counts from the next election on, and calls none") {
    check_the_most_complete_leads();
}
TEST_CASE("supervised by criterion: by majority too") { check_the_most_complete_leads(majority{}); }

TEST_CASE("supervised by criterion: not in the election that is under way") {
    events net{complete{3}, standing_with({1, 2, 3}, watchful), {.delay = unit{}}};
    net.start_all();                              // all stand as they were made
    CHECK(net.call(0, request::candidacy{election(9, 1)}) == answer::accepted);
    net.run_for(200);
    CHECK(followed(net) == 3);
    const auto reign = net[2].epoch();
    net.run_for(watchful.settled_after());
    CHECK(*net[2].epoch() == *reign);
    net.crash(2);
    net.run_for(watchful.settled_after());
    CHECK(followed(net) == 1);
    CHECK(net[0].process().process().id() == standing{9, 1});
}

TEST_CASE("supervised by criterion: a leader that stands otherwise next time leads on") {
    events net{complete{3}, standing_with({1, 2, 3}, watchful)};
    net.start_all();
    net.run_for(watchful.settled_after());
    const auto reign = net[2].epoch();
    CHECK(net.call(2, request::candidacy{election(0, 3)}) == answer::accepted);
    CHECK(net[2].is_leader());
    net.run_for(watchful.settled_after());
    CHECK(net[2].is_leader());
    CHECK(*net[2].epoch() == *reign);
    CHECK(followed(net) == 3);
}

TEST_CASE("supervised by criterion: nobody stands under another's name") {
    events net{complete{2}, standing_with({1, 2}, watchful)};
    net.start_all();
    CHECK(net.call(0, request::candidacy{election(9, 2)}) == answer::not_a_member);
    net.run_for(watchful.settled_after());
    CHECK(followed(net) == 2);
    net.crash(0);
    net.restart(0);
    net.run_for(watchful.settled_after());
    CHECK(net[0].id() == 1);
    CHECK(followed(net) == 2);
}

TEST_CASE("supervised by criterion: nobody stands with what objects to running there") {
    const auto within = [](ticks wait, int log, int name) {
        return repaired_ring{renewed{standing{log, name}, overdue{wait}}};
    };
    events net{complete{3}, [&](node v) {
        return supervised{within(50, 0, static_cast<int>(v.index) + 1), watchful};
    }};
    net.start_all();
    net.run_for(watchful.settled_after());
    CHECK(followed(net) == 3);
    CHECK(net.call(0, request::candidacy{within(0, 9, 1)}) == answer::unfit);
    CHECK(net.call(1, request::candidacy{within(50, 5, 2)}) == answer::accepted);
    net.crash(2);
    net.run_for(watchful.settled_after());
    CHECK(followed(net) == 2);   // the other stood with what it had
}

TEST_CASE("supervised by criterion: through layers, and on graphs") {
    const auto reliably = [](int log, int name) { return reliable{election(log, name)}; };
    const auto make = [&](node v) {
        return reliable{supervised{reliably(0, static_cast<int>(v.index) + 1), watchful}};
    };
    events net{complete{3}, make};
    net.start_all();
    net.run_for(watchful.settled_after());
    CHECK(net.call(0, request::candidacy{reliably(5, 1)}) == answer::accepted);
    net.crash(2);
    net.run_for(watchful.settled_after());
    CHECK(followed(net) == 1);

    supervised_options far = watchful;
    far.reach = 4;
    events line{path{4}, [&](node v) {
        return supervised{extinction{standing{0, static_cast<int>(v.index) + 1}}, far};
    }};
    line.start_all();
    line.run_for(far.settled_after());
    CHECK(followed(line) == 4);
    CHECK(line.call(2, request::candidacy{extinction{standing{1, 3}}}) == answer::accepted);
    line.crash(3);
    line.run_for(far.settled_after());
    CHECK(followed(line) == 3);                   // who called the election, as extinction has it
    CHECK(line[2].process().id() == standing{1, 3});
}

namespace {

/// An application whose log becomes complete at some time: node 0, the worst by name, gets ahead.
template <class... Policies>
auto getting_ahead(std::size_t nodes, Policies... how) {
    const supervised_options unhurried{.beat = 0, .election_max = 100};
    return [=](node v) {
        const int name = static_cast<int>(v.index) + 1;
        std::vector<request::candidacy<ring_election>> asked;
        if (v.index == 0 || nodes == 2) asked.push_back({election(5 - name, name)});
        return client{supervised{election(0, name), unhurried, how...}, script{asked}};
    };
}
/// The leader, or another, crashes at any time. As long as nobody has been told, elections are held
/// again without end: only those with numbers up to `number_most` are explored.
template <class... Policies>
verdict explored(std::size_t nodes, std::uint64_t number_most, Policies... how) {
    const auto make = getting_ahead(nodes, how...);
    using state = global_state<decltype(make(node{0}))>;
    /// With what a node stood in the last election in which it took part.
    const auto stood_with = [](const state& g, std::size_t v) {
        return g[v].process().process().process().id();
    };
    const auto fenced = [](const state& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; u < v; ++u)
                if (g.alive(u) && g.alive(v) && g[u].is_leader() && g[v].is_leader() &&
                    *g[u].epoch() == *g[v].epoch())
                    return false;
        return true;
    };
    const auto nobody_called = [](const state& g) {   // of those who are alive
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].process().number() != 0) return false;
        return true;
    };
    const auto the_best_leads = [=](const state& g) {
        const std::optional<int> leader = followed(g);
        if (!leader) return nobody_called(g);
        const standing best = stood_with(g, static_cast<std::size_t>(*leader) - 1);
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && best < stood_with(g, v)) return false;
        return true;
    };
    const auto led_by = [=](int log, int name) {
        return [=](const state& g) {
            const auto v = static_cast<std::size_t>(name) - 1;
            return followed(g) == name && stood_with(g, v) == standing{log, name};
        };
    };
    const auto early = [=](const state& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].process().number() > number_most) return false;
        return true;
    };
    const int last = static_cast<int>(nodes);
    return explore(complete{nodes}, make,
                   {.initiators = any_subset,
                    .properties = {always("fenced", fenced),
                                   finally("the best leads", the_best_leads),
                                   sometimes("the new log leads", led_by(4, 1)),
                                   sometimes("the old one leads", led_by(0, last))},
                    .faults = {.crashes = 1}, .perfect_detector = true, .max_states = 300'000,
                    .within = early});
}

}  // namespace

TEST_CASE("supervised by criterion: no two lead in one epoch, any schedule, n = 2, 3, one crash") {
    for (const std::size_t n : {2u, 3u}) {
        const verdict v = explored(n, n == 2 ? 3 : 2);
        MESSAGE(n, " nodes: ", v.states, " states");
        CHECK_MESSAGE(v.holds, v.counterexample.text());
        CHECK(v.limit == "within");
    }
}
TEST_CASE("supervised by criterion, majority: no two lead in one epoch, any schedule, n = 3") {
    const verdict v = explored(3, 2, majority{});
    MESSAGE(v.states, " states");
    CHECK_MESSAGE(v.holds, v.counterexample.text());
    CHECK(v.limit == "within");
}

namespace {

/// Every node stands with something else from time to time, in every life; 3 … 9 nodes.
template <class... Policies>
void swarm_of_candidacies(std::uint64_t runs, const char* name, bool one_per_number,
                          Policies... how) {
    support::swarm_result result;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        const complete t{3 + seed % 7};
        const std::vector<int> names = support::shuffled_ids(t.nodes(), seed);
        const auto make = [&](node v) {
            random_source bits{mix(seed, v.index)};
            std::vector<request::candidacy<ring_election>> asked;
            for (int i = 0; i < 15; ++i)
                asked.push_back({election(static_cast<int>(bits.below(5)), names[v])});
            return client{supervised{election(0, names[v]), watchful, how...},
                          script{asked, {.thinking = 500 + bits.below(500), .again = true}}};
        };
        swarm each{.newcomers_max = 1, .leavers_max = 1};
        if (one_per_number) {
            each.survivors_min = t.nodes() / 2 + 1;
            each.amnesia = false;
        }
        support::swarm_run(result, name, each, seed, t, make, watchful.settled_after(),
                           support::court{names, one_per_number});
    }
    for (std::size_t i = 0; i < result.failures.size() && i < 10; ++i) MESSAGE(result.failures[i]);
    CHECK(result.failures.size() == 0);
    CHECK(result.reigns > 2 * runs);
}
constexpr std::uint64_t runs_a_day = support::sanitized ? 10 : 200;

}  // namespace

TEST_CASE("supervised by criterion: a swarm of faults while criteria change") {
    swarm_of_candidacies(runs_a_day, "by criterion", false);
}
TEST_CASE("supervised by criterion, majority: a swarm, one leader a number") {
    swarm_of_candidacies(runs_a_day, "by criterion, majority", true, majority{});
}
TEST_CASE("nightly: supervised by criterion, 100,000 swarm runs" * doctest::skip()) {
    swarm_of_candidacies(50'000, "by criterion", false);
    swarm_of_candidacies(50'000, "by criterion, majority", true, majority{});
}
