// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/detector/membership.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

struct swim_options {
    ticks round_trip = 20;       // in which an ack is back, or help is asked for
    ticks period = 100;          // from one probe to the next; at least three round trips
    ticks suspicion = 500;       // in which a suspect may refute, or is confirmed dead
    std::uint8_t helpers = 3;    // k: who are asked to try in our place
    std::uint8_t repeats = 3;    // λ: each news is told λ·lg n times
};

/// The role of who is probed next.
struct probing {};
struct round_robin {   // everybody once in a shuffled order, again and again
    using decides = probing;
    static constexpr bool shuffles = true;
};
struct at_random {     // anybody: the paper's first version, without a worst case
    using decides = probing;
    static constexpr bool shuffles = false;
};

/// Everyone probes one member a period, directly and then through others; news rides on the probes.
///
/// Model     complete network in ring order (port p leads to the (p+1)-th successor), no ids; links
///           may lose, repeat and reorder; clocks of equal speed
/// Safety    none: a live member is suspected when all its answers are late or lost; it refutes
/// Liveness  everybody suspects the dead for good: the first in e/(e-1) periods on average, each
///           by itself in 2n-2; who is alive is trusted again, even if it was confirmed dead
/// Cost      2 a period and member, at most 4k more on a miss, whatever n is
/// Faults    any number of crashes and restarts, and partitions that heal; loss costs suspicions
/// Source    Das, Gupta & Motivala, DSN 2002
///
/// A layer: the process inside hears `suspect` when a member is suspected, nothing when that is
/// confirmed, `trust` when it is refuted; a restart is suspicion of one life and trust in the next
/// at once. Deviations: a
/// refuted life stays the same life, so a version is {life, stay, refutations}, and `confirm` beats
/// all of one stay; who hears that it was confirmed dead begins a new stay, as the paper's rejoins.
/// Every message has its sender's version, and tells a suspect that it is one. One of the confirmed
/// is probed each round: two halves of a network would never meet again.
///
/// probing   round_robin or at_random. Default round_robin: detection has a bound.
/// storage   heap_storage or inplace_storage<degree>. Default heap_storage.
template <class P, class... Policies>
class swim : public layer_over<swim<P, Policies...>, P> {
    static_assert(needs_a_process__see_the_concept<P>, "needs_a_process__see_the_concept");
    static_assert(roles<probing, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    static_assert(may_serve(shape::complete, assumptions_of<P>().topology),
                  "needs_a_process_for_complete_networks");
    using order = policy<probing, round_robin, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;
    static constexpr bool reports_overflow =
        store::bounded && !kind_of<overflow, typename P::outcome>;

    using base = layer_over<swim, P>;
    friend base;
    using base::process_;

public:
    struct ping { port asker; std::uint32_t number; gossip says; };
    struct ack { port asker; std::uint32_t number; gossip says; };       // both as in the ping
    struct ping_req { port target; std::uint32_t number; gossip says; };
    struct carried { typename P::message message; };
    using message =
        kinds_with<(kinds_of<typename P::message> != 0), carried, ping, ack, ping_req>;
    struct period_over {};
    struct answer_overdue {};
    struct suspicion { port whom; };
    using timer = timers_over<P, period_over, answer_overdue, suspicion>;
    using outcome = typename std::conditional_t<reports_overflow,
                                                std::type_identity<outcomes_over<P, overflow>>,
                                                std::type_identity<outcomes_over<P>>>::type;
    using typename base::kept;
    template <class Env>
    using inside = renaming_environment<swim, Env>;
    using storage_type = typename detail::room_for_timers_over<store, P, 2>::type;

    static constexpr model assumes = assumptions_on<P>(shape::complete);
    static constexpr bool perpetual = true;
    /// Of others: what P hears is this detector's word.
    static constexpr bool heeds_suspicions = false;
    static constexpr withheld withholds = withheld::suspicions;
    static constexpr bool tosses_coins = true;
    static constexpr std::size_t own_timers(std::size_t degree) { return 2 + degree; }

    constexpr explicit swim(P process, swim_options options = {}, Policies...)
        : base(std::move(process)), options_(options) {
        if (options.round_trip == 0 || options.period / 3 < options.round_trip)
            refuse("swim: a period of ", options.period, " ticks has no room for three round trips "
                   "of ", options.round_trip);
        if (options.suspicion < options.period)
            refuse("swim: within ", options.suspicion, " ticks nobody can refute a suspicion");
    }

    /// The same, with all options left out.
    template <detail::fits_one_of<Policies...> First, detail::fits_one_of<Policies...>... Rest>
    constexpr explicit swim(P process, First first, Rest... rest)
        : swim(std::move(process), swim_options{}, first, rest...) {}

    using base::on;
    constexpr void on(period_over, auto& env) {
        // Not before: the indirect probes have until now. Not at a version that we heard of since:
        // a probe that found nobody would condemn the next life.
        if (!answered_) hear_of(target_, standing::suspected, probed_, env);
        begin_period(env);
    }
    constexpr void on(answer_overdue, auto& env) { ask_helpers(env); }
    constexpr void on(suspicion s, auto& env) {
        hear_of(s.whom, standing::confirmed, members_.at(s.whom), env);
    }

    constexpr void on(const ping& m, port from, auto& env) {
        if (!hears(m.says, from, env)) return;
        env.send(from, ack{m.asker, m.number, gossip_for(from)});
    }
    constexpr void on(const ping_req& m, port from, auto& env) {
        if (!hears(m.says, from, env)) return;
        const port target = members_.seen_from_here(m.target, from);
        if (target < members_.size()) env.send(target, ping{from, m.number, gossip_for(target)});
    }
    constexpr void on(const ack& m, port from, auto& env) {
        if (!hears(m.says, from, env)) return;
        if (m.asker < members_.size())
            return env.send(m.asker, ack{members_.me(), m.number, gossip_for(m.asker)});
        if (m.number != number_) return;   // an earlier probe's: it may have died since
        answered_ = true;
        env.disarm(timer{answer_overdue{}});
    }

    constexpr bool suspects(port p) const {
        return p < members_.size() && members_.as(p) != standing::alive;
    }
    constexpr const membership<store>& members() const { return members_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.options_, self.state_, self.members_, self.round_,
                        self.place_, self.target_, self.probed_, self.number_, self.answered_);
    }

private:
    enum class state : std::uint8_t { asleep, awake, out };
    using list = typename membership<store>::list;

    constexpr void run_inside(auto& env, auto act) {
        if (is_awake(env)) base::run_inside(env, act);
    }
    constexpr void heed(const recovered<kept>& r, auto& env) {
        members_.set_life(r.incarnation);   // without it, all that the new life says is stale
        base::pass(r, env);
    }

    /// Whatever comes first begins the first period.
    constexpr bool is_awake(auto& env) {
        if (state_ == state::asleep) become_awake(env);
        return state_ == state::awake;
    }
    constexpr void become_awake(auto& env) {
        state_ = state::out;
        if (overflows<store, outcome>(env)) return;
        state_ = state::awake;
        members_.begin(env.degree());
        if (env.degree() != 0) begin_period(env);
    }

    // Probes.

    constexpr void begin_period(auto& env) {
        target_ = next_target(env);
        probed_ = members_.at(target_);
        ++number_;
        answered_ = false;
        env.send(target_, ping{members_.me(), number_, gossip_for(target_)});
        env.arm(timer{answer_overdue{}}, options_.round_trip);
        env.arm(timer{period_over{}}, options_.period);
    }
    constexpr port next_target(auto& env) {
        if constexpr (!order::shuffles) return port{env.choose(members_.size())};
        if (place_ == round_.size()) {
            place_ = 0;
            round_ = members_.those(false);
            const list lost = members_.those(true);
            if (lost.size() != 0) round_.push_back(lost[env.choose(lost.size())]);
            shuffle(round_, round_.size(), env);
        }
        return round_[place_++];
    }
    constexpr void ask_helpers(auto& env) {
        if (members_.as(target_) == standing::confirmed) return;
        list helpers;
        for (const port p : members_.those(false))
            if (p != target_) helpers.push_back(p);
        const std::size_t asked =
            helpers.size() < options_.helpers ? helpers.size() : options_.helpers;
        shuffle(helpers, asked, env);
        for (std::size_t i = 0; i < asked; ++i)
            env.send(helpers[i], ping_req{target_, number_, gossip_for(helpers[i])});
    }
    /// A fair choice of the first `count` (Fisher & Yates).
    static constexpr void shuffle(list& v, std::size_t count, auto& env) {
        for (std::size_t i = 0; i < count; ++i)
            std::swap(v[i], v[i + env.choose(v.size() - i)]);
    }

    // News.

    constexpr gossip gossip_for(port to) { return members_.gossip_for(to, options_.repeats); }

    constexpr bool hears(const gossip& g, port from, auto& env) {
        if (!is_awake(env) || from >= members_.size()) return false;
        hear_of(from, standing::alive, g.sender, env);
        for (const member_update& u : g.news) {
            const port whom = members_.seen_from_here(u.whom, from);
            if (whom == members_.me()) members_.hear_of_myself(u.as, u.at);
            else hear_of(whom, u.as, u.at, env);
        }
        return true;
    }
    constexpr void hear_of(port p, standing as, const member_version& at, auto& env) {
        const incarnation former = members_.at(p).life;
        const auto change = members_.hear_of(p, as, at);
        if (!change) return;
        if (as == standing::suspected) env.arm(timer{suspicion{p}}, options_.suspicion);
        else env.disarm(timer{suspicion{p}});
        const bool alive = as == standing::alive;
        const incarnation present = members_.at(p).life;
        if (!change->was_suspected && (change->is_reborn || !alive))
            base::pass(suspect{p, alive ? former : present}, env);
        if (alive && (change->is_reborn || change->was_suspected))
            base::pass(trust{p, present}, env);
    }

    swim_options options_;
    state state_ = state::asleep;
    membership<store> members_{};
    list round_{};              // who is probed in this round, and how far we are
    std::size_t place_ = 0;
    port target_{};
    member_version probed_{};          // as we knew the target then
    std::uint32_t number_ = 0;  // of the probe
    bool answered_ = true;
};

template <class P, class... Policies>
swim(P, swim_options, Policies...) -> swim<P, Policies...>;
template <class P>
swim(P) -> swim<P>;
template <class P, detail::other_than<swim_options> First, class... Rest>
swim(P, First, Rest...) -> swim<P, First, Rest...>;

}  // namespace caucus
