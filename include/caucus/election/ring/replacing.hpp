// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/ring/ring_election.hpp>

#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// Whether a node remembers the best id that it has sent.
struct remembering {};
struct max_id { using decides = remembering; };      // and heeds no worse one till all is over
struct forgetful {
    using decides = remembering;
};  // and stops nothing: each initiator pays for all

/// An id goes round; a better node replaces it by its own; whose own comes back leads.
///
/// Model     one-way ring of unknown size, unique ids; reliable links, fifo; no crashes
/// Safety    at most one leader, with the best id of all nodes
/// Liveness  if any node starts, every node learns the leader, and may start the next election
/// Cost      one initiator 2n to 3n-1, 2n+(n-1)/2 on average; more: as chang_roberts; forgetful:
///           k initiators k times that
/// Faults    a crashed node breaks the ring; on a mended one a dead best id ends all elections;
///           max_id: though one comes back, and starts, all who do not wait follow the same; but
///           who was wrongly passed over while a lesser one won, the best being dead, takes that
///           for belated: it and all behind it learn of the winner when that starts again
/// Source    Coulouris et al., Distributed Systems, 15.3, after Chang & Roberts, CACM 22(5), 1979
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// remembering max_id or forgetful. Default max_id: without it every initiator pays for all laps.
template <class Id, class... Policies>
class replacing : public ring_election<Id, Policies...> {
    static_assert(roles<preference, remembering>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using base = ring_election<Id, Policies...>;
    using base::beats, base::best_, base::decided, base::self_;
    static constexpr bool remembers = chooses<max_id, max_id, Policies...>;

public:
    using typename base::elected;
    struct election { Id candidate; };
    using message = std::variant<election, elected>;

    static constexpr model assumes = {
        shape::one_way_ring,
        remembers ? guarantee::reliable | guarantee::fifo : guarantee::reliable};
    static constexpr winner elects = winner::best_of_all;
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    constexpr explicit replacing(Id self, Policies... policies)
        : base(self, policies...), max_(self) {}

    constexpr void start(environment_for<replacing> auto& env) {
        if (participant_) return;      // what it has sent is as good as its own id, or better
        become_participant(self_);
        env.send(next, election{self_});
    }

    constexpr void on(election m, port, environment_for<replacing> auto& env) {
        if (stops(m.candidate)) return;   // its own, too, after a better one
        if (is_home(m.candidate)) {
            end_election(self_, env);
            return env.send(next, elected{self_});
        }
        const Id better = beats(m.candidate, self_) ? m.candidate : self_;
        if constexpr (remembers) become_participant(better);
        env.send(next, election{better});
    }

    constexpr void on(elected m, port, environment_for<replacing> auto& env) {
        if (m.leader == self_) return;     // the lap is complete
        if (is_belated(m.leader)) return;
        end_election(m.leader, env);
        env.send(next, m);
    }

    /// Is an election under way, as far as this node knows?
    constexpr bool is_participant() const { return participant_; }

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.max_, self.participant_));
    }

private:
    /// Without this rule every message turns into the best id, and is followed by its own lap.
    constexpr bool stops(const Id& candidate) const {
        return remembers && participant_ && beats(max_, candidate);
    }
    /// Has this id of its own been all the way round? One that took a short cut, while a better
    /// node was passed over, may come when that has won; then it goes on as if it had just started.
    constexpr bool is_home(const Id& candidate) const {
        return candidate == self_ && (!remembers || participant_ || this->is_leader());
    }
    /// Of an election that a better one has outrun: taken for news, it would part the followers.
    constexpr bool is_belated(const Id& leader) const {
        if (!remembers) return false;
        return participant_ ? beats(max_, leader) : decided() && beats(best_, leader);
    }
    constexpr void become_participant(const Id& sent) {
        participant_ = true;
        max_ = sent;
    }
    /// Tells the application what is news, and each participant that its election is over.
    constexpr void end_election(const Id& leader, auto& env) {
        const bool is_news = participant_ || !decided() || !(best_ == leader);
        participant_ = false;
        max_ = self_;
        if (is_news) this->decide(leader, env);
    }

    Id max_;                     // the best id sent, while the election lasts
    bool participant_ = false;
};

template <class Id, class... Policies>
replacing(Id, Policies...) -> replacing<Id, Policies...>;

/// One election: k = s.initiators start before they are reached. The ways of forgetful messages to
/// the best node are k different ones of 0 … n-1; each is followed by two laps.
template <class Id, class... Policies>
constexpr cost replacing<Id, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t k = s.initiators;
    if (k == 0) return {0, 0, 0.0};
    const double mean_n = static_cast<double>(n);
    const double mean_k = static_cast<double>(k);
    const std::uint64_t pairs = k * (k - 1) / 2;
    if (!remembers)
        return {2 * n * k + pairs, 2 * n * k + (n - 1) * k - pairs,
                mean_k * (2 * mean_n + (mean_n - 1) / 2)};
    return {2 * n + k - 1, n * k - pairs + (n - k) + n,
            mean_n + mean_n * harmonic(k) + (mean_n - mean_k) / (mean_k + 1)};
}

/// Unit delays, all initiators start together.
template <class Id, class... Policies>
constexpr cost replacing<Id, Policies...>::time(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t k = s.initiators;
    if (k == 0) return {0, 0, 0.0};
    if (!remembers) return {2 * n + k - 1, 3 * n - 1};
    return {2 * n, 3 * n - k};
}

}  // namespace caucus
