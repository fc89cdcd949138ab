// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/epoch.hpp>
#include <caucus/core/inner.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/layer/supervised.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

template <class... Policies>
concept an_election_that_never_ends_takes_no_policies_here = sizeof...(Policies) == 0;

/// Supervision of an election that never ends: P finds new leaders by itself, and only epochs are
/// missing. Whoever leads stamps one; whoever has seen a greater one tells it, and it stamps anew.
///
/// Model     complete network; what P assumes
/// Safety    no two nodes lead in one epoch, ever; within a life a node's epochs strictly rise
/// Liveness  once P has one leader for good, all know its epoch after two beats and three delays
/// Cost      n-1 messages for each reign and each beat of a leader; elections as P
/// Faults    what P survives; a number too far ahead to be honest is ignored, and were numbers to
///           run out, nobody would lead in an epoch any more
template <class P, class... Policies>
    requires perpetual<P>
class supervised<P, Policies...> : public detail::layer_traits<P> {
    static_assert(an_election_that_never_ends_takes_no_policies_here<Policies...>,
                  "an_election_that_never_ends_takes_no_policies_here");
    static_assert(needs_an_election__with_id_and_is_leader<P>,
                  "needs_an_election__with_id_and_is_leader");

public:
    using id_type = std::remove_cvref_t<decltype(std::declval<const P&>().id())>;
    using epoch_type = caucus::epoch<id_type>;

    struct ballot { typename P::message message; };
    struct stamp { epoch_type reign; };
    struct overtaken { epoch_type reign; };     // by one that the sender has followed
    using message = std::variant<ballot, stamp, overtaken>;
    struct beat_due {};
    using timer = timers_over<P, beat_due>;
    using outcome = std::variant<installed<id_type>, deposed<id_type>>;
    using kept = kept_by<P>;

    static constexpr model assumes = assumptions_of<P>();
    static constexpr std::size_t timers(std::size_t degree) {
        return 1 + detail::timers_armed_by<P>(degree);
    }

    constexpr explicit supervised(P election, supervised_options options = {})
        : election_(std::move(election)), options_(options) {
        CAUCUS_ASSERT(options.beat != 0);   // a stamp that is lost would be lost for good
    }

    constexpr void start(auto& env) {
        // Awake or not: a ballot has woken this layer, not P, if that waits to be started.
        if (!awake_) wake_up(env);
        run(env, [&](auto& within) { dispatch(election_, request::start{}, within); });
    }
    constexpr void on(const recovered<kept>& r, auto& env) {
        // It is a life's first input: later, a leader's epoch would be another life's.
        if (awake_) return;
        life_ = r.incarnation;
        wake_up(env);
        run(env, [&](auto& within) { tell(election_, r, within); });
    }
    constexpr void on(const ballot& b, port from, auto& env) {
        if (!awake_) wake_up(env);
        run(env, [&](auto& within) { dispatch(election_, b.message, from, within); });
    }
    constexpr void on(const inner_timer<typename P::timer>& t, auto& env) {
        run(env, [&](auto& within) {
            dispatch(election_, expiry<typename P::timer>{t.timer}, within);
        });
    }
    constexpr void on(suspect s, auto& env) {
        run(env, [&](auto& within) { tell(election_, s, within); });
    }
    constexpr void on(trust t, auto& env) {
        run(env, [&](auto& within) { tell(election_, t, within); });
    }

    constexpr void on(const stamp& s, port from, auto& env) {
        if (leaps(s.reign.number, heard_)) return;
        hear_of(s.reign.number);
        // It leads others, or this node does not know yet that it leads here too.
        if (election_.is_leader() || !(election_.leader() == s.reign.leader)) return;
        if (!reign_ || *reign_ < s.reign) return become_follower(s.reign, env);
        // Without a greater epoch this node, which had left, could not come back.
        if (!follows_ || !(s.reign == *reign_)) env.send(from, overtaken{*reign_});
    }
    constexpr void on(const overtaken& o, port, auto& env) {
        if (leaps(o.reign.number, heard_)) return;
        hear_of(o.reign.number);
        if (!is_leader() || o.reign < *reign_) return;
        become_undecided(env);   // that reign is over, also for one who leads in the next
        become_leader(env);
    }
    constexpr void on(beat_due, auto& env) {
        if (is_leader()) env.broadcast(stamp{*reign_});
        env.arm(timer{beat_due{}}, options_.beat);
    }

    constexpr decltype(auto) id() const { return election_.id(); }
    constexpr decltype(auto) peers() const requires requires(const P& p) { p.peers(); } {
        return election_.peers();
    }
    constexpr bool is_leader() const { return follows_ && reign_->leader == id(); }
    constexpr std::optional<id_type> leader() const {
        return follows_ ? std::optional<id_type>{reign_->leader} : std::nullopt;
    }
    constexpr std::optional<epoch_type> epoch() const { return follows_ ? reign_ : std::nullopt; }
    constexpr const P& process() const { return election_; }
    constexpr const supervised_options& options() const { return options_; }
    constexpr const char* objection(std::size_t degree) const {
        if (options_.beat == 0)
            return "supervised: an election that never ends needs a beat: a lost stamp is not sent "
                   "again";
        return detail::objection_of(election_, degree);
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.election_, self.awake_, self.follows_, self.reign_, self.heard_,
                        self.life_);
    }

private:
    template <class Env>
    class inside : public inner_environment<inside<Env>, Env> {
    public:
        using inner_environment<inside, Env>::inner_environment;
        constexpr void send(port p, const typename P::message& m) {
            this->outer_.send(p, ballot{m});
        }
        constexpr void arm(const typename P::timer& t, ticks delay) {
            this->outer_.arm(timer{inner_timer<typename P::timer>{t}}, delay);
        }
        constexpr void disarm(const typename P::timer& t) {
            this->outer_.disarm(timer{inner_timer<typename P::timer>{t}});
        }
        constexpr void report(const typename P::outcome&) {}
    };

    constexpr void hear_of(std::uint64_t number) {
        if (heard_ < number) heard_ = number;
    }
    constexpr void wake_up(auto& env) {
        awake_ = true;
        env.arm(timer{beat_due{}}, options_.beat);
    }

    /// Lets P react, and sees whether it has changed its mind about who leads.
    template <class Env>
    constexpr void run(Env& env, auto act) {
        inside<Env> within{env};
        act(within);
        if (follows_ && !(election_.leader() == reign_->leader)) become_undecided(env);
        if (!follows_ && election_.is_leader()) become_leader(env);
    }
    constexpr void become_undecided(auto& env) {
        if (is_leader()) env.report(outcome{deposed<id_type>{*reign_}});
        follows_ = false;
    }
    constexpr void become_leader(auto& env) {
        if (heard_ == last_number) return;   // the next epoch would be less than all before
        follows_ = true;
        reign_ = epoch_type{++heard_, id(), life_};
        env.report(outcome{installed<id_type>{*reign_}});
        env.broadcast(stamp{*reign_});
    }
    constexpr void become_follower(const epoch_type& reign, auto& env) {
        follows_ = true;
        reign_ = reign;
        env.report(outcome{installed<id_type>{reign}});
    }

    P election_;
    supervised_options options_;
    bool awake_ = false;
    bool follows_ = false;            // whoever leads in reign_, itself perhaps
    std::optional<epoch_type> reign_{};
    std::uint64_t heard_ = 0;         // the highest number of all
    incarnation life_{};
};

}  // namespace caucus
