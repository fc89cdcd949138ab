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
/// Safety    at most one leader, with the best id of those that started
/// Liveness  if any node starts, every node learns the leader (silent: every candidate does)
/// Cost      tokens exactly k·n for k candidates, announcements n
/// Faults    a crashed node breaks the ring; on a mended one the token of a dead node never ends
/// Source    Le Lann, Distributed systems: towards a formal approach, IFIP Congress 77
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// announcing announce or silent. Default announce: the relays learn the leader in no other way.
template <class Id, class... Policies>
class le_lann : public ring_election<Id, Policies...> {
    static_assert(roles<preference, announcing>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using base = ring_election<Id, Policies...>;
    using base::announces, base::beats, base::best_, base::decided, base::self_;

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
        if (role_ != role::asleep) return;
        become_candidate(env);
    }

    constexpr void on(token m, port, environment_for<le_lann> auto& env) {
        if (role_ == role::asleep) role_ = role::relay;
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
        return std::tuple_cat(base::fields(self), std::tie(self.role_, self.candidates_));
    }

private:
    enum class role : std::uint8_t { asleep, relay, candidate };

    constexpr bool is_own(const Id& candidate) const {
        return role_ == role::candidate && candidate == self_;
    }
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

    role role_ = role::asleep;
    std::uint32_t candidates_ = 0;
};

template <class Id, class... Policies>
le_lann(Id, Policies...) -> le_lann<Id, Policies...>;

/// k = s.initiators that really started: a node that was reached first is not one.
template <class Id, class... Policies>
constexpr cost le_lann<Id, Policies...>::messages(size s) {
    if (s.initiators == 0) return {0, 0, 0.0};
    const std::uint64_t total = s.nodes * (s.initiators + (announces ? 1 : 0));
    return {total, total, static_cast<double>(total)};
}

/// Unit delays, all initiators start together.
template <class Id, class... Policies>
constexpr cost le_lann<Id, Policies...>::time(size s) {
    if (s.initiators == 0) return {0, 0, 0.0};
    const std::uint64_t total = s.nodes * (announces ? 2 : 1);
    return {total, total, static_cast<double>(total)};
}

}  // namespace caucus
