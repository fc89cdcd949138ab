// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/identity.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/process.hpp>
#include <caucus/election/waking.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>

namespace caucus {

/// What elections on a ring have in common: an own id, a result, and the lap that tells it to all.
/// An algorithm derives from it, adds its own messages, and says `using base::on`.
template <class Id, class... Policies>
class ring_election {
    static_assert(detail::ids_can_elect<Id>());

public:
    struct elected { Id leader; };
    using timer = nothing;
    using outcome = caucus::elected<Id>;

    constexpr void on(elected m, port, auto& env) {
        if (decided()) return;               // the lap is complete
        decide(m.leader, env);
        env.send(next, m);
    }

    constexpr const Id& id() const { return self_; }
    constexpr bool is_leader() const { return decided_ && best_ == self_; }
    constexpr std::optional<Id> leader() const {
        return decided_ ? std::optional<Id>{best_} : std::nullopt;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.ring_election::self_, self.ring_election::best_,
                        self.ring_election::decided_);
    }

protected:
    using prefer = policy<preference, greatest, Policies...>;
    static constexpr bool announces = caucus::announces<Policies...>;

    constexpr explicit ring_election(const Id& self, const Policies&... policies)
        : self_(self), best_(self), prefer_(pick<preference, greatest>(policies...)) {}

    constexpr bool beats(const Id& a, const Id& b) const { return prefer_(a, b); }
    constexpr bool decided() const { return decided_; }

    /// The first to know; the others hear of it, if they are to.
    constexpr void conclude(const Id& leader, auto& env) {
        decide(leader, env);
        if constexpr (announces) env.send(next, elected{leader});
    }
    constexpr void decide(const Id& leader, auto& env) {
        decided_ = true;
        best_ = leader;
        env.report(outcome{leader});
    }

    Id self_;
    Id best_;   // the best id seen, for those that remember it; once decided, the leader's
    [[no_unique_address]] prefer prefer_;

private:
    bool decided_ = false;
};

/// A ring election in which ids race: a node sleeps until it starts or the first id reaches it, and
/// is then a candidate or a relay, as `waking` says.
template <class Id, class DefaultWake, class... Policies>
class racing_election : public ring_election<Id, Policies...> {
    using base = ring_election<Id, Policies...>;

protected:
    using wake = policy<waking, DefaultWake, Policies...>;

public:
    static constexpr winner elects = wake::elects;

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.racing_election::role_));
    }

    /// It will not lead: it has let others race without it, or remembers a better id.
    constexpr bool is_follower() const { return !this->is_leader() && has_lost(); }
    /// It races, and knows of none better.
    constexpr bool is_eligible() const {
        return role_ == role::candidate && !decided() && !has_lost();
    }

protected:
    using base::beats, base::decided, base::self_;
    static constexpr bool relays = std::is_same_v<wake, relay_only>;

    enum class role : std::uint8_t { asleep, relay, candidate };

    constexpr explicit racing_election(const Id& self, const Policies&... policies)
        : base(self, policies...) {}

    /// Only a sleeper may start: a relay's id may have been beaten already.
    constexpr bool may_start() const { return role_ == role::asleep && !decided(); }
    /// Does this id wake the node, and make it a candidate? Else it is a relay from now on.
    constexpr bool wakes_to_join(const Id& waker) {
        if (role_ != role::asleep) return false;
        if (wake::joins(beats(self_, waker))) return true;
        role_ = role::relay;
        return false;
    }
    constexpr bool is_own(const Id& candidate) const {
        return role_ == role::candidate && candidate == self_;
    }
    /// Also of whom it knows to lead: that is the best id then.
    constexpr bool has_lost() const { return role_ == role::relay || !(this->best_ == self_); }

    role role_ = role::asleep;
};

}  // namespace caucus
