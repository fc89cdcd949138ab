// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/ring/ring_election.hpp>

#include <bit>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// Each round, a candidate compares itself with the nearest on either side; the local best go on.
///
/// Model     two-way ring of unknown size, unique ids; reliable links, any order, duplicates too;
///           no crashes
/// Safety    at most one leader, with the best id of those that started (join, suppress: of all)
/// Liveness  if any node starts, every node learns the leader (silent: the leader learns it)
/// Cost      candidates 2n a round, at most 2n·floor(lg k)+2n; announcements n
/// Faults    a crashed node breaks the ring, a lost id stops its round for ever
/// Source    Franklin, CACM 25(5), 1982
///
/// prefer    prefer(a, b): a beats b. Default greatest, as in the paper.
/// waking    suppress, join or relay_only. Default relay_only, as in the paper.
/// announcing announce or silent. Default announce: an election nobody hears of is of little use.
template <class Id, class... Policies>
class franklin : public racing_election<Id, relay_only, Policies...> {
    static_assert(roles<preference, waking, announcing>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using base = racing_election<Id, relay_only, Policies...>;
    using typename base::role, typename base::wake;
    using base::announces, base::beats, base::decided, base::may_start, base::relays,
        base::role_, base::self_, base::wakes_to_join;

public:
    struct candidate { Id id; std::uint8_t round; };
    using message = std::variant<candidate, typename base::elected>;

    static constexpr model assumes = {shape::two_way_ring, guarantee::reliable};
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    constexpr explicit franklin(Id self, Policies... policies) : base(self, policies...) {}

    constexpr void start(environment_for<franklin> auto& env) {
        // A relay that started now would wait for ever: its neighbours have ended round 1 past it.
        if (may_start()) become_candidate(env);
    }

    constexpr void on(candidate m, port from, environment_for<franklin> auto& env) {
        if (decided()) return;   // all others relay: the id would go round for ever
        if (wakes_to_join(m.id)) become_candidate(env);   // in the first round, as m's sender is
        if (role_ == role::relay) return env.send(opposite(from), m);
        if (is_over(m.round)) return;
        std::optional<Id>& place = place_of(m.round, from);
        if (place) return;       // a copy, or from further away; the first id of a round counts
        place = m.id;
        compare_when_both_are_here(env);
    }
    using base::on;

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self),
                              std::tie(self.round_, self.by_next_, self.by_prev_));
    }

private:
    static constexpr std::uint64_t halvings_most(size s);

    /// What one side has said: in this round, and in the next. None is further ahead: its sender
    /// ended the next round by an id that came from between, for a candidate or a sleeper passes
    /// none on. Whose that was relays by now, so it ended a round by an id from still nearer, …
    struct heard { std::optional<Id> now; std::optional<Id> ahead; };

    /// Repeated: the round's two ids have been compared.
    constexpr bool is_over(std::uint8_t round) const { return round < round_; }
    constexpr std::optional<Id>& place_of(std::uint8_t round, port from) {
        heard& side = from == next ? by_next_ : by_prev_;
        return round == round_ ? side.now : side.ahead;
    }

    constexpr void become_candidate(auto& env) {
        role_ = role::candidate;
        env.broadcast(candidate{self_, round_});
    }
    constexpr void become_candidate_again(auto& env) {
        ++round_;
        by_next_ = {by_next_.ahead, {}};
        by_prev_ = {by_prev_.ahead, {}};
        become_candidate(env);
    }
    /// Ids of the next round that came early are passed on, or their round would wait for ever.
    constexpr void become_relay(auto& env) {
        role_ = role::relay;
        const auto ahead = static_cast<std::uint8_t>(round_ + 1);
        if (by_next_.ahead) env.send(prev, candidate{*by_next_.ahead, ahead});
        if (by_prev_.ahead) env.send(next, candidate{*by_prev_.ahead, ahead});
        by_next_ = by_prev_ = {};
    }

    /// Each takes the other's id of that round, so of two neighbours one goes on at most. Repeated
    /// and late, an id may come from beyond a neighbour that has lost: who loses to that one is not
    /// the best either, and the best never loses. An own id comes home past losers only.
    constexpr void compare_when_both_are_here(auto& env) {
        if (!by_next_.now || !by_prev_.now) return;
        const Id one = *by_next_.now;
        const Id other = *by_prev_.now;
        if (one == self_ || other == self_) return this->conclude(self_, env);
        if (!beats(self_, one) || !beats(self_, other)) return become_relay(env);
        become_candidate_again(env);
        compare_when_both_are_here(env);   // of the next round, if both have overtaken
    }

    std::uint8_t round_ = 0;
    heard by_next_;
    heard by_prev_;
};

template <class Id, class... Policies>
franklin(Id, Policies...) -> franklin<Id, Policies...>;

/// Rounds with two candidates or more: of neighbours one goes on at most, so each halves them.
/// Those that join by `suppress` rise on both sides of a starter: k local best after one round.
template <class Id, class... Policies>
constexpr std::uint64_t franklin<Id, Policies...>::halvings_most(size s) {
    const auto lg = [](std::size_t x) { return static_cast<std::uint64_t>(std::bit_width(x)) - 1; };
    if (relays) return lg(s.initiators);
    if (std::is_same_v<wake, suppress> && lg(s.initiators) < lg(s.nodes))
        return lg(s.initiators) + 1;
    return lg(s.nodes);
}

/// k = s.initiators that really started: a node that was reached first is not one.
template <class Id, class... Policies>
constexpr cost franklin<Id, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t lap = announces ? n : 0;
    const std::uint64_t fewest = std::is_same_v<wake, join> ? n : s.initiators;
    if (s.initiators == 0) return {0, 0, 0.0};
    return {(fewest == 1 ? 2 : 4) * n + lap, 2 * n * (halvings_most(s) + 1) + lap};
}

/// Unit delays, all initiators start together; nobody waits longer than n in any round.
template <class Id, class... Policies>
constexpr cost franklin<Id, Policies...>::time(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t lap = announces ? n : 0;
    const std::uint64_t waking_up = relays ? 0 : n / 2;
    if (s.initiators == 0) return {0, 0, 0.0};
    return {n + lap, n * (halvings_most(s) + 1) + waking_up + lap};
}

}  // namespace caucus
