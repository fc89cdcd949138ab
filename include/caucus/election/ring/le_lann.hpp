// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/ring/ring_election.hpp>

#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// Every candidate's token goes round the whole ring; who sees its own come home has seen all.
///
/// Model     one-way ring of unknown size, unique ids; reliable links, fifo, duplicates too;
///           no crashes
/// Safety    at most one leader, with the best id of those that started (join: of all)
/// Liveness  if any node starts, every node learns the leader (silent: every candidate does)
/// Cost      tokens exactly k·n for k candidates (join: n·n), announcements n
/// Faults    a crashed node breaks the ring; on a mended one the token of a dead node never ends
/// Source    Le Lann, Distributed systems: towards a formal approach, IFIP Congress 77
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// waking    join or relay_only. Default relay_only, as in the paper.
/// announcing announce or silent. Default announce: the relays learn the leader in no other way.
template <class Id, class... Policies>
class le_lann : public racing_election<Id, relay_only, Policies...> {
    static_assert(roles<preference, waking, announcing>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    static_assert(joins_or_relays<Policies...>, "this_election_does_not_suppress__use_join");

    using base = racing_election<Id, relay_only, Policies...>;
    using typename base::role, typename base::wake;
    using base::announces, base::beats, base::best_, base::decided, base::is_own,
        base::may_start, base::relays, base::role_, base::self_, base::wakes_to_join;

public:
    using typename base::elected;
    struct token { Id candidate; };
    using message = std::variant<token, elected>;

    static constexpr model assumes = {shape::one_way_ring, guarantee::reliable | guarantee::fifo};
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    constexpr explicit le_lann(Id self, Policies... policies) : base(self, policies...) {}

    constexpr void start(environment_for<le_lann> auto& env) {
        // A relay may not start: the owners of tokens it has passed on decide without its own.
        if (may_start()) become_candidate(env);
    }

    constexpr void on(token m, port, environment_for<le_lann> auto& env) {
        if (wakes_to_join(m.candidate)) become_candidate(env);   // ahead of m: links are fifo
        if (is_own(m.candidate)) return come_home(env);
        if (is_collecting()) hear(m.candidate);
        env.send(next, m);
    }

    constexpr void on(elected m, port, environment_for<le_lann> auto& env) {
        if (this->is_leader()) return;     // the lap is complete
        // Unlike the base, a decided node passes it on: the relays behind it know nothing yet.
        if (!decided()) this->decide(m.leader, env);
        env.send(next, m);
    }

    /// How many have started, as far as this candidate has heard: all of them, once it knows the
    /// leader. A relay counts nobody. Links that repeat a token may have it counted again.
    constexpr std::uint32_t candidates() const { return candidates_; }

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.candidates_));
    }

private:
    constexpr bool is_collecting() const { return role_ == role::candidate && !decided(); }

    constexpr void hear(const Id& candidate) {
        ++candidates_;
        if (beats(candidate, best_)) best_ = candidate;
    }
    constexpr void become_candidate(auto& env) {
        role_ = role::candidate;
        hear(self_);
        env.send(next, token{self_});
    }
    /// On fifo links every other token has passed by now: its owner sent it before it passed ours.
    constexpr void come_home(auto& env) {
        if (decided()) return;             // a second copy of the token
        if (best_ == self_) this->conclude(self_, env);
        else this->decide(best_, env);
    }

    std::uint32_t candidates_ = 0;
};

template <class Id, class... Policies>
le_lann(Id, Policies...) -> le_lann<Id, Policies...>;

/// k = s.initiators that really started: a node that was reached first is not one.
template <class Id, class... Policies>
constexpr cost le_lann<Id, Policies...>::messages(size s) {
    if (s.initiators == 0) return {0, 0, 0.0};
    const std::uint64_t total = s.nodes * (wake::candidates_most(s) + (announces ? 1 : 0));
    return {total, total, static_cast<double>(total)};
}

/// Unit delays, all initiators start together. Who joins does so when the nearest of them before it
/// has reached it. If that is announced, the best one's lap is the last to end.
template <class Id, class... Policies>
constexpr cost le_lann<Id, Policies...>::time(size s) {
    if (s.initiators == 0) return {0, 0, 0.0};
    const std::uint64_t laps = s.nodes * (announces ? 2 : 1);
    if (relays || s.initiators == s.nodes) return {laps, laps, static_cast<double>(laps)};
    const std::uint64_t farthest_least = (s.nodes - 1) / s.initiators;
    return {laps + (announces ? 0 : farthest_least), laps + s.nodes - s.initiators};
}

}  // namespace caucus
