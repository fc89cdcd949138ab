// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/layer/epoch_record.hpp>

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

template <class P>
concept needs_an_election_that_never_ends__wrap_it_in_supervised = elects_again<P>;

/// Supervision of an election that never ends: P finds new leaders by itself, and only epochs are
/// missing. Whoever leads stamps one; whoever has seen a greater one tells it, and it stamps anew.
///
/// Model     complete network; what P assumes
/// Safety    no two nodes lead in one epoch, ever; within a life a node's epochs strictly rise
/// Liveness  once P has one leader for good, all know its epoch after two beats and three delays
/// Cost      n-1 messages for each reign and each beat of a leader; elections as P
/// Faults    what P survives; a number too far ahead to be honest is ignored, and were numbers to
///           run out, nobody would lead in an epoch any more
template <class P>
class stamped : public layer_over<stamped<P>, P> {
    static_assert(needs_an_election__with_id_and_is_leader<P>,
                  "needs_an_election__with_id_and_is_leader");
    static_assert(needs_an_election_that_never_ends__wrap_it_in_supervised<P>,
                  "needs_an_election_that_never_ends__wrap_it_in_supervised");
    using base = layer_over<stamped, P>;
    friend base;

public:
    using id_type = std::remove_cvref_t<decltype(std::declval<const P&>().id())>;
    using epoch_type = caucus::epoch<id_type>;

    struct ballot { typename P::message message; };
    using carried = ballot;
    struct stamp { epoch_type epoch; };
    struct overtaken { epoch_type epoch; };     // by one that the sender has followed
    using message = std::variant<ballot, stamp, overtaken>;
    struct beat_due {};
    using timer = timers_over<P, beat_due>;
    using outcome = std::variant<installed<id_type>, deposed<id_type>>;
    using typename base::kept;
    template <class Env>
    class inside;
    using storage_type = decltype(detail::room_for_timers<P, 1>());

    /// `elected` without an epoch: P tells it, and this layer says `installed` instead.
    static constexpr withheld withholds = withheld::outcomes;
    static constexpr model assumes = assumptions_of<P>();
    static constexpr std::size_t own_timers(std::size_t) { return 1; }

    constexpr explicit stamped(P election, supervised_options options = {})
        : base(std::move(election)), options_(options) {
        CAUCUS_ASSERT(options.beat != 0);   // a stamp that is lost would be lost for good
    }

    using base::on;
    constexpr void on(const stamp& s, port from, auto& env) {
        if (!record_.hears(s.epoch.number)) return;
        // Its sender leads others, or P has not yet found out here that it leads.
        if (election().is_leader() || !(election().leader() == s.epoch.leader)) return;
        if (record_.is_news(s.epoch)) return become_follower(s.epoch, env);
        // This node has left that epoch, or followed a later one: it can only follow a greater one,
        // so the leader must stamp anew.
        if (!follows_ || !(s.epoch == *last())) env.send(from, overtaken{*last()});
    }
    constexpr void on(const overtaken& o, port, auto& env) {
        if (!record_.hears(o.epoch.number) || !is_leader() || o.epoch < *last()) return;
        become_undecided(env);   // that reign is over, also for one who leads in the next
        become_leader(env);
    }
    constexpr void on(beat_due, auto& env) {
        if (is_leader()) env.broadcast(stamp{*last()});
        env.arm(timer{beat_due{}}, options_.beat);
    }

    constexpr bool is_leader() const { return follows_ && last()->leader == this->id(); }
    constexpr std::optional<id_type> leader() const {
        return follows_ ? std::optional<id_type>{last()->leader} : std::nullopt;
    }
    constexpr bool is_follower() const { return follows_ && !is_leader(); }
    constexpr std::optional<epoch_type> epoch() const { return follows_ ? last() : std::nullopt; }
    constexpr const supervised_options& options() const { return options_; }
    constexpr const char* objection(std::size_t degree) const {
        if (options_.beat == 0)
            return "stamped: without a beat, a stamp that is lost is not sent again";
        return base::objection(degree);
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.awake_, self.follows_, self.record_);
    }

private:
    constexpr answer answer_start(auto& env) {
        // Awake or not: a ballot has woken this layer, not P, if that waits to be started.
        if (!awake_) wake_up(env);
        return base::answer_start(env);
    }
    constexpr void before_message(auto& env) {
        if (!awake_) wake_up(env);
    }
    constexpr void heed(const auto& word, auto& env) { base::pass(word, env); }
    constexpr void heed(const recovered<kept>& r, auto& env) {
        // Only as a life's first input: later, the epoch of a leader would be that of another life.
        if (awake_) return;
        record_.begin_life(r.incarnation);
        wake_up(env);
        base::pass(r, env);
    }

    constexpr const std::optional<epoch_type>& last() const { return record_.last(); }
    constexpr void wake_up(auto& env) {
        awake_ = true;
        env.arm(timer{beat_due{}}, options_.beat);
    }

    /// Lets P react, and sees whether it has changed its mind about who leads.
    constexpr void run_inside(auto& env, auto act) {
        base::run_inside(env, act);
        if (follows_ && !(election().leader() == last()->leader)) become_undecided(env);
        if (!follows_ && election().is_leader()) become_leader(env);
    }
    constexpr const P& election() const { return this->process(); }
    constexpr void become_undecided(auto& env) {
        if (is_leader()) env.report(outcome{deposed<id_type>{*last()}});
        follows_ = false;
    }
    constexpr void become_leader(auto& env) {
        if (record_.is_exhausted()) return;   // the next epoch would be less than all before
        become_follower(record_.stamp(record_.next_number(), this->id()), env);
        env.broadcast(stamp{*last()});
    }
    constexpr void become_follower(const epoch_type& e, auto& env) {
        follows_ = true;
        record_.follow(e);
        env.report(outcome{installed<id_type>{e}});
    }

    supervised_options options_;
    bool awake_ = false;
    bool follows_ = false;            // whoever leads in the last epoch, itself perhaps
    epoch_record<id_type> record_{};
};

template <class P>
template <class Env>
class stamped<P>::inside : public inner_environment<inside<Env>, stamped, Env> {
public:
    constexpr inside(Env& outer, stamped&) : inner_environment<inside, stamped, Env>(outer) {}
    constexpr void report(const typename P::outcome&) {}
};

template <class P>
stamped(P) -> stamped<P>;
template <class P>
stamped(P, supervised_options) -> stamped<P>;

}  // namespace caucus
