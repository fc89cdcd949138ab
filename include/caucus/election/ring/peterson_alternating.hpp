// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/ring/ring_election.hpp>

#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// In phases of one message: in odd ones an active node goes on if its id beats the one before it,
/// in even ones if the one before it beats its own, and then with that id. The others relay.
///
/// Model     one-way ring of unknown size, unique ids; reliable links, fifo, duplicates too;
///           no crashes
/// Safety    at most one leader, with the best id of those that started (join: of all)
/// Liveness  if any node starts, every node learns the leader (silent: one node learns it, and
///           leads by that id, which need not be its own: ids move from node to node)
/// Cost      elections n·p for p phases, p at most the greatest with F(p+1) <= k for k initiators
///           (join: all n; F Fibonacci's numbers: about 1.44 n·lg k), 2n at best, n for one;
///           announcements n
/// Faults    a crashed node breaks the ring; a lost or overtaken id ends or spoils it
/// Source    Peterson, ACM TOPLAS 4(4), 1982, the second algorithm
///
/// prefer    prefer(a, b): a beats b. Default greatest, as in the paper.
/// waking    join or relay_only. Default relay_only, as in the paper.
/// announcing announce or silent. Default announce: the leader itself may have to be told.
template <class Id, class... Policies>
class peterson_alternating : public ring_election<Id, Policies...> {
    static_assert(roles<preference, waking, announcing>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    static_assert(joins_or_relays<Policies...>, "this_election_does_not_suppress__use_join");

    using base = ring_election<Id, Policies...>;
    using base::announces, base::beats, base::best_, base::self_;
    using wake = policy<waking, relay_only, Policies...>;

public:
    struct election { Id candidate; std::uint8_t phase; };
    using message = std::variant<election, typename base::elected>;

    static constexpr model assumes = {shape::one_way_ring, guarantee::reliable | guarantee::fifo};
    static constexpr winner elects = wake::elects;
    static constexpr cost messages(size s);

    constexpr explicit peterson_alternating(Id self, Policies... policies)
        : base(self, policies...) {}

    constexpr void start(environment_for<peterson_alternating> auto& env) {
        // A relay may not start: it has passed on ids that had to be compared with its own.
        if (role_ == role::asleep) become_active(role::in_odd_phase, self_, env);
    }

    constexpr void on(election m, port, environment_for<peterson_alternating> auto& env) {
        // A copy: each link carries one id a phase, and this would be taken for the next phase's.
        if (m.phase < awaited_) return;
        if constexpr (wake::joins(true)) start(env);   // if asleep: before m is passed on
        ++awaited_;
        if (!is_active()) return pass_on(m, env);
        if (m.candidate == best_) return this->conclude(best_, env);   // nobody else is active
        const bool won = beats(best_, m.candidate);
        if (role_ == role::in_odd_phase && won) become_active(role::in_even_phase, best_, env);
        else if (role_ == role::in_even_phase && !won)
            become_active(role::in_odd_phase, m.candidate, env);
        else role_ = role::relay;
    }
    using base::on;

    /// Silent: who finds out is elected, whosever id it has. Else the owner of the best id leads.
    constexpr bool is_leader() const {
        return announces ? base::is_leader() : this->decided();
    }
    /// Silent: whoever relays. Else who has given up its own id for a better one.
    constexpr bool is_follower() const {
        if (this->decided()) return !is_leader();
        return announces ? !(best_ == self_) : role_ == role::relay;
    }
    /// The lectures' word for who is active: the id that it has by now may win.
    constexpr bool is_eligible() const { return is_active() && !this->decided(); }

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.role_, self.awaited_));
    }

private:
    enum class role : std::uint8_t { asleep, relay, in_odd_phase, in_even_phase };

    constexpr bool is_active() const {
        return role_ == role::in_odd_phase || role_ == role::in_even_phase;
    }
    constexpr void become_active(role phase, const Id& candidate, auto& env) {
        role_ = phase;
        best_ = candidate;
        env.send(next, election{candidate, awaited_});
    }
    constexpr void pass_on(const election& m, auto& env) {
        role_ = role::relay;
        env.send(next, m);
    }

    role role_ = role::asleep;
    std::uint8_t awaited_ = 0;   // of which phase the next id will be
};

template <class Id, class... Policies>
peterson_alternating(Id, Policies...) -> peterson_alternating<Id, Policies...>;

/// Every phase is n messages, and loses at least as many active nodes as the next one keeps.
template <class Id, class... Policies>
constexpr cost peterson_alternating<Id, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t k = wake::candidates_most(s);
    const std::uint64_t lap = announces ? n : 0;
    if (s.initiators == 0) return {0, 0, 0.0};
    if (k == 1) return {n + lap, n + lap, static_cast<double>(n + lap)};
    std::uint64_t phases_most = 1;
    for (std::uint64_t before = 1, fibonacci = 2; fibonacci <= k; ++phases_most) {
        fibonacci += before;
        before = fibonacci - before;
    }
    return {2 * n + lap, n * phases_most + lap};
}

}  // namespace caucus
