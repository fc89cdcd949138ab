// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/detector/judge.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

struct heartbeat_options {
    ticks beat = 100;   // from one to the next
};

/// Everyone beats; whoever is silent for too long is suspected, and trusted when it beats again.
///
/// Model     any connected graph, no ids; links may lose, repeat and reorder; clocks of equal speed
/// Safety    none: a live neighbour is suspected whenever its beats are late or lost; a suspicion
///           is news of silence, not of death
/// Liveness  a dead neighbour is suspected for good, in (timeout-beat, timeout+delay] after its
///           death; with a growing timeout and bounded delays in the end, nobody else is for ever
/// Cost      a beat per direction of every link and period: 2|E|, n(n-1) on a complete network
/// Faults    any number of crashes and restarts; loss and delay cost wrong suspicions
/// Source    Chandra & Toueg, JACM 43(2), 1996, for partial synchrony
///
/// A layer: the process inside hears `suspect` and `trust`, which alternate for each port. A beat
/// carries its sender's incarnation: a new life is a suspicion and trust again at once, a former
/// one is stale. Both words name the latest life that was heard of, or the first. The first beat
/// wakes a sleeping neighbour's heart, not the process inside. Only beats count: other messages
/// come from no known life.
///
/// judge     fixed_timeout, phi_accrual. Default fixed_timeout: a bound that can be stated.
/// storage   heap_storage or inplace_storage<degree>. Default heap_storage.
template <class P, class... Policies>
class heartbeat : public layer_over<heartbeat<P, Policies...>, P> {
    static_assert(needs_a_process__see_the_concept<P>, "needs_a_process__see_the_concept");
    static_assert(roles<judging, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    static_assert(assumptions_of<P>().topology != shape::one_way_ring, "needs_two_way_links");
    using judge_type = policy<judging, fixed_timeout, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;
    static_assert(judge<judge_type>, "needs_a_judge__see_the_concept");
    static constexpr bool reports_overflow =
        store::bounded && !kind_of<overflow, typename P::outcome>;

    using base = layer_over<heartbeat, P>;
    friend base;
    using base::process_;

public:
    struct beat { caucus::incarnation life; };
    struct carried { typename P::message message; };
    using message = kinds_with<(kinds_of<typename P::message> != 0), carried, beat>;
    struct beat_due {};
    struct silence { port whom; };
    using timer = timers_over<P, beat_due, silence>;
    using outcome = typename std::conditional_t<reports_overflow,
                                                std::type_identity<outcomes_over<P, overflow>>,
                                                std::type_identity<outcomes_over<P>>>::type;
    using typename base::kept;
    template <class Env>
    using inside = renaming_environment<heartbeat, Env>;
    using storage_type = typename detail::room_for_timers_over<store, P, 1>::type;

    static constexpr model assumes = assumptions_of<P>();
    static constexpr bool perpetual = true;
    /// Of others: what P hears is this detector's word.
    static constexpr bool heeds_suspicions = false;
    static constexpr withheld withholds = withheld::suspicions;
    static constexpr bool reads_clock = caucus::reads_clock<P> || caucus::reads_clock<judge_type>;
    static constexpr std::size_t own_timers(std::size_t degree) { return 1 + degree; }

    constexpr explicit heartbeat(P process, heartbeat_options options = {}, Policies... policies)
        : base(std::move(process)), options_(options),
          judge_(pick<judging, fixed_timeout>(policies...)) {
        if (options.beat == 0) refuse("heartbeat: no time between two beats");
        if (judge_.patience(judge_.fresh()) <= options.beat)
            refuse("heartbeat: ", judge_.patience(judge_.fresh()), " ticks of silence are too "
                   "many, and a beat comes every ", options.beat, ": all would be suspected");
    }

    /// The same, with all options left out.
    template <detail::fits_one_of<Policies...> First, detail::fits_one_of<Policies...>... Rest>
    constexpr explicit heartbeat(P process, First first, Rest... rest)
        : heartbeat(std::move(process), heartbeat_options{}, first, rest...) {}

    using base::on;
    constexpr void on(beat_due, auto& env) { send_beats(env); }

    constexpr void on(const beat& b, port from, auto& env) {
        if (!is_awake(env) || from >= watches_.size()) return;
        watch& w = watches_[from];
        if (b.life < w.life) return;   // else the dead live while their last beats travel
        const bool reborn = w.life < b.life;
        judge_.heard(w.history, reborn        ? sign::reborn
                                : w.suspected ? sign::overdue
                                              : sign::on_time, env);
        env.arm(timer{silence{from}}, judge_.patience(w.history));
        if (reborn) become_suspected(from, env);   // what it knew of us is gone: that must be heard
        w.life = b.life;
        become_trusted(from, env);
    }
    constexpr void on(silence s, auto& env) { become_suspected(s.whom, env); }

    constexpr bool suspects(port p) const { return p < watches_.size() && watches_[p].suspected; }
    /// How long the neighbour behind that port may be silent, as things are.
    constexpr ticks patience(port p) const { return judge_.patience(watches_[p].history); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.options_, self.judge_, self.life_, self.state_,
                        self.watches_);
    }

private:
    enum class state : std::uint8_t { asleep, awake, out };
    struct watch {
        caucus::incarnation life{};
        bool suspected = false;
        typename judge_type::history history{};
    };

    constexpr void run_inside(auto& env, auto act) {
        if (is_awake(env)) base::run_inside(env, act);
    }
    constexpr void heed(const recovered<kept>& r, auto& env) {
        life_ = r.incarnation;
        base::pass(r, env);
    }

    /// Whatever comes first sets the heart going.
    constexpr bool is_awake(auto& env) {
        if (state_ == state::asleep) become_awake(env);
        return state_ == state::awake;
    }
    constexpr void become_awake(auto& env) {
        state_ = state::out;
        if (overflows<store, outcome>(env)) return;
        state_ = state::awake;
        watches_.resize(env.degree(), watch{{}, false, judge_.fresh()});
        send_beats(env);
        for (const port p : ports(env.degree())) env.arm(timer{silence{p}}, patience(p));
    }
    constexpr void send_beats(auto& env) {
        env.broadcast(beat{life_});
        env.arm(timer{beat_due{}}, options_.beat);
    }

    constexpr void become_suspected(port p, auto& env) {
        if (watches_[p].suspected) return;
        watches_[p].suspected = true;
        base::pass(suspect{p, watches_[p].life}, env);
    }
    constexpr void become_trusted(port p, auto& env) {
        if (!watches_[p].suspected) return;
        watches_[p].suspected = false;
        base::pass(trust{p, watches_[p].life}, env);
    }

    heartbeat_options options_;
    [[no_unique_address]] judge_type judge_;
    caucus::incarnation life_{};
    state state_ = state::asleep;
    typename store::template sequence<watch> watches_{};
};

template <class P, class... Policies>
heartbeat(P, heartbeat_options, Policies...) -> heartbeat<P, Policies...>;
template <class P>
heartbeat(P) -> heartbeat<P>;
template <class P, detail::other_than<heartbeat_options> First, class... Rest>
heartbeat(P, First, Rest...) -> heartbeat<P, First, Rest...>;

}  // namespace caucus
