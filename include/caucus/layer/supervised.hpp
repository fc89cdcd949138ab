// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/heard_lives.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/layer/ballot_environment.hpp>
#include <caucus/layer/epoch_record.hpp>
#include <caucus/layer/visible_ports.hpp>
#include <caucus/layer/votes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

/// A partition has a leader on each side, in different epochs: whatever they guard must let nothing
/// pass that is older than the newest epoch it has seen. With `majority` one side has none.
///
/// Holds an election whenever there is no leader to be heard, and numbers them; the winner stamps
/// {number, leader, incarnation}, and every node follows the greatest such epoch that it hears of.
///
/// Model     what P assumes; links may do what they like before they heal
/// Safety    no two nodes lead in one epoch, ever; within a life a node's epochs strictly rise
///           (majority: no two nodes lead in one number, as long as votes are remembered)
/// Liveness  once nothing goes wrong, all know one leader within options.settled_after()
/// Cost      a beat over every link in each direction every `beat` ticks, or, without beats, for
///           each reign; elections as P
/// Faults    crash, restart, loss, duplication, reordering, any delay, partition, one-way cut;
///           a number too far ahead to be honest is ignored, and were numbers to run out: stalled
///
/// A leader that leads no more is told `deposed`, once, before anything else: also one that is
/// drawn into an election, and wins it again.
/// An election in which somebody falls silent is held again without it: P sees the ports of those
/// who are heard, unless it knows its peers by port or sits on a ring.
/// Where ids are `ranked`, an application may bring another criterion to the next election:
///     net.call(v, request::candidacy{chang_roberts{ranked{log.size(), name}}})
/// Epochs carry the name alone: whatever the criteria, nobody else stamps them. The best of those
/// who take part leads, if P lets the best win; votes do not look at criteria. A new life stands
/// with what it was made with.
/// `quorum`       anyone, the default, since it needs no memory; or majority.
/// `taking_over`  non_preemptive, the default: a leader that works stays; or preemptive: whoever
///                beats the leader, by `Prefer`, calls an election, which P must let the best win.
/// `storage`      heap_storage, the default, or inplace_storage<degree>: no allocation of its own.
template <class P, class... Policies>
class supervised : public layer_over<supervised<P, Policies...>, P, std::optional<P>> {
    static_assert(needs_an_election__with_id_and_is_leader<P>,
                  "needs_an_election__with_id_and_is_leader");
    static_assert(majority_needs_a_complete_network<P, Policies...>,
                  "majority_needs_a_complete_network");
    static_assert(needs_asynchronous_elections__wrap_it_in_synchronizer<P>,
                  "needs_asynchronous_elections__wrap_it_in_synchronizer");
    static_assert(needs_an_election_that_ends__wrap_it_in_stamped<P>,
                  "needs_an_election_that_ends__wrap_it_in_stamped");
    static_assert(needs_an_election_that_is_not_reset__supervise_what_is_in_the_bus<P>,
                  "needs_an_election_that_is_not_reset__supervise_what_is_in_the_bus");
    static_assert(criteria_change__needs_no_peers_and_is_not_preemptive<P, Policies...>,
                  "criteria_change__needs_no_peers_and_is_not_preemptive");
    static_assert(roles<quorum, taking_over, preference, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using how = detail::supervision_of<P, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;
    using base = layer_over<supervised, P, std::optional<P>>;
    friend base;
    template <class, class>
    friend class ballot_environment;

public:
    using id_type = std::remove_cvref_t<decltype(name_in(std::declval<const P&>().id()))>;
    using epoch_type = caucus::epoch<id_type>;

    /// A message of P, and how many have passed it on unchanged.
    struct ballot { std::uint64_t number; typename P::message message; std::size_t relays = 0; };
    struct beat { std::uint64_t number; std::optional<epoch_type> epoch; std::uint64_t pulse; };
    struct ask { std::uint64_t number; };
    struct vote { std::uint64_t number; };
    using message = std::conditional_t<how::by_majority, std::variant<ballot, beat, ask, vote>,
                                       std::variant<ballot, beat>>;
    struct silence { port whom; };
    struct leader_silent {};
    struct election_overdue {};
    struct beat_due {};
    // Those due at one tick fire in this order: first the silent are suspected, then an election is
    // held without them.
    using timer = timers_over<P, silence, leader_silent, election_overdue, beat_due>;
    using outcome = std::variant<installed<id_type>, deposed<id_type>, stalled, overflow>;
    /// The highest number in which this node has voted, and the last leader it has followed.
    struct promise { std::uint64_t voted; std::optional<epoch_type> epoch; };
    using kept = std::conditional_t<how::by_majority, promise, nothing>;
    using storage_type = typename detail::room_for_timers_over<store, P, 3>::type;
    template <class Env>
    using inside = ballot_environment<supervised, Env>;

    static constexpr bool perpetual = true;
    static constexpr bool heeds_suspicions = true;
    /// P is made anew for each election: it has no former life, and where it would wait for the
    /// silent it does not see them.
    static constexpr withheld withholds =
        withheld::outcomes | withheld::lives |
        (how::hides_the_silent ? withheld::suspicions : withheld::nothing);
    template <class>
    static constexpr bool goes_on_after_a_crash() { return true; }
    static constexpr model assumes = how::assumes;
    static constexpr std::size_t own_timers(std::size_t degree) { return degree + 3; }

    constexpr explicit supervised(P election, supervised_options options = {}, Policies... policies)
        : base(election), fresh_(std::move(election)), options_(options),
          prefer_(pick<preference, greatest>(policies...)) {
        // A beat that is expected before it can come: everybody would suspect everybody.
        CAUCUS_ASSERT(options.beat == 0 || options.patience() > options.beat);
        CAUCUS_ASSERT(options.reach != 0);
    }
    /// The same, with all options left out.
    template <detail::fits_one_of<Policies...> First, detail::fits_one_of<Policies...>... Rest>
    constexpr explicit supervised(P election, First first, Rest... rest)
        : supervised(std::move(election), supervised_options{}, first, rest...) {}

    using base::on;

    constexpr void on(const ballot& b, port from, auto& env) {
        if (is_out(env) || !record_.hears(b.number)) return;
        if (phase_ == phase::asleep) wake_up(env);
        if (is_over(b.number)) return reply(from, env);
        if (b.number != number_) join_election(b.number, env);
        if (how::hides_the_silent && !members_.contains(from)) return;   // in another election
        run_inside(env, [&](auto& within) { within.deliver(b, from); });
    }

    constexpr void on(const beat& b, port from, auto& env) {
        if (is_out(env) || (b.epoch && !record_.believes(b.epoch->number))) return;
        if (!record_.hears(b.number)) return;
        if (phase_ == phase::asleep) {
            wake_up(env);
            become_listening(env);   // also to others: the sender may be dead by now
        }
        if (how::hears_neighbours && options_.beat != 0) {
            env.arm(timer{silence{from}}, options_.patience());
            become_trusted(from, env);
        }
        if (b.epoch && !record_.is_forged(this->id(), *b.epoch))
            learn(*b.epoch, b.pulse, from, env);
        // Without beats nobody else tells the sender of a later epoch: its leader may not know it.
        if (options_.beat == 0 && b.epoch && last() && *b.epoch < *last()) reply(from, env);
        // P waits until all have started, and sends nothing that would make this node join.
        if (all_must_start<P> && number_ < b.number) join_election(b.number, env);
    }

    constexpr void on(beat_due, auto& env) {
        if (is_leader()) ++pulse_;
        env.broadcast(here());
        env.arm(timer{beat_due{}}, options_.beat);
    }
    constexpr void on(silence s, auto& env) { become_suspected(s.whom, env); }
    constexpr void on(leader_silent, auto& env) { hold_election(env); }
    constexpr void on(election_overdue, auto& env) {
        if (failures_ < failures_told && ++failures_ == failures_told)
            env.report(outcome{stalled{}});
        hold_election(env);
    }

    /// Accepted, it stands with that from the next election on, whoever calls it: not in the one
    /// that is under way, nor does it call one.
    constexpr answer on(const caucus::request::candidacy<P>& new_one, auto& env)
        requires detail::stands_by_criterion<P> {
        if (is_out(env)) return answer::no_room;
        // Under another's name it would stamp the other's epochs.
        if (!(name_in(new_one.election.id()) == id())) return answer::not_a_member;
        // As executors look at what they are made with.
        if (detail::objection_of(new_one.election, env.degree())) return answer::unfit;
        fresh_ = new_one.election;
        return answer::accepted;
    }

    constexpr void on(ask a, port from, auto& env) {
        if (is_out(env) || !record_.hears(a.number)) return;
        if (!votes_.may_give(a.number, from))
            return reply(from, env);   // tells it our number; else it would try each below that
        vote_for(a.number, from, env);
        env.send(from, vote{a.number});
    }
    constexpr void on(vote v, port from, auto& env) {
        if (phase_ != phase::counting || v.number != number_) return;   // of an earlier attempt
        votes_.count(from);
        if (is_majority(votes_.got(), env)) become_leader(env);
    }

    /// Its name, where ids are ranked: that is who leads, and it stays.
    constexpr decltype(auto) id() const {
        if constexpr (detail::stands_by_criterion<P>) return id_type{process_->id().name};
        else return base::id();
    }
    constexpr std::optional<id_type> leader() const {
        return phase_ == phase::settled ? std::optional<id_type>{last()->leader} : std::nullopt;
    }
    // Not by number_: that is the next election's already when a leader is drawn into it.
    constexpr bool is_leader() const {
        return phase_ == phase::settled && record_.is_stamped_by(this->id(), *last());
    }
    // What P knows of one election is not yet true of all that come.
    constexpr bool is_follower() const { return leader() && !is_leader(); }
    /// The epoch in which the leader leads: what a request to a guarded resource must carry.
    constexpr std::optional<epoch_type> epoch() const {
        return phase_ == phase::settled ? last() : std::nullopt;
    }
    /// Of the election that it is in, or whose winner it follows; 0 before the first.
    constexpr std::uint64_t number() const { return number_; }
    constexpr bool suspects(port p) const { return suspected_.contains(p); }
    constexpr const supervised_options& options() const { return options_; }
    constexpr const char* objection(std::size_t degree) const {
        const char* to_options = options_.objection();
        return to_options != nullptr ? to_options : detail::objection_of(fresh_, degree);
    }

    static constexpr auto fields(auto& self) {
        const auto state = std::tie(self.process_, self.phase_, self.number_, self.record_,
                                    self.pulse_, self.suspected_, self.lives_, self.members_,
                                    self.timers_, self.failures_, self.votes_);
        if constexpr (detail::stands_by_criterion<P>)
            return std::tuple_cat(state, std::tie(self.fresh_));   // else it never changes
        else return state;
    }

private:
    /// listening: new here, or back from a crash; perhaps somebody leads. electing: P is at work.
    /// counting: P has won here, votes are awaited. waiting: without a majority no election helps.
    /// out: this node has more ports than there is room for.
    enum class phase : std::uint8_t {
        asleep, listening, electing, counting, settled, waiting, out
    };
    static constexpr std::uint8_t failures_told = 3;

    constexpr const std::optional<epoch_type>& last() const { return record_.last(); }
    constexpr beat here() const { return {record_.heard(), last(), pulse_}; }
    /// What has been passed on by more, nobody takes home: `reach` is half a two-way ring.
    constexpr std::size_t relays_most() const { return times(6, options_.reach); }
    constexpr bool is_over(std::uint64_t number) const {
        return number < number_ || (number == number_ && phase_ != phase::electing);
    }
    constexpr bool is_majority(std::size_t nodes, auto& env) const {
        return 2 * nodes > env.degree() + 1;
    }
    constexpr bool hears_enough(auto& env) const {
        return !how::by_majority || is_majority(env.degree() + 1 - suspected_.size(), env);
    }

    constexpr answer refusal() const {
        return phase_ == phase::out ? answer::no_room : answer::blocked;   // between two elections
    }
    constexpr answer answer_start(auto& env) {
        if (is_out(env)) return answer::no_room;
        if (phase_ != phase::asleep) return answer::accepted;
        wake_up(env);
        hold_election(env);
        return answer::accepted;
    }
    constexpr bool is_out(auto& env) {
        if (phase_ == phase::asleep && overflows<store, outcome>(env)) phase_ = phase::out;
        return phase_ == phase::out;
    }
    constexpr void wake_up(auto& env) {
        if (options_.beat == 0) return;
        env.arm(timer{beat_due{}}, options_.beat);
        if (how::hears_neighbours)
            for (const port p : ports(env.degree()))
                env.arm(timer{silence{p}}, options_.patience());
    }

    constexpr void hold_election(auto& env) {
        // Numbers have run out: it waits for one who leads in the last.
        if (!hears_enough(env) || record_.is_exhausted()) return become_waiting(env);
        number_ = record_.next_number();
        become_electing(env);
        call_others(env);
        static_cast<void>(base::answer_start(env));
    }
    constexpr void join_election(std::uint64_t number, auto& env) {
        number_ = number;
        become_electing(env);
        call_others(env);
        if constexpr (all_must_start<P>) static_cast<void>(base::answer_start(env));
    }
    /// Where all must start, P may wait and send nothing, and no beat would tell of the election.
    constexpr void call_others(auto& env) {
        if (all_must_start<P> && options_.beat == 0) env.broadcast(here());
    }

    /// Lets P react in an election that is under way, and looks whether it has won.
    constexpr void run_inside(auto& env, auto act) {
        if (phase_ != phase::electing) return;
        base::run_inside(env, act);
        if (!process_->is_leader()) return;
        if constexpr (how::by_majority) become_counting(env);
        else become_leader(env);
    }

    /// A leader steps down, and P's timers end with its election.
    constexpr void end_phase(auto& env) {
        if (is_leader()) env.report(outcome{deposed<id_type>{*last()}});
        timers_.template disarm_all<timer>(env);
    }
    constexpr void become_listening(auto& env) {
        phase_ = phase::listening;
        env.arm(timer{leader_silent{}}, options_.leader_wait());
    }
    constexpr void become_electing(auto& env) {
        end_phase(env);
        phase_ = phase::electing;
        process_.emplace(fresh_);
        members_.show_all_but(suspected_, env.degree());
        env.disarm(timer{leader_silent{}});
        env.arm(timer{election_overdue{}}, options_.election_wait());
        if constexpr (!how::hides_the_silent) {
            inside<std::remove_reference_t<decltype(env)>> within{env, *this};
            for (const port p : ports(env.degree()))
                if (suspected_.contains(p)) tell(*process_, suspect{p}, within);
        }
    }
    constexpr void become_counting(auto& env) {
        // Votes that come late would make it leader of a majority that it does not hear any more.
        if (!hears_enough(env)) return become_waiting(env);
        phase_ = phase::counting;
        votes_.begin_count();
        if (number_ <= votes_.last()) return;     // has voted for somebody else
        vote_for(number_, port{env.degree()}, env);
        if (is_majority(1, env)) return become_leader(env);
        env.broadcast(ask{number_});
    }
    constexpr void become_waiting(auto& env) {
        if (phase_ == phase::waiting) return;
        end_phase(env);
        phase_ = phase::waiting;
        env.disarm(timer{leader_silent{}});
        env.disarm(timer{election_overdue{}});
        env.report(outcome{stalled{}});
    }
    constexpr void become_leader(auto& env) {
        become_settled(record_.stamp(number_, this->id()), 0, env);
    }
    constexpr void become_settled(const epoch_type& e, std::uint64_t pulse, auto& env) {
        end_phase(env);
        phase_ = phase::settled;
        record_.follow(e);
        number_ = e.number;
        pulse_ = pulse;
        failures_ = 0;
        keep_promise(env);
        env.disarm(timer{election_overdue{}});
        env.report(outcome{installed<id_type>{e}});
        // Without beats too: who heard of an earlier epoch from us hears of this from nobody else.
        if (is_leader() || how::floods || options_.beat == 0) env.broadcast(here());
        if (is_leader() || options_.beat == 0) env.disarm(timer{leader_silent{}});
        else env.arm(timer{leader_silent{}}, options_.leader_wait());
        if (is_leader()) return;
        // The leader was this very node, in an earlier life; or it is one that must give way.
        if (e.leader == this->id() || (how::preempts && prefer_(this->id(), e.leader)))
            hold_election(env);
    }
    constexpr void learn(const epoch_type& e, std::uint64_t pulse, port from, auto& env) {
        if (phase_ == phase::settled && e == *last()) return feel(pulse, env);
        // Epochs rise, though one may return to the leader it had before a crash.
        const bool returns = phase_ == phase::listening && last() && e == *last();
        if (!record_.is_news(e) && !returns) return;
        // An election is not left for the outcome of an earlier one.
        if (phase_ != phase::settled && e.number < number_) return;
        // In a life's first election the number proves nothing: a node that is dead by now may have
        // won an earlier election of the same number.
        const bool took_part = phase_ == phase::electing && e.number == number_ && last();
        become_settled(e, pulse, env);
        // The leader may be dead, and this its last message: if it is suspected already, no further
        // suspicion will come.
        const bool doubtful =
            suspected_.contains(from) ||
            how::may_be_among(suspected_, last()->leader, *process_, took_part);
        if (options_.beat == 0 && phase_ == phase::settled && doubtful)
            env.arm(timer{leader_silent{}}, options_.leader_wait());
    }
    constexpr void feel(std::uint64_t pulse, auto& env) {
        if (pulse <= pulse_ || is_leader()) return;   // no news of the leader
        pulse_ = pulse;
        env.arm(timer{leader_silent{}}, options_.leader_wait());
    }
    /// Whoever is in an election that is over here hears what came of it, or of a later one.
    constexpr void reply(port from, auto& env) {
        if (from < env.degree()) env.send(from, here());
        else env.broadcast(here());
    }

    constexpr void heed(suspect s, auto& env) {
        if (!is_late(s, env)) become_suspected(s.whom, env);
    }
    constexpr void heed(trust t, auto& env) {
        if (!is_late(t, env)) become_trusted(t.whom, env);
    }
    constexpr bool is_late(const auto& word, auto& env) {
        return !is_out(env) && word.whom < env.degree() && lives_.is_late(word);
    }
    constexpr void heed(const recovered<kept>& r, auto& env) {
        // Only as a life's first input: later, a leader would stop leading without being told.
        if (is_out(env) || phase_ != phase::asleep) return;
        record_.begin_life(r.incarnation);
        if constexpr (how::by_majority)
            if (r.last) remember(*r.last);
        wake_up(env);
        become_listening(env);
    }
    constexpr void before_timer(const typename P::timer& t) { timers_.strike(t); }

    constexpr void become_suspected(port p, auto& env) {
        if (is_out(env) || p >= env.degree() || !suspected_.insert(p)) return;
        if (phase_ == phase::electing) {
            if constexpr (!how::hides_the_silent) base::pass(suspect{p}, env);
            if (phase_ == phase::electing && !outlives_peers<P> && members_.contains(p))
                hold_election(env);   // else P would wait for it for ever
        } else if (phase_ == phase::counting || phase_ == phase::settled) {
            if (!hears_enough(env)) return become_waiting(env);
            if (phase_ == phase::settled && options_.beat == 0 &&
                how::may_have_id(last()->leader, p, *process_))
                hold_election(env);
        }
    }
    constexpr void become_trusted(port p, auto& env) {
        if (is_out(env) || p >= env.degree() || !suspected_.erase(p)) return;
        // No beat of its own will tell it what it has missed.
        if (options_.beat == 0 && phase_ != phase::asleep) env.send(p, here());
        if constexpr (!how::hides_the_silent) base::pass(trust{p}, env);
        if (phase_ == phase::waiting && hears_enough(env)) hold_election(env);
    }

    constexpr void vote_for(std::uint64_t number, port candidate, auto& env) {
        votes_.give(number, candidate);
        keep_promise(env);
    }
    constexpr void keep_promise([[maybe_unused]] auto& env) const {
        if constexpr (how::by_majority) env.keep(promise{votes_.last(), last()});
    }
    constexpr void remember(const promise& p) {
        votes_.remember(p.voted);
        record_.hear_of(p.voted);
        if (!p.epoch) return;
        record_.follow(*p.epoch);
        number_ = p.epoch->number;
    }

    using base::process_;
    P fresh_;                        // as the next election begins
    supervised_options options_;
    [[no_unique_address]] policy<preference, greatest, Policies...> prefer_;
    phase phase_ = phase::asleep;
    std::uint64_t number_ = 0;       // of the election this node is in, or whose winner it follows
    epoch_record<id_type> record_{};
    std::uint64_t pulse_ = 0;        // the leader's last beat that was heard of
    port_set<store> suspected_{};
    heard_lives<store> lives_{};
    visible_ports<store> members_{};   // who takes part, as far as this node knows
    inner_timers<typename P::timer, detail::timers_in_place<store, P>> timers_{};
    std::uint8_t failures_ = 0;
    votes<store> votes_{};
};

template <class P, class... Policies>
supervised(P, supervised_options = {}, Policies...) -> supervised<P, Policies...>;
template <class P, detail::other_than<supervised_options> First, class... Rest>
supervised(P, First, Rest...) -> supervised<P, First, Rest...>;

}  // namespace caucus
