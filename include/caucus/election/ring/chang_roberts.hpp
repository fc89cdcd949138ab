// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/ring/ring_election.hpp>

#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// Which ids a node stops.
struct filtering {};
struct own_id { using decides = filtering; };      // those that its own id beats
struct max_seen { using decides = filtering; };    // those that any id seen so far beats

/// Ids race round a ring; a running node stops every id worse than its own; the best gets home.
///
/// Model     one-way ring of unknown size, unique ids; reliable links, any order; no crashes
/// Safety    at most one leader, with the best id of all nodes (relay_only: of those that started)
/// Liveness  if any node starts, every node learns the leader (silent: the leader learns it)
/// Cost      elections n(n+1)/2 at worst, n·H(n) on average, which on a one-way ring of unknown
///           size is the least possible (lower_bounds.hpp); announcements n
/// Faults    a crashed node breaks the ring, a lost id is gone for ever
/// Source    Chang & Roberts, CACM 22(5), 1979
///
/// prefer    prefer(a, b): a beats b. Default greatest, as in the paper.
/// waking    suppress, join or relay_only. Default suppress: fewest messages, best id of all.
/// filtering own_id or max_seen. Default own_id, as in the paper; max_seen helps only without fifo.
/// announcing announce or silent. Default announce: an election nobody hears of is of little use.
template <class Id, class... Policies>
class chang_roberts : public racing_election<Id, suppress, Policies...> {
    static_assert(roles<preference, waking, filtering, announcing>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using base = racing_election<Id, suppress, Policies...>;
    using typename base::role, typename base::wake;
    using base::announces, base::beats, base::best_, base::decided, base::is_own,
        base::may_start, base::relays, base::role_, base::self_, base::wakes_to_join;
    static constexpr bool remembers = chooses<max_seen, own_id, Policies...>;

public:
    struct election { Id candidate; };
    using message = std::variant<election, typename base::elected>;

    static constexpr model assumes = {shape::one_way_ring, guarantee::reliable};
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    constexpr explicit chang_roberts(Id self, Policies... policies) : base(self, policies...) {}

    constexpr void start(environment_for<chang_roberts> auto& env) {
        if (may_start()) become_candidate(env);
    }

    constexpr void on(election m, port, environment_for<chang_roberts> auto& env) {
        if (wakes_to_join(m.candidate)) become_candidate(env);
        if (is_own(m.candidate) && !decided()) return this->conclude(self_, env);
        if (stops(m.candidate)) return;
        if constexpr (remembers) best_ = m.candidate;
        env.send(next, m);
    }
    using base::on;

    /// As said there. Silent and without memory whoever has lost would seem eligible for good.
    constexpr bool is_eligible() const requires(remembers || announces) {
        return base::is_eligible();
    }

private:
    /// Without this rule an id would go round for ever, and every id would get home.
    constexpr bool stops(const Id& candidate) const {
        if (relays && role_ == role::relay) return remembers && !beats_all_seen(candidate);
        return !beats(candidate, remembers ? best_ : self_);
    }
    constexpr bool beats_all_seen(const Id& candidate) const {
        return best_ == self_ || beats(candidate, best_);
    }

    constexpr void become_candidate(auto& env) {
        role_ = role::candidate;
        env.send(next, election{self_});
    }

};

template <class Id, class... Policies>
chang_roberts(Id, Policies...) -> chang_roberts<Id, Policies...>;

/// k = s.initiators that really started: a node that was reached first is not one.
template <class Id, class... Policies>
constexpr cost chang_roberts<Id, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t k = std::is_same_v<wake, join> ? n : s.initiators;
    const std::uint64_t lap = announces ? n : 0;
    const std::uint64_t woken = relays ? 0 : n - k;  // suppress: each may still send its id one hop
    const double joining = static_cast<double>(woken) / static_cast<double>(k + 1);
    if (s.initiators == 0) return {0, 0, 0.0};
    return {n + k - 1 + lap, k * n - k * (k - 1) / 2 + woken + lap,
            static_cast<double>(n) * harmonic(k) + joining + static_cast<double>(lap)};
}

/// Unit delays, all initiators start together.
template <class Id, class... Policies>
constexpr cost chang_roberts<Id, Policies...>::time(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t lap = announces ? n : 0;
    if (s.initiators == 0) return {0, 0, 0.0};
    return {n + lap, (relays ? n : 2 * n - s.initiators) + lap};
}

}  // namespace caucus
