// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/ring/ring_election.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <tuple>
#include <variant>

namespace caucus {

/// Candidates probe twice as far each phase, both ways; whoever meets no better one goes on.
///
/// Model     two-way ring of unknown size, unique ids; reliable links, any order, duplicates too;
///           no crashes
/// Safety    at most one leader, with the best id of all nodes (relay_only: of those that started)
/// Liveness  if any node starts, every node learns the leader (silent: the leader learns it)
/// Cost      out and in less than 8n(1+ceil(lg n)), 5n+4·2^ceil(lg n)-8 at best; announcements n
/// Faults    a crashed node breaks the ring, a lost probe stops its candidate for ever
/// Source    Hirschberg & Sinclair, CACM 23(11), 1980
///
/// prefer    prefer(a, b): a beats b. Default greatest, as in the paper.
/// waking    suppress, join or relay_only. Default join: what it costs depends on no delay.
/// announcing announce or silent. Default announce: an election nobody hears of is of little use.
template <class Id, class... Policies>
class hirschberg_sinclair : public racing_election<Id, join, Policies...> {
    static_assert(roles<preference, waking, announcing>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using base = racing_election<Id, join, Policies...>;
    using typename base::role, typename base::wake;
    using base::announces, base::beats, base::decided, base::is_own, base::may_start,
        base::relays, base::role_, base::self_, base::wakes_to_join;
    static constexpr bool joins = std::is_same_v<wake, join>;

public:
    struct out { Id candidate; std::uint32_t hops; };   // so many are left
    struct in { Id candidate; };                        // the way back
    using message = std::variant<out, in, typename base::elected>;

    static constexpr model assumes = {shape::two_way_ring, guarantee::reliable};
    static constexpr cost messages(size s);
    /// Unit delays, all initiators start together. Nodes that join have all done so by n/2.
    static constexpr cost time(size s) requires(joins || relays) {
        const std::uint64_t n = s.nodes;
        const std::uint64_t probing = 2 * std::bit_ceil(n) - 2;   // there and back
        const std::uint64_t laps = n + (announces ? n : 0);
        if (s.initiators == 0) return {0, 0, 0.0};
        const std::uint64_t waking_up = joins && s.initiators < n ? n / 2 : 0;
        return {probing + laps, probing + waking_up + laps};
    }

    constexpr explicit hirschberg_sinclair(Id self, Policies... policies)
        : base(self, policies...) {}

    constexpr void start(environment_for<hirschberg_sinclair> auto& env) {
        if (may_start()) become_candidate(env);
    }

    constexpr void on(out m, port from, environment_for<hirschberg_sinclair> auto& env) {
        if (wakes_to_join(m.candidate)) become_candidate(env);
        if (is_own(m.candidate)) return come_home(env);
        if (stops(m.candidate)) return;
        if (m.hops > 1) env.send(opposite(from), out{m.candidate, m.hops - 1});
        else env.send(from, in{m.candidate});
    }

    constexpr void on(in m, port from, environment_for<hirschberg_sinclair> auto& env) {
        if (!is_own(m.candidate)) return env.send(opposite(from), m);
        if (this->is_leader()) return;           // there is nobody left to probe for
        if (answered_ == side::none) answered_ = side_of(from);
        else if (answered_ != side_of(from)) next_phase(env);
    }
    using base::on;

    /// As said there. Silent, whoever has lost would seem eligible for good: it remembers nobody.
    constexpr bool is_eligible() const requires announces { return base::is_eligible(); }

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.reach_, self.answered_));
    }

private:
    enum class side : std::uint8_t { none, after, before };

    static constexpr side side_of(port from) { return from == next ? side::after : side::before; }

    /// Without this rule every probe would come back, and every candidate go on.
    constexpr bool stops(const Id& candidate) const {
        return !(relays && role_ == role::relay) && !beats(candidate, self_);
    }

    constexpr void become_candidate(auto& env) {
        role_ = role::candidate;
        env.broadcast(out{self_, reach_});
    }
    constexpr void next_phase(auto& env) {
        constexpr std::uint32_t farthest = std::numeric_limits<std::uint32_t>::max();
        // Doubling again would overflow to 0, and probes would come back from the neighbours.
        reach_ = reach_ > farthest / 2 ? farthest : 2 * reach_;
        answered_ = side::none;
        env.broadcast(out{self_, reach_});
    }
    constexpr void come_home(auto& env) {
        if (!decided()) this->conclude(self_, env);   // the other probe comes home too
    }

    side answered_ = side::none;   // this phase, so far
    std::uint32_t reach_ = 1;      // hops, this phase
};

template <class Id, class... Policies>
hirschberg_sinclair(Id, Policies...) -> hirschberg_sinclair<Id, Policies...>;

/// k = s.initiators that really started: a node that was reached first is not one.
/// One hop: a link between candidates carries 3, one between a candidate and a relay 2 at most.
/// More: candidates are farther apart than they reached before. Those that go on send 4 for each
/// hop of their reach, the others 3 at most. As soon as the reach is n, the last one gets home.
template <class Id, class... Policies>
constexpr cost hirschberg_sinclair<Id, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t k = joins ? n : s.initiators;
    const std::uint64_t laps = 2 * n + (announces ? n : 0);
    const std::uint64_t candidates = relays ? k : n;
    const auto left_for = [&](std::uint64_t reach) {
        const std::uint64_t fit = n / (reach / 2 + 1);
        return fit < candidates ? fit : candidates;
    };
    if (s.initiators == 0) return {0, 0, 0.0};
    if (n == 1) return {laps, laps};
    std::uint64_t least = k == n ? 3 * n : relays ? 3 * k + 1 : 2 * k + 2;
    std::uint64_t most = 4 * candidates - (2 * candidates > n ? 2 * candidates - n : 0);
    for (std::uint64_t reach = 2; reach < n; reach *= 2) {
        least += 4 * reach;
        most += (3 * left_for(reach) + left_for(2 * reach)) * reach;
    }
    return {least + laps, most + laps};
}

}  // namespace caucus
