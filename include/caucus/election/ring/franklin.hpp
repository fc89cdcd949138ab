// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/ring/ring_election.hpp>

#include <bit>
#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// Each round, a candidate compares itself with the nearest on either side; the local best go on.
///
/// Model     two-way ring of unknown size, unique ids; reliable links, fifo, no duplicates;
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
                  "policies: a preference, waking, announcing, each at most once");

    using base = racing_election<Id, relay_only, Policies...>;
    using typename base::role, typename base::wake;
    using base::announces, base::beats, base::decided, base::may_start, base::relays,
        base::role_, base::self_, base::wakes_to_join;

public:
    struct candidate { Id id; };
    using message = std::variant<candidate, typename base::elected>;

    static constexpr model assumes = {shape::two_way_ring, perfect_links};
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    constexpr explicit franklin(Id self, Policies... policies) : base(self, policies...) {}

    constexpr void start(environment_for<franklin> auto& env) {
        // Late, its id would be taken for its neighbours' next round: they compared across it.
        if (may_start()) become_candidate(env);
    }

    constexpr void on(candidate m, port from, environment_for<franklin> auto& env) {
        if (decided()) return;   // among relays alone an id would go round for ever
        if (wakes_to_join(m.id)) become_candidate(env);
        if (role_ == role::relay) return env.send(opposite(from), m);
        if (waits_for_the_other_side(from)) return keep_waiting(m.id, from);
        compare(take_waiting(), m.id, env);
    }
    using base::on;

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.side_, self.waiting_));
    }

private:
    static constexpr std::uint64_t halvings_most(size s);

    /// Between neighbouring candidates two ids are about, never more: each has sent one, and sends
    /// another only for one it has used up. So two wait at most, and then none on the other side.
    static constexpr std::size_t waiting_most = 2;

    constexpr void become_candidate(auto& env) {
        role_ = role::candidate;
        env.broadcast(candidate{self_});
    }
    /// Without passing on what waits, the next round would wait for it for ever.
    constexpr void become_relay(auto& env) {
        role_ = role::relay;
        for (const Id& id : waiting_) env.send(opposite(side_), candidate{id});
        waiting_.clear();
    }

    constexpr bool waits_for_the_other_side(port from) const {
        return waiting_.size() == 0 || from == side_;
    }
    constexpr void keep_waiting(const Id& id, port from) {
        if (waiting_.size() == waiting_most) return;   // a third is a duplicate: no room for it
        side_ = from;
        waiting_.push_back(id);
    }
    constexpr Id take_waiting() {
        const Id first = waiting_[0];
        waiting_[0] = waiting_[waiting_.size() - 1];
        waiting_.pop_back();
        return first;
    }

    /// Fifo links make it the same round on both sides. Without them the best still wins, later.
    constexpr void compare(const Id& one, const Id& other, auto& env) {
        if (one == self_ || other == self_) return this->conclude(self_, env);
        if (beats(self_, one) && beats(self_, other)) become_candidate(env);
        else become_relay(env);
    }

    port side_ = next;                              // where those came from that wait
    inplace_sequence<Id, waiting_most> waiting_;
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
