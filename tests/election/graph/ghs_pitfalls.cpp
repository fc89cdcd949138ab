// SPDX-License-Identifier: MIT
// What breaks the search for the minimum spanning tree: each wrong reading of the rules by its
// shortest story, and whatever is not as the algorithm assumes.
#include <caucus/election/graph/ghs.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>
#include <support/weighted.hpp>

#include <climits>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

enum class bug : std::uint8_t {
    none, looks_once, rejects_a_tester, rejects_and_goes_on, named_by_node
};

/// The paper's appendix as it stands, with one queue for all that has to wait, looked through after
/// every message; and a place for one wrong reading. Edges are named by a number each.
struct textbook {
    enum class kind : std::uint8_t {
        connect, initiate, test, accept, reject, report, change_root
    };
    struct letter {
        textbook::kind kind;
        int level = 0;
        int weight = 0;   // of an edge, or a fragment's name
        bool find = false;
    };
    using message = letter;
    using timer = nothing;
    using outcome = nothing;
    enum class status : std::uint8_t { basic, branch, rejected };
    static constexpr int infinite = INT_MAX;

    int self = 0;
    std::vector<int> weights = {};
    bug has = bug::none;
    std::vector<status> edges = std::vector<status>(weights.size(), status::basic);
    bool awake = false, find = false, halted = false;
    int level = 0, fragment = 0, best_weight = infinite, find_count = 0;
    int best_edge = -1, test_edge = -1, in_branch = -1;
    std::vector<std::pair<std::size_t, letter>> queue = {};

    bool is_branch(port p) const { return edges[p] == status::branch; }

    void start(auto& env) { wake_up(env); }
    void on(const letter& m, port from, auto& env) {
        wake_up(env);
        if (!handle(m, from, env)) queue.emplace_back(from, m);
        for (std::size_t i = 0; i < queue.size() && has != bug::looks_once;) {
            const auto [p, waiting] = queue[i];
            if (!handle(waiting, port{p}, env)) {
                ++i;
                continue;
            }
            queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(i));
            i = 0;
        }
    }

    static auto fields(auto& t) {
        return std::tie(t.self, t.edges, t.awake, t.find, t.halted, t.level, t.fragment,
                        t.best_weight, t.find_count, t.best_edge, t.test_edge, t.in_branch,
                        t.queue);
    }

private:
    static port at(int edge) { return port{edge}; }

    int lightest_basic() const {
        int found = -1;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (edges[i] != status::basic) continue;
            if (found < 0 || weights[i] < weights[static_cast<std::size_t>(found)])
                found = static_cast<int>(i);
        }
        return found;
    }
    void wake_up(auto& env) {
        if (std::exchange(awake, true)) return;
        best_edge = lightest_basic();
        change_root(env);
    }
    void initiate(port p, int l, int f, bool s, auto& env) {
        env.send(p, letter{kind::initiate, l, f, s});
    }

    /// False: not yet.
    bool handle(const letter& m, port from, auto& env) {
        const int j = static_cast<int>(from.index());
        switch (m.kind) {
            case kind::connect: {
                if (m.level < level) {
                    edges[from] = status::branch;
                    initiate(from, level, fragment, find, env);
                    find_count += find;
                    return true;
                }
                if (edges[from] == status::basic) return false;
                const int name = has == bug::named_by_node ? self : weights[from];
                initiate(from, level + 1, name, true, env);
                return true;
            }
            case kind::initiate:
                level = m.level;
                fragment = m.weight;
                find = m.find;
                in_branch = j;
                best_edge = -1;
                best_weight = infinite;
                for (const port p : ports(edges.size())) {
                    if (p == from || !is_branch(p)) continue;
                    initiate(p, level, fragment, find, env);
                    find_count += find;
                }
                if (find) test(env);
                return true;
            case kind::test:
                if (m.level > level) return false;
                if (m.weight != fragment) {
                    env.send(from, letter{kind::accept});
                    return true;
                }
                if (edges[from] == status::basic) edges[from] = status::rejected;
                if (test_edge != j || has == bug::rejects_a_tester ||
                    has == bug::rejects_and_goes_on)
                    env.send(from, letter{kind::reject});
                if (test_edge == j && has != bug::rejects_a_tester) test(env);
                return true;
            case kind::accept:
                test_edge = -1;
                improve(weights[from], j);
                report(env);
                return true;
            case kind::reject:
                if (edges[from] == status::basic) edges[from] = status::rejected;
                test(env);
                return true;
            case kind::report:
                if (j != in_branch) {
                    --find_count;
                    improve(m.weight, j);
                    report(env);
                    return true;
                }
                if (find) return false;
                if (m.weight > best_weight) change_root(env);
                else halted = m.weight == infinite && best_weight == infinite;
                return true;
            default: change_root(env); return true;
        }
    }
    void improve(int weight, int edge) {
        if (weight >= best_weight) return;
        best_weight = weight;
        best_edge = edge;
    }
    void test(auto& env) {
        test_edge = lightest_basic();
        if (test_edge < 0) return report(env);
        env.send(at(test_edge), letter{kind::test, level, fragment});
    }
    void report(auto& env) {
        if (find_count != 0 || test_edge >= 0) return;
        find = false;
        env.send(at(in_branch), letter{kind::report, 0, best_weight});
    }
    void change_root(auto& env) {
        if (is_branch(at(best_edge))) return env.send(at(best_edge), letter{kind::change_root});
        env.send(at(best_edge), letter{kind::connect, level});
        edges[at(best_edge)] = status::branch;
    }
};

auto textbooks(const weighted& w, bug b) {
    return [&w, b](node v) { return textbook{w.ids[v], w.weights(v), b}; };
}

using state = global_state<textbook>;
const auto two_halt = [](const state& g) {
    std::size_t halted = 0;
    for (std::size_t v = 0; v < g.nodes(); ++v) halted += g[v].halted;
    return halted == 2;
};
auto is_a_tree(const weighted& w) {
    return [&w](const state& g) {
        std::size_t branches = 0;
        for (std::size_t v = 0; v < w.nodes(); ++v)
            for (const port p : ports(w.shape.degree(node{v}))) branches += g[v].is_branch(p);
        return branches <= 2 * (w.nodes() - 1);
    };
}
/// So one place for each is enough; and a report waits at a branch only, where nothing else does.
const auto one_waits_at_a_port = [](const state& g) {
    for (std::size_t v = 0; v < g.nodes(); ++v)
        for (const auto& [port, letter] : g[v].queue)
            for (const auto& [other, unused] : g[v].queue)
                if (&letter != &unused && port == other) return false;
    return true;
};
verdict reading(const weighted& w, bug b, property<textbook> p) {
    return explore(w.shape, textbooks(w, b), {.initiators = any_subset, .properties = {p},
                                              .starting = starting::any_time});
}

weighted triangle() {
    weighted w{graph{3, {{0, 1}, {1, 2}, {2, 0}}}, ascending(3)};
    w.set({1, 3, 2});   // 0-1, 0-2, 1-2
    return w;
}
weighted square_with_diagonals() {
    weighted w{graph{4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {1, 3}}}, ascending(4)};
    w.set({1, 6, 3, 4, 5, 2});
    return w;
}
auto ghs_nodes(const weighted& w) {
    return [&w](node v) { return ghs{w.ids[v], w.peers(v), w.weights(v)}; };
}

}  // namespace

TEST_CASE("ghs: the paper's queue and one place for each port do the same, at the same cost") {
    for (const weighted& w : {triangle(), square_with_diagonals()}) {
        const verdict paper = reading(w, bug::none, finally(two_halt));
        CHECK_MESSAGE(paper.verified(), paper.counterexample.text());
        CHECK(reading(w, bug::none, always(is_a_tree(w))).verified());
        CHECK(reading(w, bug::none, always(one_waits_at_a_port)).verified());
        const verdict ours = explore(w.shape, ghs_nodes(w), {.initiators = any_subset,
                                                            .starting = starting::any_time});
        CHECK(ours.complete);
        const std::uint64_t announced = w.nodes() - 2;
        CHECK(ours.messages.least == paper.messages.least + announced);
        CHECK(ours.messages.most == paper.messages.most + announced);
    }
}

TEST_CASE("ghs: with equal weights and no tie-break fragments join in a circle, and none merge") {
    // Port 0 leads to the next node: everybody's first choice among equals.
    const auto in_a_circle = [](node at) { return textbook{static_cast<int>(at.index), {1, 1}}; };
    const verdict v = explore(two_way_ring{3}, in_a_circle, {.properties = {finally(two_halt)}});
    CHECK_FALSE(v.holds);
    CHECK(v.messages.most == 3);   // each has connected to the next, and waits for it
    const weighted w{graph{3, {{0, 1}, {1, 2}, {2, 0}}}, ascending(3)};
    const auto ids_decide = [&](node at) {
        return ghs{w.ids[at], peer_ids(two_way_ring{3}, at, w.ids)};
    };
    CHECK(explore(two_way_ring{3}, ids_decide, {.properties = {finally(all_agree)}}).verified());
}

TEST_CASE("ghs: who does not look again at what waits lets it wait for ever") {
    const verdict v = reading(triangle(), bug::looks_once, finally(two_halt));
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 8);
    CHECK(v.counterexample.how == "is false when all is over, after");
}

TEST_CASE("ghs: a reject to one that tests the same edge: two more messages, or no end") {
    // In place of going on: it does end, and each such edge costs four instead of two.
    const weighted w = square_with_diagonals();
    const verdict right = reading(w, bug::none, finally(two_halt));
    const verdict instead = reading(w, bug::rejects_a_tester, finally(two_halt));
    CHECK(instead.holds);
    CHECK(instead.messages.most > right.messages.most);
    // And going on: the reject comes when another edge is tested, which is then tested twice.
    const verdict besides = reading(w, bug::rejects_and_goes_on, finally(two_halt));
    CHECK_FALSE(besides.holds);
    CHECK(besides.counterexample.how == "is false when all is over, after");
}

TEST_CASE("ghs: named by a node, the two halves of a fragment take each other for strangers") {
    const verdict v = reading(triangle(), bug::named_by_node, finally(two_halt));
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 16);
}

// Outside the model

TEST_CASE("ghs: without fifo an initiate overtakes a connect, and two nodes do not agree") {
    const weighted two{graph{2, {{0, 1}}}, {1, 2}};
    CHECK_THROWS_WITH(events(two.shape, ghs_nodes(two), {.fifo = false}),
                      "events: the algorithm needs fifo links; "
                      "leave fifo on, or say outside_model");
    const verdict v =
        explore(two.shape, ghs_nodes(two),
                {.properties = {finally(all_agree)}, .fifo = false, .outside_model = true});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 4);
}

TEST_CASE("ghs: unnumbered, a report that comes twice counts twice, and they never end") {
    const weighted w = triangle();
    const verdict v = explore(w.shape, textbooks(w, bug::none),
                              {.properties = {finally(two_halt)}, .faults = {.duplicates = 1}});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.text().find("doubled: letter{5, ") != std::string::npos);
    CHECK(explore(w.shape, ghs_nodes(w),
                  {.properties = {finally(all_agree)}, .faults = {.duplicates = 1}}).verified());
}

TEST_CASE("ghs: a crash or a loss stops it; nobody is elected wrongly") {
    const weighted w = triangle();
    for (const fault_budget faults : {fault_budget{.crashes = 1}, fault_budget{.losses = 1}}) {
        const verdict v = explore(w.shape, ghs_nodes(w),
                                  {.initiators = any_subset,
                                   .properties = {always(at_most_one_leader)}, .faults = faults});
        CHECK(v.verified());
        CHECK_FALSE(explore(w.shape, ghs_nodes(w),
                            {.properties = {finally(someone_leads)}, .faults = faults}).holds);
    }
}

TEST_CASE("ghs: ends that disagree about a weight wait for each other") {
    // To node 0 its edge to 1 is the lightest, to 1 the one to 2, to 2 the one to 0.
    const std::vector<std::vector<int>> at{{1, 2}, {2, 1}, {2, 1}};
    const graph g{3, {{0, 1}, {1, 2}, {2, 0}}};
    const std::vector<int> ids = ascending(3);
    rounds sim{g, [&](node v) { return ghs{ids[v], peer_ids(g, v, ids), at[v]}; }};
    sim.start_all();
    CHECK(sim.run().messages == 3);
    CHECK_FALSE(sim[0].leader().has_value());
}

TEST_CASE("ghs: a disconnected graph, missing peers and equal ids are refused") {
    const std::vector<int> ids = ascending(3);
    const auto make = [&](const graph& g) {
        return [&ids, &g](node v) { return ghs{ids[v], peer_ids(g, v, ids)}; };
    };
    const graph apart{3, {{0, 1}}};
    CHECK_THROWS_WITH(rounds(apart, make(apart)),
                      "simulation: the graph is not connected: no way from node 0 to node 2");
    const graph path{3, {{0, 1}, {1, 2}}};
    const auto lonely = [&](node v) { return ghs{ids[v], std::vector{v == 1 ? 1 : 2}}; };
    CHECK_THROWS_WITH(rounds(path, lonely), "simulation: node 1 knows 1 peers and has 2 ports");
    const graph ring{4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
    const std::vector<int> four = ascending(4);
    const auto sorted_peers = [&](node v) {
        std::vector<int> peers = peer_ids(ring, v, four);
        std::sort(peers.begin(), peers.end());
        return ghs{four[v], peers};
    };
    CHECK_THROWS_WITH(rounds(ring, sorted_peers), "simulation: behind port 0 of node 3 is node 2, "
                                                  "not the peer that it was told of");
    const std::vector<int> twins{1, 2, 3, 1};
    const graph line{4, {{0, 1}, {1, 2}, {2, 3}}};
    const auto equal = [&](node v) { return ghs{twins[v], peer_ids(line, v, twins)}; };
    CHECK_THROWS_WITH(rounds(line, equal), "simulation: nodes 0 and 3 have the same id");
}

TEST_CASE("ghs: parallel edges are edges if their weights differ; a link to oneself is refused") {
    const int ids[] = {1, 2};
    const auto weighing = [&](int heavier) {
        return [&ids, heavier](node v) {   // port 0 leads to the other's port 1
            const std::vector<int> weights{v == 0 ? 1 : heavier, v == 0 ? heavier : 1};
            return ghs{ids[v], std::vector{3 - ids[v], 3 - ids[v]}, weights};
        };
    };
    CHECK_THROWS_WITH(weighing(1)(node{0}),
                      "ghs: two ports lead to the same peer, and neither edge is lighter");
    const verdict v = explore(two_way_ring{2}, weighing(2),
                              {.initiators = any_subset,
                               .properties = {always(at_most_one_leader), finally(all_agree)},
                               .starting = starting::any_time});
    CHECK(v.verified());
    CHECK(v.messages.least == 8);
    CHECK(v.messages.most == 8);
    CHECK_THROWS_WITH(ghs(1, std::vector{2, 1}), "ghs: port 1 leads to the node itself");
    CHECK_THROWS_WITH(ghs(1, std::vector{2, 3}, std::vector{4}), "ghs: 2 peers and 1 weights");
}
