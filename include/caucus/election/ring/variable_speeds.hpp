// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/time.hpp>
#include <caucus/election/ring/ring_election.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <variant>

namespace caucus {

/// How long messages take, which decides how long a node must hold a token.
struct pace {};
struct lock_step {   // one tick each, as on `rounds`
    using decides = pace;
    static constexpr timing time = timing::synchronous;
    static constexpr ticks delay_max = 1;
    static constexpr std::uint64_t slower_by(std::uint64_t power) { return power; }
};
struct uneven {      // anything up to the bound that the user states
    using decides = pace;
    static constexpr timing time = timing::bounded_delay;
    ticks delay_max;
    static constexpr std::uint64_t slower_by(std::uint64_t power) { return power - 1; }
};

/// Every id sends a token round the ring, the slower the greater: x takes 2^x ticks for each hop.
/// A node holds the least it has seen and stops the others, so the fast overtake the slow.
///
/// Model     one-way ring of unknown size, unique ids 0, 1, 2 …; reliable links, any order,
///           duplicates too; synchronous, and those that start do so together
/// Safety    at most one leader, with the least id of those that started, at any speeds and starts
/// Liveness  if any node starts, every node learns the leader (silent: the leader learns it)
/// Cost      tokens fewer than 2n, uneven: 2.61n; announcements n; time n·2^x for the least id x
/// Faults    a crashed node breaks the ring, a lost token is gone for ever; late starts and uneven
///           delays only cost messages
/// Source    Frederickson & Lynch, J. ACM 34(1), 1987; Lynch, Distributed Algorithms, 1996, 3.6
///
/// announcing announce or silent. Default announce: an election nobody hears of is of little use.
/// pace      lock_step, or uneven{delay_max}: a tick is then delay_max long. Default lock_step.
/// No preference: it is the great ids, however many, that are slow.
template <class Id, class... Policies>
class variable_speeds : public ring_election<Id, Policies...> {
    static_assert(needs_ids_that_are_whole_numbers<Id>, "needs_ids_that_are_whole_numbers");
    static_assert(roles<announcing, pace>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using delays = policy<pace, lock_step, Policies...>;
    using base = ring_election<Id, Policies...>;
    using base::announces, base::best_, base::decided, base::self_;

public:
    struct token { Id candidate; };
    using message = std::variant<token, typename base::elected>;
    struct held_long_enough {};
    using timer = held_long_enough;

    static constexpr model assumes = {shape::one_way_ring, guarantee::reliable, naming::distinct,
                                      delays::time};
    static constexpr winner elects = winner::best_caller;
    static constexpr cost messages(size s);

    /// Refuses ids for which n·2^id may not be counted in ticks, for any n that fits into 32 bits.
    constexpr explicit variable_speeds(Id self, Policies... policies)
        : base(self, policies...), delays_(pick<pace, lock_step>(policies...)) {
        if (self < Id{}) refuse("variable_speeds: the ids are 0, 1, 2, ...; one is negative");
        if (delays_.delay_max == 0) refuse("variable_speeds: messages take longer than 0 ticks");
        if (!can_be_held(self))
            refuse("variable_speeds: id ", static_cast<std::size_t>(self),
                   " would be too slow: 2^id delays are more than ticks can count on a long ring");
    }

    constexpr void start(environment_for<variable_speeds> auto& env) {
        if (!awake_) hold(self_, env);   // awake: its token would follow those it has passed on
    }

    constexpr void on(token m, port, environment_for<variable_speeds> auto& env) {
        if (m.candidate == self_ && !decided()) return this->conclude(self_, env);
        if (!can_be_held(m.candidate)) return;   // nobody has such an id
        if (awake_ && m.candidate >= best_) return;
        hold(m.candidate, env);
    }
    constexpr void on(held_long_enough, environment_for<variable_speeds> auto& env) {
        env.send(next, token{best_});
    }
    using base::on;

    /// It has passed on another's token, or will: its own, if it had one, was slower.
    constexpr bool is_follower() const { return !(best_ == self_); }

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.awake_));
    }

private:
    /// Can 2^x delays be counted? For x below 0 or above 31 the shift would be undefined.
    constexpr bool can_be_held(const Id& candidate) const {
        if (candidate < Id{} || static_cast<ticks>(candidate) > 31) return false;
        return delays_.delay_max <= ticks{1} << (31 - static_cast<ticks>(candidate));
    }
    /// One of the 2^x delays is the way to the next node. A slower token that is held is dropped.
    constexpr void hold(const Id& candidate, auto& env) {
        awake_ = true;
        best_ = candidate;
        const ticks wait = ((ticks{1} << candidate) - 1) * delays_.delay_max;
        if (wait != 0) return env.arm(held_long_enough{}, wait);
        env.disarm(held_long_enough{});
        env.send(next, token{candidate});
    }

    bool awake_ = false;
    [[no_unique_address]] delays delays_;
};

template <class Id, class... Policies>
variable_speeds(Id, Policies...) -> variable_speeds<Id, Policies...>;

/// The j-th after the least makes i hops before it is overtaken only if it began i·(2^j - 1) + 1
/// nodes ahead, and it ends where the least began: i·2^j < n. With uneven delays: it has been held
/// i·(2^j - 1) times as long as the least may take for a hop, and after n of those all is over.
template <class Id, class... Policies>
constexpr cost variable_speeds<Id, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t lap = announces ? n : 0;
    if (s.initiators == 0) return {0, 0, 0.0};
    std::uint64_t overtaken = 0;
    std::uint64_t power = 2;
    for (std::size_t j = 1; j < s.initiators && power <= n; ++j, power *= 2)
        overtaken += (n - 1) / delays::slower_by(power);
    return {n + lap, n + overtaken + lap};
}

}  // namespace caucus
