// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/ring/ring_election.hpp>

#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// Ids race round a ring, each in a direction drawn by lot; a node stops all but the best it saw.
///
/// Model     two-way ring of unknown size, unique ids; reliable links, any order, duplicates too;
///           no crashes
/// Safety    at most one leader, with the best id of all nodes (relay_only: of those that started)
/// Liveness  if any node starts, every node learns the leader (silent: the leader learns it)
/// Cost      elections n(n+1)/2 at worst, sqrt(1/2)·n·H(n)+O(n) on average; announcements n
/// Faults    a crashed node breaks the ring, a lost id is gone for ever
/// Source    Bodlaender & van Leeuwen, 1986; the average: Lavault, 1989
///
/// Two ids that reach a node in the same tick are taken in the order of their ports, as executors
/// do: neither the better nor the worse first, and the average lies half-way between those two.
///
/// prefer    prefer(a, b): a beats b. Default greatest, as in the paper.
/// waking    suppress, join or relay_only. Default suppress: fewest messages, best id of all.
/// announcing announce or silent. Default announce: an election nobody hears of is of little use.
template <class Id, class... Policies>
class two_way : public racing_election<Id, suppress, Policies...> {
    static_assert(roles<preference, waking, announcing>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using base = racing_election<Id, suppress, Policies...>;
    using typename base::role, typename base::wake;
    using base::announces, base::beats, base::best_, base::decided, base::is_own,
        base::may_start, base::relays, base::role_, base::self_, base::wakes_to_join;

public:
    struct election { Id candidate; };
    using message = std::variant<election, typename base::elected>;

    static constexpr bool tosses_coins = true;
    static constexpr model assumes = {shape::two_way_ring, guarantee::reliable};
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    constexpr explicit two_way(Id self, Policies... policies) : base(self, policies...) {}

    constexpr void start(environment_for<two_way> auto& env) {
        if (may_start()) become_candidate(env);
    }

    constexpr void on(election m, port from, environment_for<two_way> auto& env) {
        if (wakes_to_join(m.candidate)) become_candidate(env);
        if (is_own(m.candidate) && !decided()) return this->conclude(self_, env);
        if (stops(m.candidate)) return;
        best_ = m.candidate;
        env.send(opposite(from), m);
    }
    using base::on;

private:
    /// Without this rule an id would go round for ever. Compared with its own id alone, a node
    /// would learn nothing from those that come the other way.
    constexpr bool stops(const Id& candidate) const {
        return !has_seen_none() && !beats(candidate, best_);
    }
    /// A relay has sent no id of its own: it does not stop others by it.
    constexpr bool has_seen_none() const {
        return relays && role_ == role::relay && best_ == self_;
    }

    constexpr void become_candidate(auto& env) {
        role_ = role::candidate;
        env.send(port{env.choose(2)}, election{self_});
    }

};

template <class Id, class... Policies>
two_way(Id, Policies...) -> two_way<Id, Policies...>;

/// k = s.initiators that really started: a node that was reached first is not one.
/// The i-th best id has i-1 better ones in its way: it goes n-i+1 hops at most, on either side.
template <class Id, class... Policies>
constexpr cost two_way<Id, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t lap = announces ? n : 0;
    const std::uint64_t fewest = std::is_same_v<wake, join> ? n : s.initiators;
    const std::uint64_t k = relays ? s.initiators : n;
    if (s.initiators == 0) return {0, 0, 0.0};
    return {n + fewest - 1 + lap, k * n - k * (k - 1) / 2 + lap};
}

/// Unit delays, all initiators start together. A node that is woken may send its id back the way
/// by which it was woken, again and again: then every message waits for the one before.
template <class Id, class... Policies>
constexpr cost two_way<Id, Policies...>::time(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t lap = announces ? n : 0;
    if (s.initiators == 0) return {0, 0, 0.0};
    const bool woken = !relays && s.initiators < n;
    return {n + lap, (woken ? n * (n + 1) / 2 : n) + lap};
}

}  // namespace caucus
