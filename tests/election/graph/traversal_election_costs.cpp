// SPDX-License-Identifier: MIT
// What elections by token cost, on all schedules and on average; and what flawed rules lead to.
#include <caucus/election/graph/traversal_election.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/traversal_elections.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// The least and the most messages for 1, 2 … initiators, over all orders of ids, all sets of that
/// many initiators, which start first, and all schedules.
using table = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

template <class Steering, class... Wake, class Topology>
table over_all_schedules(const Topology& t) {
    table found(t.nodes(), {~std::uint64_t{0}, 0});
    each_permutation(t.nodes(), [&](const std::vector<int>& ids) {
        const auto make = electing_on<Steering, silent, Wake...>(t, ids);
        each_subset(t.nodes(), [&](const std::vector<std::size_t>& starters) {
            const verdict v = explore(t, make, {.initiators = starters,
                                                .properties = {always(at_most_one_leader),
                                                               finally(someone_leads)}});
            CHECK(v.verified());
            const cost proven =
                make(node{0}).messages({t.nodes(), t.links(), starters.size()});
            CHECK(proven.contains(v.messages.least));
            CHECK(proven.contains(v.messages.most));
            auto& [fewest, most] = found[starters.size() - 1];
            fewest = std::min(fewest, v.messages.least);
            most = std::max(most, v.messages.most);
        });
    });
    return found;
}

/// The rules as the lectures print them, by colour, or with a flaw.
enum class rule : std::uint8_t {
    as_printed,
    swallow_own,   // a token is let through only if it is better than the best, not if it is it
    start_late     // a node starts though a token was there
};
struct printed_rules {
    struct token { int initiator; };
    using message = token;
    using timer = nothing;
    using outcome = nothing;

    int self = 0;
    rule how = rule::as_printed;
    int best = 0;
    std::optional<port> from_first = {};
    port_set<> used = {};
    bool won = false;

    int id() const { return self; }
    bool is_leader() const { return won; }
    std::optional<int> leader() const { return won ? std::optional{best} : std::nullopt; }

    void start(auto& env) {
        if (best != 0 && how != rule::start_late) return;
        best = self;
        from_first = {};
        used.clear();
        go(env);
    }
    void on(token m, port from, auto& env) {
        if (m.initiator < best || (how == rule::swallow_own && m.initiator == best)) return;
        if (m.initiator == best && !used.contains(from)) {
            used.insert(from);
            return env.send(from, m);
        }
        if (m.initiator > best) {
            best = m.initiator;
            from_first = from;
            used.clear();
        }
        go(env);
    }
    void go(auto& env) {
        for (const port p : ports(env.degree())) {
            if (from_first == p || !used.insert(p)) continue;
            return env.send(p, token{best});
        }
        if (from_first) env.send(*from_first, token{best});
        else won = true;
    }
};
verdict by_rules(rule how, std::size_t n, property<printed_rules> p) {
    return explore(path{n}, [=](node v) { return printed_rules{static_cast<int>(v) + 1, how}; },
                   {.properties = {p}, .starting = starting::any_time});
}

/// Any connected graph with so many links, all equally likely; at each node the ports are in order
/// of its neighbours' numbers.
graph random_connected(std::size_t n, std::size_t links, random_source& dice) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b) pairs.emplace_back(a, b);
    for (;;) {
        dice.shuffle(pairs);
        std::vector edges(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(links));
        std::sort(edges.begin(), edges.end());
        const graph g{n, edges};
        if (g.connected()) return g;
    }
}

/// The mean over random graphs of 50 nodes and 100 links is the stated one: a whole number, from
/// 200 instances.
template <class Steering>
void check_mean(std::size_t initiators, double stated) {
    average messages;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        random_source dice{seed};
        const graph g = random_connected(50, 100, dice);
        events net{g, electing_on<Steering, silent>(g, ascending(50)),
                   {.seed = seed, .delay = exponential{20}}};
        const std::vector<int> starters = shuffled(50, seed);
        for (std::size_t i = 0; i < initiators; ++i)
            net.start(static_cast<std::size_t>(starters[i]) - 1);
        messages.add(static_cast<double>(net.run().messages));
    }
    const double error = std::sqrt(messages.variance() * (1 / messages.count + 1.0 / 200));
    CAPTURE(initiators);
    CHECK(std::abs(messages.mean() - stated) <= 4 * error + 0.5);
}

}  // namespace

// Cost

TEST_CASE("traversal_election: least and most by path over all schedules, six graphs, n <= 4") {
    CHECK(over_all_schedules<by_paths>(path{3}) == table{{4, 4}, {5, 7}, {6, 8}});
    CHECK(over_all_schedules<by_paths>(complete{3}) == table{{4, 4}, {5, 6}, {6, 7}});
    CHECK(over_all_schedules<by_paths>(path{4}) == table{{6, 6}, {7, 11}, {8, 14}, {9, 15}});
    CHECK(over_all_schedules<by_paths>(star{4}) == table{{6, 6}, {7, 11}, {8, 13}, {9, 14}});
    CHECK(over_all_schedules<by_paths>(two_way_ring{4}) ==
          table{{6, 6}, {7, 9}, {8, 11}, {9, 12}});
    CHECK(over_all_schedules<by_paths>(complete{4}) == table{{6, 6}, {7, 9}, {8, 11}, {9, 12}});
}

TEST_CASE("traversal_election: least and most by colour over all schedules, six graphs, n <= 4") {
    CHECK(over_all_schedules<by_colours>(path{3}) == table{{4, 4}, {5, 7}, {6, 8}});
    CHECK(over_all_schedules<by_colours>(complete{3}) == table{{6, 6}, {7, 8}, {8, 9}});
    CHECK(over_all_schedules<by_colours>(path{4}) == table{{6, 6}, {7, 11}, {8, 14}, {9, 15}});
    CHECK(over_all_schedules<by_colours>(star{4}) == table{{6, 6}, {7, 11}, {8, 13}, {9, 14}});
    CHECK(over_all_schedules<by_colours>(two_way_ring{4}) ==
          table{{8, 8}, {9, 11}, {10, 13}, {11, 14}});
    const graph by_number{4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
    CHECK(over_all_schedules<by_colours>(by_number) ==
          table{{12, 12}, {13, 17}, {14, 19}, {15, 20}});
    // Ports in successor order lead the tokens apart less often: the most is less.
    CHECK(over_all_schedules<by_colours>(complete{4}) ==
          table{{12, 12}, {13, 15}, {14, 17}, {15, 18}});
}

TEST_CASE("traversal_election: the proven bounds are reached on paths, by any number of starters") {
    for (const std::size_t n : sizes{1, 2, 3, 4}) {
        const table found = over_all_schedules<by_colours>(path{n});
        for (std::size_t k = 1; k <= n; ++k) {
            const cost proven = traversal_election<int, silent>::messages({n, n - 1, k});
            CHECK(proven.least == 2 * (n - 1) + (k - 1));
            CHECK(proven.most == 2 * (n - 1) + (k - 1) * (2 * n - 1 - k));
            CHECK(found[k - 1] == std::pair{proven.least, proven.most});
        }
    }
}

TEST_CASE("traversal_election: joined or suppressed, least and most over all schedules, n <= 4") {
    CHECK(over_all_schedules<by_colours, join>(path{3}) == table{{6, 8}, {6, 8}, {6, 8}});
    CHECK(over_all_schedules<by_colours, suppress>(path{3}) == table{{4, 8}, {5, 8}, {6, 8}});
    CHECK(over_all_schedules<by_colours, join>(complete{3}) == table{{8, 9}, {8, 9}, {8, 9}});
    CHECK(over_all_schedules<by_paths, suppress>(complete{3}) == table{{4, 6}, {5, 7}, {6, 7}});
    CHECK(over_all_schedules<by_colours, suppress>(path{4}) ==
          table{{6, 15}, {7, 15}, {8, 15}, {9, 15}});
}

TEST_CASE("traversal_election: suppressed, one caller at the worst end of a path: the tokens come "
          "one after the other, n²-1 messages in as many rounds") {
    for (std::size_t n = 2; n <= 12; ++n) {
        rounds sim{path{n}, electing_on<by_colours, silent, suppress>(path{n}, descending(n))};
        sim.start(n - 1);   // ports in order: each token is led back first
        const report r = sim.run();
        CHECK(r.messages == n * n - 1);
        CHECK(r.rounds == n * n - 1);
        CHECK(r.messages == r.proven->most);
        CHECK(traversal_election<int, suppress, silent>::time(r.size).most == n * n - 1);
    }
}

TEST_CASE("traversal_election: n²-1 messages on a path when all start and the worse go first") {
    // Each token is let run to the far end and back before the next, better one may move.
    for (std::size_t n = 2; n <= 12; ++n) {
        const auto one_token_after_the_other = [n](const hop& h, random_source&) -> ticks {
            return h.sent == 0 ? 1 + (n - 1 - h.from.index) * 4 * n : 1;
        };
        const events_options options{.delay = by_hand{one_token_after_the_other}};
        const std::vector<int> ids = descending(n);
        events coloured{path{n}, electing_on<by_colours, silent>(path{n}, ids), options};
        coloured.start_all();
        CHECK(coloured.run().messages == n * n - 1);
        events listed{path{n}, electing_on<by_paths, silent>(path{n}, ids), options};
        listed.start_all();
        CHECK(listed.run().messages == n * n - 1);
    }
}

TEST_CASE("traversal_election: one initiator: exactly 2|E| or 2(n-1), and n-1 announcements") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        const graph g = random_sparse_graph(25, 24 + seed % 200, seed);
        const std::vector<int> ids = shuffled(25, seed);
        events coloured{g, electing_on<by_colours>(g, ids), {.seed = seed, .fifo = false}};
        coloured.start(seed % 25);
        CHECK(coloured.run().messages == 2 * g.links() + 24);
        events listed{g, electing_on<by_paths>(g, ids), {.seed = seed, .fifo = false}};
        listed.start(seed % 25);
        CHECK(listed.run().messages == 2 * 24 + 24);
    }
}

TEST_CASE("traversal_election: means for 50 nodes and 100 links, 1 to 50 initiators") {
    const std::vector<std::pair<std::size_t, double>> by_path_means{
        {1, 98}, {2, 107}, {5, 122}, {10, 138}, {25, 169}, {50, 202}};
    for (const auto& [initiators, mean] : by_path_means) check_mean<by_paths>(initiators, mean);
    const std::vector<std::pair<std::size_t, double>> by_colour_means{
        {1, 200}, {2, 209}, {5, 223}, {10, 238}, {25, 270}, {50, 304}};
    for (const auto& [initiators, mean] : by_colour_means) check_mean<by_colours>(initiators, mean);
}

// Outside the model

TEST_CASE("traversal_election: with i <= T for i < T the own token ends at home: nobody leads") {
    for (std::size_t n = 2; n <= 4; ++n) {
        CHECK(by_rules(rule::as_printed, n, finally(someone_leads)).verified());
        const verdict v = by_rules(rule::swallow_own, n, sometimes(someone_leads));
        CHECK(v.complete);
        CHECK_FALSE(v.holds);   // on no schedule
    }
    CHECK(by_rules(rule::swallow_own, 2, finally(someone_leads)).counterexample.size() == 4);
}

TEST_CASE("traversal_election: if visited nodes may start, two can lead") {
    CHECK(by_rules(rule::as_printed, 2, always(at_most_one_leader)).verified());
    const verdict v = by_rules(rule::start_late, 2, always(at_most_one_leader));
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 6);   // 1 is home when 2, which it has visited, comes too
}
