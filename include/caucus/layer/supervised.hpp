// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/epoch.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/layer/relay_counter.hpp>
#include <caucus/layer/supervision.hpp>
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
    static_assert(roles<quorum, taking_over, preference, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    static constexpr bool by_majority =
        std::is_same_v<policy<quorum, anyone, Policies...>, majority>;
    static constexpr bool preempts =
        std::is_same_v<policy<taking_over, non_preemptive, Policies...>, preemptive>;
    using preference_type = policy<preference, greatest, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;
    using base = layer_over<supervised, P, std::optional<P>>;
    friend base;

    static constexpr shape inner_shape = assumptions_of<P>().topology;
    static constexpr bool hears_neighbours = inner_shape != shape::one_way_ring;
    static constexpr bool floods = inner_shape != shape::complete;
    static constexpr bool sits_on_a_ring =
        inner_shape == shape::one_way_ring || inner_shape == shape::two_way_ring;
    static constexpr bool hides_the_silent =
        !sits_on_a_ring && !requires(const P& p) { p.peers(); };
    static constexpr std::size_t laps_most = 6;   // of `reach`, which is half a two-way ring

public:
    using id_type = std::remove_cvref_t<decltype(std::declval<const P&>().id())>;
    using epoch_type = caucus::epoch<id_type>;

    /// A message of P, and how many have passed it on unchanged.
    struct ballot { std::uint64_t number; typename P::message message; std::size_t relays = 0; };
    struct beat { std::uint64_t number; std::optional<epoch_type> reign; std::uint64_t pulse; };
    struct ask { std::uint64_t number; };
    struct vote { std::uint64_t number; };
    using message = std::conditional_t<by_majority, std::variant<ballot, beat, ask, vote>,
                                       std::variant<ballot, beat>>;
    struct silence { port whom; };
    struct leader_silent {};
    struct election_overdue {};
    struct beat_due {};
    // In the order in which they fire at one tick: the silent are left out of the next election.
    using timer = timers_over<P, silence, leader_silent, election_overdue, beat_due>;
    using outcome = std::variant<installed<id_type>, deposed<id_type>, stalled, overflow>;
    /// The highest number in which this node has voted, and the last leader it has followed.
    struct promise { std::uint64_t voted; std::optional<epoch_type> reign; };
    using kept = std::conditional_t<by_majority, promise, nothing>;
    using storage_type = typename detail::room_for_timers_over<store, P, 3>::type;
    template <class Env>
    class inside;

    static constexpr bool perpetual = true;
    static constexpr bool heeds_suspicions = true;
    /// P is made anew for each election: it has no former life, and where it would wait for the
    /// silent it does not see them.
    static constexpr withheld withholds =
        withheld::outcomes | withheld::lives |
        (hides_the_silent ? withheld::suspicions : withheld::nothing);
    template <class>
    static constexpr bool goes_on_after_a_crash() { return true; }
    static constexpr guarantee links_needed = assumptions_of<P>().links;
    static constexpr model assumes = {
        inner_shape,
        loss_costs_elections<P> ? without(links_needed, guarantee::reliable) : links_needed,
        naming::distinct, assumptions_of<P>().time};
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
        if (is_out(env) || leaps(b.number, heard_)) return;
        hear_of(b.number);
        if (phase_ == phase::asleep) wake_up(env);
        if (is_over(b.number)) return reply(from, env);
        if (b.number != number_) join_election(b.number, env);
        if (hides_the_silent && !members_.contains(from)) return;   // in another election than ours
        run_inside(env, [&](auto& within) { within.deliver(b, inner_port(from)); });
    }

    constexpr void on(const beat& b, port from, auto& env) {
        if (is_out(env) || leaps(b.number, heard_) || (b.reign && leaps(b.reign->number, heard_)))
            return;
        hear_of(b.number);
        if (phase_ == phase::asleep) {
            wake_up(env);
            become_listening(env);   // to others: whoever sent this may be dead
        }
        if (hears_neighbours && options_.beat != 0) {
            env.arm(timer{silence{from}}, options_.patience());
            become_trusted(from, env);
        }
        if (b.reign && !is_forged(*b.reign)) learn(*b.reign, b.pulse, from, env);
        // No beat of ours will tell it of a later one, and that one's leader may not know of it.
        if (options_.beat == 0 && b.reign && reign_ && *b.reign < *reign_) reply(from, env);
        // No message of P would make this node join, and all would wait for it.
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

    constexpr void on(ask a, port from, auto& env) {
        if (is_out(env) || leaps(a.number, heard_)) return;
        hear_of(a.number);
        if (!votes_.may_give(a.number, from))
            return reply(from, env);   // with the number to beat, or it would count up to it
        vote_for(a.number, from, env);
        env.send(from, vote{a.number});
    }
    constexpr void on(vote v, port from, auto& env) {
        if (phase_ != phase::counting || v.number != number_) return;   // of an earlier attempt
        votes_.count(from);
        if (is_majority(votes_.got(), env)) become_settled(mine(), 0, env);
    }

    constexpr std::optional<id_type> leader() const {
        return phase_ == phase::settled ? std::optional<id_type>{reign_->leader} : std::nullopt;
    }
    constexpr bool is_leader() const { return phase_ == phase::settled && is_mine(*reign_); }
    /// The epoch in which the leader leads: what a request to a guarded resource must carry.
    constexpr std::optional<epoch_type> epoch() const {
        return phase_ == phase::settled ? reign_ : std::nullopt;
    }
    constexpr bool suspects(port p) const { return suspected_.contains(p); }
    constexpr const supervised_options& options() const { return options_; }
    constexpr const char* objection(std::size_t degree) const {
        const char* to_options = options_.objection();
        return to_options != nullptr ? to_options : detail::objection_of(fresh_, degree);
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.phase_, self.number_, self.heard_, self.reign_,
                        self.pulse_, self.life_, self.suspected_, self.members_, self.timers_,
                        self.failures_, self.votes_);
    }

private:
    /// listening: new here, or back from a crash; perhaps somebody leads. electing: P is at work.
    /// counting: P has won here, votes are awaited. waiting: without a majority no election helps.
    /// out: this node has more ports than there is room for.
    enum class phase : std::uint8_t {
        asleep, listening, electing, counting, settled, waiting, out
    };
    static constexpr std::uint8_t failures_told = 3;

    constexpr epoch_type mine() const { return {number_, this->id(), life_}; }
    // Not by number_: that is the next election's already when a leader is drawn into it.
    constexpr bool is_mine(const epoch_type& e) const {
        return e.leader == this->id() && e.incarnation == life_;
    }
    constexpr beat here() const { return {heard_, reign_, pulse_}; }
    /// Only this node stamps epochs of this life: those that it hears of are never news.
    constexpr bool is_forged(const epoch_type& e) const {
        return is_mine(e) && (!reign_ || *reign_ < e);
    }
    constexpr void hear_of(std::uint64_t number) {
        if (heard_ < number) heard_ = number;
    }
    constexpr bool is_over(std::uint64_t number) const {
        return number < number_ || (number == number_ && phase_ != phase::electing);
    }
    constexpr bool is_majority(std::size_t nodes, auto& env) const {
        return 2 * nodes > env.degree() + 1;
    }
    constexpr bool hears_enough(auto& env) const {
        return !by_majority || is_majority(env.degree() + 1 - suspected_.size(), env);
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
        if (hears_neighbours)
            for (const port p : ports(env.degree()))
                env.arm(timer{silence{p}}, options_.patience());
    }

    constexpr void hold_election(auto& env) {
        // From the last number on epochs would fall: it waits for one who leads in that.
        if (!hears_enough(env) || heard_ == last_number) return become_waiting(env);
        number_ = ++heard_;
        become_electing(env);
        start_election(env);
    }
    constexpr void join_election(std::uint64_t number, auto& env) {
        number_ = number;
        become_electing(env);
        if constexpr (all_must_start<P>) start_election(env);
    }
    constexpr void start_election(auto& env) {
        static_cast<void>(base::answer_start(env));
    }

    /// Lets P react in an election that is under way, and looks whether it has won.
    constexpr void run_inside(auto& env, auto act) {
        if (phase_ != phase::electing) return;
        base::run_inside(env, act);
        if (!process_->is_leader()) return;
        if constexpr (by_majority) become_counting(env);
        else become_settled(mine(), 0, env);
    }

    constexpr void become_listening(auto& env) {
        phase_ = phase::listening;
        env.arm(timer{leader_silent{}}, options_.leader_wait());
    }
    constexpr void become_electing(auto& env) {
        step_down(env);
        phase_ = phase::electing;
        timers_.template disarm_all<timer>(env);
        process_.emplace(fresh_);
        members_.clear();
        for (const port p : ports(env.degree()))
            if (!suspected_.contains(p)) members_.show(p);
        env.disarm(timer{leader_silent{}});
        env.arm(timer{election_overdue{}}, options_.election_wait());
        if constexpr (!hides_the_silent) {
            inside<std::remove_reference_t<decltype(env)>> within{env, *this};
            for (const port p : ports(env.degree()))
                if (suspected_.contains(p)) tell(*process_, suspect{p}, within);
        }
    }
    constexpr void become_counting(auto& env) {
        // Votes that come late would make it lead those who are not heard any more, for ever.
        if (!hears_enough(env)) return become_waiting(env);
        phase_ = phase::counting;
        votes_.begin_count();
        if (number_ <= votes_.last()) return;     // has voted for somebody else
        vote_for(number_, port{env.degree()}, env);
        if (is_majority(1, env)) return become_settled(mine(), 0, env);
        env.broadcast(ask{number_});
    }
    constexpr void become_waiting(auto& env) {
        if (phase_ == phase::waiting) return;
        step_down(env);
        phase_ = phase::waiting;
        timers_.template disarm_all<timer>(env);
        env.disarm(timer{leader_silent{}});
        env.disarm(timer{election_overdue{}});
        env.report(outcome{stalled{}});
    }
    constexpr void become_settled(const epoch_type& reign, std::uint64_t pulse, auto& env) {
        step_down(env);
        phase_ = phase::settled;
        timers_.template disarm_all<timer>(env);
        hear_of(reign.number);
        number_ = reign.number;
        reign_ = reign;
        pulse_ = pulse;
        failures_ = 0;
        keep_promise(env);
        env.disarm(timer{election_overdue{}});
        env.report(outcome{installed<id_type>{reign}});
        // Without beats too: nobody else would tell those who heard of an earlier one from us.
        if (is_leader() || floods || options_.beat == 0) env.broadcast(here());
        if (is_leader() || options_.beat == 0) env.disarm(timer{leader_silent{}});
        else env.arm(timer{leader_silent{}}, options_.leader_wait());
        if (is_leader()) return;
        // The leader was this very node, in an earlier life; or it is one that must give way.
        if (reign.leader == this->id() || (preempts && prefer_(this->id(), reign.leader)))
            hold_election(env);
    }
    constexpr void step_down(auto& env) {
        if (is_leader()) env.report(outcome{deposed<id_type>{*reign_}});
    }

    constexpr void learn(const epoch_type& reign, std::uint64_t pulse, port from, auto& env) {
        if (phase_ == phase::settled && reign == *reign_) return feel(pulse, env);
        // Epochs rise, though one may return to the leader it had before a crash.
        const bool returns = phase_ == phase::listening && reign_ && reign == *reign_;
        if (reign_ && !(*reign_ < reign) && !returns) return;
        // An election is not left for the outcome of an earlier one.
        if (phase_ != phase::settled && reign.number < number_) return;
        // In a life's first election the number says little: those who died before may have won one
        // of that number.
        const bool took_part = phase_ == phase::electing && reign.number == number_ && reign_;
        become_settled(reign, pulse, env);
        // Perhaps a dead leader's last words: it is suspected already, and will not be again.
        const bool doubtful = suspected_.contains(from) || suspects_leader(took_part);
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

    constexpr void heed(suspect s, auto& env) { become_suspected(s.whom, env); }
    constexpr void heed(trust t, auto& env) { become_trusted(t.whom, env); }
    constexpr void heed(const recovered<kept>& r, auto& env) {
        // It is a life's first input: later, a leader would lead no more without being told.
        if (is_out(env) || phase_ != phase::asleep) return;
        life_ = r.incarnation;
        if constexpr (by_majority)
            if (r.last) remember(*r.last);
        wake_up(env);
        become_listening(env);
    }
    constexpr void before_timer(const typename P::timer& t) { timers_.strike(t); }

    constexpr void become_suspected(port p, auto& env) {
        if (is_out(env) || p >= env.degree() || !suspected_.insert(p)) return;
        switch (phase_) {
            case phase::electing:
                if constexpr (!hides_the_silent)
                    base::pass(suspect{p}, env);
                if (phase_ == phase::electing && !outlives_peers<P> && members_.contains(p))
                    hold_election(env);   // P would wait for it for ever
                return;
            case phase::counting:
            case phase::settled:
                if (!hears_enough(env)) return become_waiting(env);
                if (phase_ == phase::settled && options_.beat == 0 && may_lead(p))
                    hold_election(env);
                return;
            case phase::asleep:
            case phase::listening:
            case phase::waiting:
            case phase::out: return;
        }
    }
    constexpr void become_trusted(port p, auto& env) {
        if (is_out(env) || p >= env.degree() || !suspected_.erase(p)) return;
        // No beat of its own will tell it what it has missed.
        if (options_.beat == 0 && phase_ != phase::asleep) env.send(p, here());
        if constexpr (!hides_the_silent)
            base::pass(trust{p}, env);
        if (phase_ == phase::waiting && hears_enough(env)) hold_election(env);
    }
    constexpr bool may_lead([[maybe_unused]] port p) const {
        if constexpr (requires(const P& e) { e.peers(); })
            return process_->peers()[p] == reign_->leader;
        else
            return true;
    }

    /// Is the leader one of the suspects? If ids are not known by port, perhaps: but not if those
    /// were left out of its election, or each election would be followed by another.
    constexpr bool suspects_leader([[maybe_unused]] bool elected_without_them) const {
        if constexpr (requires(const P& e) { e.peers(); }) {
            for (const port p : ports(process_->peers().size()))
                if (suspected_.contains(p) && may_lead(p)) return true;
            return false;
        } else {
            return !elected_without_them && !suspected_.empty();
        }
    }

    constexpr void vote_for(std::uint64_t number, port candidate, auto& env) {
        votes_.give(number, candidate);
        keep_promise(env);
    }
    constexpr void keep_promise([[maybe_unused]] auto& env) const {
        if constexpr (by_majority) env.keep(promise{votes_.last(), reign_});
    }
    constexpr void remember(const promise& p) {
        votes_.remember(p.voted);
        reign_ = p.reign;
        if (reign_) number_ = reign_->number;
        hear_of(number_ < p.voted ? p.voted : number_);
    }

    constexpr port outer_port(port p) const {
        return hides_the_silent ? members_.outer(p) : p;
    }
    constexpr port inner_port(port from) const {
        return hides_the_silent ? members_.inner(from) : from;
    }

    using base::process_;
    P fresh_;                        // as each election begins
    supervised_options options_;
    [[no_unique_address]] preference_type prefer_;
    phase phase_ = phase::asleep;
    std::uint64_t number_ = 0;       // of the election this node is in, or whose winner it follows
    std::uint64_t heard_ = 0;        // the highest number of all
    std::optional<epoch_type> reign_{};
    std::uint64_t pulse_ = 0;        // the leader's last beat that was heard of
    incarnation life_{};
    port_set<store> suspected_{};
    visible_ports<store> members_{};   // who takes part, as far as this node knows
    inner_timers<typename P::timer, detail::timers_in_place<store, P>> timers_{};
    std::uint8_t failures_ = 0;
    votes<store> votes_{};
};

/// What P sees: other timers' names, and only the ports of those who are heard.
template <class P, class... Policies>
template <class Env>
class supervised<P, Policies...>::inside
    : public inner_environment<inside<Env>, supervised, Env> {
public:
    constexpr inside(Env& env, supervised& self)
        : inner_environment<inside, supervised, Env>(env), self_(self) {}

    constexpr std::size_t degree() const {
        return hides_the_silent ? self_.members_.size() : this->outer_.degree();
    }
    constexpr void deliver(const ballot& b, port from) {
        relays_.while_handling(b, [&] { dispatch(*self_.process_, b.message, from, *this); });
    }
    constexpr void send(port p, const typename P::message& m) {
        const ballot b{self_.number_, m, sits_on_a_ring ? relays_.relays_of(m) : 0};
        // Nobody takes it home.
        if (sits_on_a_ring && b.relays > times(laps_most, self_.options_.reach)) return;
        this->outer_.send(self_.outer_port(p), b);
    }
    constexpr void arm(const typename P::timer& t, ticks delay) {
        self_.timers_.template arm<timer>(t, delay, this->outer_);
    }
    constexpr void disarm(const typename P::timer& t) {
        self_.timers_.template disarm<timer>(t, this->outer_);
    }
    constexpr void report(const typename P::outcome& o) {
        visit_kind(o, [&](const auto& kind) {
            using told = std::remove_cvref_t<decltype(kind)>;
            if constexpr (std::is_same_v<told, overflow> || std::is_same_v<told, stalled>)
                this->outer_.report(outcome{kind});
        });
    }

private:
    supervised& self_;
    relay_counter<ballot> relays_{};
};

template <class P, class... Policies>
supervised(P, supervised_options = {}, Policies...) -> supervised<P, Policies...>;
template <class P, detail::other_than<supervised_options> First, class... Rest>
supervised(P, First, Rest...) -> supervised<P, First, Rest...>;

}  // namespace caucus
