// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/objection.hpp>
#include <caucus/core/process.hpp>
#include <caucus/election/waking.hpp>
#include <caucus/wave/steering.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// Every initiator sends a token round the graph, depth first; worse ones end where a better has
/// been, and one gets home.
///
/// Model     any connected graph, unique ids; reliable links, any order, duplicates too
/// Safety    at most one leader, the best of those that started (join, suppress: of all); parents
///           span a depth-first tree
/// Liveness  if any node starts, every node learns the leader (silent: the leader learns it)
/// Cost      2c+k-1 to 2c+(k-1)(2c+1-k), c = |E| (by_path n-1); join: k is n, suppress: k to n;
///           announcements n-1
/// Faults    a crashed node or a lost message takes the token along
/// Source    Mattern, Verteilte Basisalgorithmen, 1989; the traversal: Cheung, IEEE TSE 9(4), 1983
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// waking    suppress, join or relay_only. Default relay_only, as in the book.
/// steering  by_colour{}, or by_path{id, peers} where the neighbours' ids are known: up to n ids a
///           message. Default by_colour: nothing need be known.
/// announcing announce or silent. Default announce: an election nobody hears of is of little use.
/// storage   heap_storage or inplace_storage<ports> (by_path: <nodes>). Default heap_storage.
template <class Id, class... Policies>
class traversal_election {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference, waking, steering, announcing, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, greatest, Policies...>;
    using wake = policy<waking, relay_only, Policies...>;
    using steer = policy<steering, by_colour, Policies...>;
    using store = policy<storage, typename steer::own_storage, Policies...>;
    using stay = stopover<steer, store>;
    static constexpr bool knows_peers = steer::names == naming::distinct;

public:
    using trail = typename stay::trail;
    struct token {      // on its way out; or back from one it had visited before
        Id initiator;
        [[no_unique_address]] trail visited;
    };
    struct finished {   // the token, on its way home: all behind the sender is visited
        Id initiator;
        [[no_unique_address]] trail visited;
    };
    struct elected { Id leader; };
    using message = std::variant<token, finished, elected>;
    using timer = nothing;
    using outcome = outcome_within<caucus::elected<Id>, store>;

    static constexpr model assumes = {shape::graph, guarantee::reliable};
    static constexpr winner elects = wake::elects;
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    constexpr explicit traversal_election(Id self, Policies... policies)
        : self_(self), best_(self), here_(pick<steering, by_colour>(policies...)),
          prefer_(pick<preference, greatest>(policies...)) {
        if constexpr (knows_peers) CAUCUS_ASSERT(here_.guide().id() == self);
    }

    constexpr void start(environment_for<traversal_election> auto& env) {
        // A visited node may not start: it could come to lead beside the token's initiator.
        if (role_ == role::unvisited) become_visited({self_, {}}, std::nullopt, env);
    }

    constexpr void on(const token& m, port from,
                      environment_for<traversal_election> auto& env) {
        if (wakes_to_join(m.initiator)) {
            start(env);
            if (role_ == role::unvisited) return;   // no room, and it has said so
        }
        if (role_ == role::unvisited || prefer_(m.initiator, best_))
            return become_visited(m, from, env);
        if (is_beaten(m.initiator)) return;
        if (here_.awaits(from)) return pass_on(m.visited, env);
        // A repeated token is dropped: sent back, it would be a second one.
        if (here_.turn_back(from)) env.send(from, m);
    }

    constexpr void on(const finished& m, port from,
                      environment_for<traversal_election> auto& env) {
        // From a token that a better one has stopped, or a copy: it would be a second token.
        if (is_beaten(m.initiator) || !here_.awaits(from)) return;
        children_.insert(from);
        pass_on(m.visited, env);
    }

    constexpr void on(elected, port, environment_for<traversal_election> auto& env) {
        if (role_ == role::visited) decide(role::follower, env);   // once: copies are not passed on
    }

    constexpr const Id& id() const { return self_; }
    constexpr const auto& peers() const requires knows_peers { return here_.guide().peers(); }
    constexpr const char* objection(std::size_t degree) const requires knows_peers {
        if (!(here_.guide().id() == self_))
            return "traversal_election: by_path was given another id than the node's";
        return objection_to_peers(self_, peers(), degree, shape::graph);
    }
    constexpr bool is_leader() const { return role_ == role::leader; }
    constexpr std::optional<Id> leader() const {
        return decided() ? std::optional<Id>{best_} : std::nullopt;
    }
    constexpr std::optional<port> parent() const { return here_.parent(); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.best_, self.here_, self.children_, self.role_);
    }

private:
    enum class role : std::uint8_t { unvisited, visited, leader, follower };

    constexpr bool decided() const { return role_ == role::leader || role_ == role::follower; }
    /// Any initiator but the best one; that one's token must not be stopped, it has to get home.
    constexpr bool is_beaten(const Id& initiator) const { return !(initiator == best_); }

    constexpr bool wakes_to_join(const Id& waker) const {
        return role_ == role::unvisited && wake::joins(prefer_(self_, waker));
    }
    constexpr void become_visited(token m, std::optional<port> from, auto& env) {
        if (here_.template overflows<outcome>(m.visited, env)) return;
        role_ = role::visited;
        best_ = m.initiator;
        children_.clear();   // of a worse token
        here_.enter(m.visited, from);
        pass_on(m.visited, env);
    }
    constexpr void pass_on(const trail& visited, auto& env) {
        if (const auto way = here_.way_on(visited, env.degree()))
            return env.send(*way, token{best_, visited});
        if (const auto back = here_.parent()) return env.send(*back, finished{best_, visited});
        decide(role::leader, env);
    }

    constexpr void decide(role as, auto& env) {
        role_ = as;
        env.report(outcome{caucus::elected<Id>{best_}});
        if constexpr (!announces<Policies...>) return;
        for (const port p : ports(env.degree()))
            if (children_.contains(p)) env.send(p, elected{best_});
    }

    Id self_;
    Id best_;   // whose token was here; its own before any was
    stay here_;
    port_set<store> children_;
    role role_ = role::unvisited;
    [[no_unique_address]] prefer prefer_;
};

template <class Id, class... Policies>
traversal_election(Id, Policies...) -> traversal_election<Id, Policies...>;

/// The best token walks its c links forth and back. The i-th best never enters the nodes of the i-1
/// better initiators, nor walks their links, at least as many, forth and back: so it takes one
/// message at least, and at most two for each of the c-i+1 others and one that is not answered.
template <class Id, class... Policies>
constexpr cost traversal_election<Id, Policies...>::messages(size s) {
    if (s.initiators == 0) return {0, 0, 0.0};
    const std::uint64_t tour = 2 * steer::links_walked(s);
    const std::uint64_t others_least = wake::candidates_least(s) - 1;
    const std::uint64_t others = wake::candidates_most(s) - 1;
    const std::uint64_t informed = announces<Policies...> ? s.nodes - 1 : 0;
    return {tour + others_least + informed, tour + others * (tour - others) + informed};
}

/// In rounds, if all of them start in the first: one message after the other, then down the tree.
/// Who has yet to be woken has been when all worse tokens have ended, and one moves in each round.
template <class Id, class... Policies>
constexpr cost traversal_election<Id, Policies...>::time(size s) {
    if (s.initiators == 0) return {0, 0, 0.0};
    const std::uint64_t tour = 2 * steer::links_walked(s);
    const std::uint64_t others = wake::candidates_most(s) - 1;
    const std::uint64_t woken = others + 1 > s.initiators ? others * (tour - others) : 0;
    if (!announces<Policies...> || s.nodes == 1) return {tour, tour + woken};
    return {tour + 1, tour + woken + s.nodes - 1};
}

}  // namespace caucus
