// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/topology/graph.hpp>

#include <doctest/doctest.h>
#include <support/graphs.hpp>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>
#include <support/traversals.hpp>

#include <cstddef>
#include <tuple>
#include <vector>

// What the tests of elections by token share.

namespace support {

/// `Steering` is by_colours or by_paths.
template <class Steering, class Topology, class... Policies>
struct token_election {
    Topology topology;
    std::vector<int> ids;

    auto operator()(caucus::node v) const {
        return caucus::traversal_election{ids[v], Steering{}(topology, v, ids), Policies{}...};
    }
};
template <class Steering, class... Policies, class Topology>
token_election<Steering, Topology, Policies...> electing_on(const Topology& t,
                                                            std::vector<int> ids) {
    return {t, ids};
}

/// Remembers whether it really started: not if a token was there before.
template <class Election>
struct noted : Election {
    bool started = false;

    explicit noted(Election e) : Election(e) {}
    void start(auto& env) {
        const Election before = *this;
        Election::start(env);
        started = started || !caucus::same(before, static_cast<const Election&>(*this));
    }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(Election::fields(self), std::tie(self.started));
    }
};

/// Whoever leads is the best of those that really started, or of all, as the card says.
struct no_starter_is_better_than_the_leader {
    bool operator()(const auto& g) const {
        const bool all = g[0].elects == caucus::winner::best_of_all;
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; u < g.nodes(); ++u) {
                const auto leader = g[v].leader();
                const bool counts = all || g[u].started;
                if (leader && counts && *leader < g[u].id()) return false;
                if (g[u].is_leader() && !counts) return false;
            }
        return true;
    }
};

/// One of each kind of connected graph on n <= 4 nodes. Together with all orders of the ids that is
/// every graph, but for the numbering of ports.
inline std::vector<caucus::graph> every_kind_of_graph(std::size_t n) {
    using pairs = std::vector<std::pair<std::size_t, std::size_t>>;
    if (n == 1) return {{1, pairs{}}};
    if (n == 2) return {{2, pairs{{0, 1}}}};
    if (n == 3) return {{3, pairs{{0, 1}, {1, 2}}}, {3, pairs{{0, 1}, {1, 2}, {2, 0}}}};
    return {{4, pairs{{0, 1}, {1, 2}, {2, 3}}},
            {4, pairs{{0, 1}, {0, 2}, {0, 3}}},
            {4, pairs{{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
            {4, pairs{{0, 1}, {1, 2}, {2, 0}, {0, 3}}},
            {4, pairs{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}},
            {4, pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}}};
}

}  // namespace support
