// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/graph/wave_election.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/graphs.hpp>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// What the tests of elections by waves share: all of them promise the same.

namespace support {

/// Runs to the end: the one leads that the card says, all know and said so once, parents span.
caucus::report check_wave_election(auto& sim, const std::vector<int>& ids,
                                   const std::vector<std::size_t>& starters) {
    for (const std::size_t v : starters) sim.start(v);
    const caucus::report r = sim.run();
    const int best = elected_by_card(sim[0], ids, starters);
    std::size_t leader = 0;
    std::size_t leaders = 0;
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        CHECK(sim[v].leader() == best);
        if (sim[v].is_leader()) {
            leader = v;
            ++leaders;
        }
    }
    CHECK(leaders == 1);
    CHECK(ids[leader] == best);
    CHECK(spans(sim, leader));
    CHECK(sim.outcomes().size() == sim.nodes());
    CHECK(r.stopped == caucus::stop::quiescent);
    CHECK(r.within_proven());
    CHECK(r.by_kind("elected") == sim.nodes() - 1);
    CHECK(r.by_kind("explorer") + r.by_kind("echo") >= 2 * sim.topology().links());
    return r;
}

inline std::uint64_t without_announcement(const caucus::report& r) {
    return r.messages - r.by_kind("elected");
}

/// On `rounds` and, out of order, on `events`: every graph, order of ids and set of starters.
template <template <class...> class Election, class... Policies>
void check_every_graph_up_to(std::size_t n_most) {
    for (std::size_t n = 1; n <= n_most; ++n)
        each_connected_graph(n, [&](const caucus::graph& g) {
            each_permutation(n, [&](const std::vector<int>& ids) {
                each_subset(n, [&](const std::vector<std::size_t>& starters) {
                    caucus::rounds sim{g, electing<Election, Policies...>{ids}};
                    check_wave_election(sim, ids, starters);
                    caucus::events net{g, electing<Election, Policies...>{ids},
                                       {.seed = static_cast<std::uint64_t>(ids[0]),
                                        .delay = caucus::heavy_tailed{1, 100}, .fifo = false}};
                    check_wave_election(net, ids, starters);
                });
            });
        });
}

/// Two nodes with two links between them.
template <template <class...> class Election, class... Policies>
void check_parallel_links() {
    const std::vector<int> ids{1, 2};
    each_subset(2, [&](const std::vector<std::size_t>& starters) {
        caucus::rounds sim{caucus::two_way_ring{2}, electing<Election, Policies...>{ids}};
        check_wave_election(sim, ids, starters);
    });
}

/// Random graphs of 2 to n_most nodes, with delays of every temper, fifo or not.
template <template <class...> class Election, class... Policies>
void check_random_graphs_up_to(std::size_t n_most, std::uint64_t seeds) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        caucus::random_source dice{seed};
        const std::size_t n = 2 + dice.below(n_most - 1);
        const std::vector<int> ids = shuffled(n, seed);
        const std::size_t links = std::min(n - 1 + dice.below(2 * n), n * (n - 1) / 2);
        const caucus::graph g = caucus::random_sparse_graph(n, links, seed);
        const std::vector<std::size_t> starters = some_of(n, dice);
        for (const caucus::delay_model& delay : every_delay()) {
            caucus::events net{g, electing<Election, Policies...>{ids},
                               {.seed = seed, .delay = delay, .fifo = seed % 2 == 0}};
            check_wave_election(net, ids, starters);
        }
    }
}

/// Remembers whether it really started, that is, whether that changed anything; and whether an echo
/// ever surprised it with a mark better than its own.
template <template <class...> class Election, class... Policies>
struct witness : Election<int, Policies...> {
    using election = Election<int, Policies...>;
    bool started = false;
    bool surprised = false;

    explicit witness(int id) : election(id, Policies{}...) {}
    int mark() const { return this->caucus::template wave_election<int, Policies...>::mark_; }

    void start(auto& env) {
        const election before = *this;
        election::start(env);
        started = started || !caucus::same(before, static_cast<const election&>(*this));
    }
    template <class Kind>
    void on(const Kind& m, caucus::port from, auto& env) {
        if constexpr (std::is_same_v<Kind, typename election::echo>)
            surprised = surprised || m.mark > mark();
        election::on(m, from, env);
    }

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(election::fields(self), std::tie(self.started, self.surprised));
    }
};

struct nobody_is_surprised {
    static std::uint64_t observes(const auto& p) { return p.surprised; }
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].surprised) return false;
        return true;
    }
};

/// The wave of a leader has been everywhere. (Not where it adopts: old marks stay.)
struct the_leader_marks_all {
    static std::uint64_t observes(const auto& p) {
        return caucus::mix(p.is_leader(), static_cast<std::uint64_t>(p.mark()));
    }
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; g[v].is_leader() && u < g.nodes(); ++u)
                if (g[u].mark() != g[v].id()) return false;
        return true;
    }
};

/// Whoever is known to lead is the best of those that have started, or of all, as the card says.
struct the_best_by_card_leads {
    static std::uint64_t observes(const auto& p) {
        return caucus::mix(p.started, p.leader() ? static_cast<std::uint64_t>(*p.leader()) : 0);
    }
    bool operator()(const auto& g) const {
        int best = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].started || g[v].elects == caucus::winner::best_of_all)
                best = std::max(best, g[v].id());
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].leader() && *g[v].leader() != best) return false;
        return true;
    }
};

/// The parents form a spanning tree, with the leader as its root.
struct parents_span {
    caucus::graph links;

    template <class State>
    struct on_graph {
        const State& state;
        const caucus::graph& links;

        std::size_t nodes() const { return state.nodes(); }
        const auto& operator[](std::size_t v) const { return state[v]; }
        const caucus::graph& topology() const { return links; }
    };

    static std::uint64_t observes(const auto& p) {
        return caucus::mix(p.is_leader(), p.parent() ? p.parent()->index() + 1 : 0);
    }
    bool operator()(const auto& g) const {
        std::size_t leader = 0;
        while (leader < g.nodes() && !g[leader].is_leader()) ++leader;
        return leader < g.nodes() &&
               spans(on_graph<std::remove_cvref_t<decltype(g)>>{g, links}, leader);
    }
};

/// Some node that did not start leads.
struct an_invited_leads {
    static std::uint64_t observes(const auto& p) {
        return caucus::mix(p.started, p.is_leader());
    }
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].is_leader() && !g[v].started) return true;
        return false;
    }
};

template <class P>
std::vector<caucus::property<P>> promises(const caucus::graph& g) {
    return {caucus::always(caucus::at_most_one_leader), caucus::sometimes(caucus::someone_leads),
            caucus::always(the_best_by_card_leads{}), caucus::always(nobody_is_surprised{}),
            caucus::finally(caucus::all_agree), caucus::finally(parents_span{g})};
}

/// The same nodes and links as a graph.
inline caucus::graph as_graph(const auto& topology) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t v = 0; v < topology.nodes(); ++v)
        for (const caucus::port p : caucus::ports(topology.degree(caucus::node{v})))
            if (const std::size_t u = topology.across(caucus::node{v}, p).node; v < u)
                edges.emplace_back(v, u);
    return caucus::graph{topology.nodes(), edges};
}
/// With those, the connected graphs on four nodes besides the path, the star, the ring and all.
inline const caucus::graph paw{4, {{0, 1}, {1, 2}, {2, 0}, {0, 3}}};
inline const caucus::graph diamond{4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}};

/// Fewest and most messages but for announcements.
using costs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// For each of these numbers of initiators: over all schedules, all sets of so many that start at
/// once, and all ways to place the ids. They promise what they promise, within the card.
template <template <class...> class Election, class... Policies>
costs costs_of_all_schedules(const caucus::graph& g, const std::vector<std::size_t>& initiators) {
    using P = witness<Election, Policies...>;
    costs found;
    for (const std::size_t k : initiators) {
        const caucus::cost card =
            P::messages({.nodes = g.nodes(), .links = g.links(), .initiators = k});
        std::uint64_t least = ~std::uint64_t{0};
        std::uint64_t most = 0;
        each_labelling(g, [&](const std::vector<int>& ids) {
            each_subset(g.nodes(), [&](const std::vector<std::size_t>& starters) {
                if (starters.size() != k) return;
                const caucus::verdict v =
                    caucus::explore(g, [&](caucus::node u) { return P{ids[u]}; },
                                    {.initiators = starters, .properties = promises<P>(g)});
                CAPTURE(v.counterexample.text());
                CHECK(v.verified());
                CHECK(card.contains(v.messages.least));
                CHECK(card.contains(v.messages.most));
                least = std::min(least, v.messages.least);
                most = std::max(most, v.messages.most);
            });
        });
        const std::uint64_t announcements = g.nodes() - 1;
        found.emplace_back(least - announcements, most - announcements);
    }
    return found;
}

/// Every schedule that the given options allow, for every way to place the ids.
template <class P>
void check_all_schedules(const caucus::graph& g, const caucus::explore_options<P>& options) {
    each_labelling(g, [&](const std::vector<int>& ids) {
        const caucus::verdict v =
            caucus::explore(g, [&](caucus::node u) { return P{ids[u]}; }, options);
        CAPTURE(v.counterexample.text());
        CHECK(v.verified());
    });
}

/// The same for every graph with n nodes and so many links at most, and any set of starters.
template <template <class...> class Election, class... Policies>
void check_every_start(std::size_t n, std::size_t links_most,
                       caucus::explore_options<witness<Election, Policies...>> how) {
    how.initiators = caucus::any_subset;
    each_kind_of_graph(n, [&](const caucus::graph& g) {
        how.properties = promises<witness<Election, Policies...>>(g);
        if (g.links() <= links_most) check_all_schedules<witness<Election, Policies...>>(g, how);
    });
}

/// Repeated messages change nothing: any so many of them, any schedule and start set, fifo or not.
template <template <class...> class Election, class... Policies>
void check_repetitions_up_to(std::size_t nodes_most, std::uint8_t repetitions) {
    using P = witness<Election, Policies...>;
    for (std::size_t n = 1; n <= nodes_most; ++n)
        each_kind_of_graph(n, [&](const caucus::graph& g) {
            for (const bool fifo : {true, false})
                check_all_schedules<P>(g, {.initiators = caucus::any_subset,
                                           .properties = promises<P>(g),
                                           .faults = {.duplicates = repetitions},
                                           .fifo = fifo});
        });
}

/// Whoever calls, the best of all leads: every graph of up to four nodes in rounds and, out of
/// order, in events; random ones; every schedule, start set and time of starts on up to three,
/// fifo or not; with a repetition, too. And now and then the leader has not called.
template <template <class...> class Election, class Wake>
void check_whoever_calls() {
    using P = witness<Election, Wake>;
    static_assert(P::elects == caucus::winner::best_of_all);
    static_assert(sizeof(Election<int, Wake>) == sizeof(Election<int>));
    check_every_graph_up_to<Election, Wake>(4);
    check_parallel_links<Election, Wake>();
    check_random_graphs_up_to<Election, Wake>(30, 100);
    for (std::size_t n = 1; n <= 3; ++n)
        each_kind_of_graph(n, [n](const caucus::graph& g) {
            auto properties = promises<P>(g);
            if (n > 1) properties.push_back(caucus::sometimes(an_invited_leads{}));
            for (const bool fifo : {true, false})
                check_all_schedules<P>(g, {.initiators = caucus::any_subset,
                                           .properties = properties, .fifo = fifo,
                                           .starting = caucus::starting::any_time});
        });
    check_repetitions_up_to<Election, Wake>(3, 1);
}

/// A ring of four, called by each of them alone: in the paper's form that makes four leaders, with
/// the other two always the same.
template <template <class...> class Election>
void check_four_callers() {
    const auto leader_by = []<class Make>(const Make& make, std::size_t caller) {
        caucus::rounds sim{caucus::two_way_ring{4}, make};
        sim.start(caller);
        sim.run();
        return sim[0].leader();
    };
    const std::vector<int> ids{2, 1, 4, 3};
    for (std::size_t caller = 0; caller < 4; ++caller) {
        CHECK(leader_by(electing<Election>{ids}, caller) == ids[caller]);
        CHECK(leader_by(electing<Election, caucus::join>{ids}, caller) == 4);
        CHECK(leader_by(electing<Election, caucus::suppress>{ids}, caller) == 4);
    }
}

/// Started twice it starts once; a better one that was reached before it starts does not.
template <template <class...> class Election>
void check_one_start() {
    caucus::rounds sim{caucus::path{3}, electing<Election>{{1, 9, 5}}};
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = 1});
    sim.start(1);
    CHECK(sim.run().size.initiators == 1);
    CHECK(sim[1].leader() == 1);
}

/// The least may be the best.
template <template <class...> class Election, class Least>
void check_least_leads() {
    caucus::rounds sim{caucus::complete{4}, electing<Election, Least>{{4, 2, 1, 3}}};
    sim.start_all();
    sim.run();
    for (std::size_t v = 0; v < 4; ++v) CHECK(sim[v].leader() == 1);
}

/// One initiator, 60 random graphs: 2|E| and n-1 announcements, and perhaps the card says so.
template <template <class...> class Election>
void check_one_initiator(bool card_has_a_mean) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const caucus::graph g = caucus::random_graph(25, 0.2, seed);
        const std::vector<int> ids = shuffled(25, seed);
        caucus::events net{g, electing<Election>{ids},
                           {.seed = seed, .delay = caucus::exponential{7}}};
        const caucus::report r = check_wave_election(net, ids, {seed % 25});
        CHECK(without_announcement(r) == 2 * g.links());
        if (card_has_a_mean) CHECK(r.messages == *r.proven->mean);
    }
}

/// Fewest and most over all schedules on the first of these graphs. Two figures for four nodes are
/// those of one initiator and of all: in between it takes too long.
template <template <class...> class Election, class... Policies>
void check_first_costs(const std::vector<costs>& stated) {
    const caucus::graph graphs[] = {
        as_graph(caucus::path{1}), as_graph(caucus::path{2}), as_graph(caucus::path{3}),
        as_graph(caucus::complete{3}), as_graph(caucus::path{4}), as_graph(caucus::star{4}),
        as_graph(caucus::two_way_ring{4}), paw, diamond, as_graph(caucus::complete{4})};
    for (std::size_t i = 0; i < stated.size(); ++i) {
        CAPTURE(i);
        const std::size_t n = graphs[i].nodes();
        std::vector<std::size_t> initiators;
        for (std::size_t k = 1; k <= n; ++k)
            if (k == 1 || stated[i].size() == n || (k == n && stated[i].size() == 2))
                initiators.push_back(k);
        CHECK(costs_of_all_schedules<Election, Policies...>(graphs[i], initiators) == stated[i]);
    }
}

/// On every kind of graph, n <= 4.
template <template <class...> class Election>
void check_costs(const std::vector<costs>& stated) {
    REQUIRE(stated.size() == 10);
    check_first_costs<Election>(stated);
}

template <template <class...> class Election>
void check_disconnected_is_refused() {
    CHECK_THROWS_WITH(caucus::rounds(caucus::graph{3, {{0, 1}}}, electing<Election>{{1, 2, 3}}),
                      "simulation: the graph is not connected: no way from node 0 to node 2");
}

/// Equal ids are refused; let through, they merge their waves: two winners.
template <template <class...> class Election>
void check_equal_ids() {
    const electing<Election> make{{5, 1, 5}};
    CHECK_THROWS_WITH(caucus::rounds(caucus::path{3}, make),
                      "simulation: nodes 0 and 2 have the same id");
    caucus::rounds sim{caucus::path{3}, make, {.outside_model = true}};
    sim.start(0);
    sim.start(2);
    sim.run();
    CHECK(sim[0].is_leader());
    CHECK(sim[2].is_leader());
}

template <template <class...> class Election>
void check_crash_stops_the_wave() {
    caucus::events net{caucus::path{4}, electing<Election>{ascending(4)},
                       {.delay = caucus::unit{}}};
    net.crash(0);
    for (const std::size_t v : sizes{1, 2, 3}) net.start(v);
    CHECK(net.run().stopped == caucus::stop::quiescent);
    CHECK(net.outcomes().empty());
}

/// A node with more ports than its storage holds says so and stays out.
template <template <class...> class Election, class... Policies>
void check_overflow() {
    using storage = caucus::inplace_storage<4>;
    caucus::rounds sim{caucus::star{6}, electing<Election, storage, Policies...>{ascending(6)}};
    sim.start_all();
    sim.run();
    CHECK(std::get<caucus::overflow>(sim.outcomes()[0].outcome).needed == 5);
    for (std::size_t v = 0; v < 6; ++v) CHECK_FALSE(sim[v].is_leader());
}

/// Who leads a ring of four with a chord, if the cost is as proven; for a static_assert.
template <template <class...> class Election>
constexpr int elected_at_compile_time(std::array<int, 4> ids) {
    const caucus::graph g{4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}};
    caucus::rounds sim{g, [&](caucus::node v) { return Election<int>{ids[v]}; }};
    sim.start_all();
    const caucus::report r = sim.run();
    return r.within_proven() ? *sim[3].leader() : 0;
}

/// The initiators' first messages wait until the waves of all worse ones are over.
inline caucus::delay_model worse_waves_first(const std::vector<int>& ids) {
    return caucus::by_hand{[&ids](const caucus::hop& h, caucus::random_source&) -> caucus::ticks {
        const std::size_t wave = static_cast<std::size_t>(ids[h.from]);
        return h.sent == 0 ? 1 + wave * 4 * ids.size() : 1;
    }};
}

}  // namespace support
