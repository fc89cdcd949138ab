// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/heard_lives.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

namespace caucus {

namespace detail {
template <class P>
concept is_an_election = requires(const P& p) { p.leader().has_value(); };
template <class P>
concept says_whom_it_awaits = requires(const P& p, port whom) {
    { p.awaits(whom) } -> std::convertible_to<bool>;
};
}  // namespace detail

template <class P>
concept needs_an_election_with_leader__or_a_process_with_awaits =
    detail::is_an_election<P> || detail::says_whom_it_awaits<P>;

/// A process that waits for the dead says so: textbooks' wait in silence. One that says whom it
/// awaits, `awaits(port) -> bool`, is believed; an election waits for all until it knows a leader.
///
/// Model     what P assumes, and a failure detector
/// Safety    what P has; who says stalled suspects that neighbour, and waits for it
/// Liveness  what P has; who waits for a neighbour that it suspects has said so, whichever came
///           first. One-way rings: so has an election that suspects its successor, leader or not
/// Cost      none
/// Faults    as P, but audible: `supervised` holds an election again instead
template <class P>
class candid : public layer_over<candid<P>, P> {
    static_assert(needs_an_election_with_leader__or_a_process_with_awaits<P>,
                  "needs_an_election_with_leader__or_a_process_with_awaits");
    static constexpr bool asks = detail::says_whom_it_awaits<P>;
    static constexpr bool breaks = assumptions_of<P>().topology == shape::one_way_ring;
    using base = layer_over<candid, P>;
    friend base;

public:
    using message = typename P::message;
    using timer = typename P::timer;
    using outcome = outcomes_over<P, stalled>;
    using typename base::kept;
    template <class Env>
    using inside = renaming_environment<candid, Env>;
    using storage_type = decltype(detail::room_for_timers<P>());

    static constexpr bool heeds_suspicions = true;
    static constexpr model assumes = assumptions_of<P>();
    static constexpr auto messages(size s) requires requires { P::messages(s); } {
        return P::messages(s);
    }
    static constexpr std::size_t own_timers(std::size_t) { return 0; }

    constexpr explicit candid(P process) : base(std::move(process)) {}

    constexpr bool is_stalled() const {
        if constexpr (asks) return !said_.empty();
        else return is_undecided() && !suspected_.empty();
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.takes_part_, self.suspected_, self.said_,
                        self.lives_);
    }

private:
    constexpr bool is_undecided() const {
        return takes_part_ && (breaks || !process_.leader().has_value());
    }
    constexpr bool waits_for([[maybe_unused]] port p) const {
        if constexpr (asks) return process_.awaits(p);
        else return is_undecided();
    }

    constexpr answer answer_start(auto& env) {
        takes_part_ = true;
        return base::answer_start(env);
    }
    constexpr void before_message(auto&) { takes_part_ = true; }
    constexpr void heed(suspect s, auto& env) {
        if (!lives_.is_late(s)) suspected_.insert(s.whom);
        base::pass(s, env);
    }
    constexpr void heed(trust t, auto& env) {
        if (!lives_.is_late(t)) {
            suspected_.erase(t.whom);
            said_.erase(t.whom);
        }
        base::pass(t, env);
    }
    template <class Env>
    constexpr void heed(const recovered<kept>& r, Env& env) {
        // One that hears of its new life takes part again; others wait to be started or woken.
        takes_part_ = takes_part_ || caucus::goes_on_after_a_crash<P, inside<Env>>;
        base::pass(r, env);
    }

    constexpr void run_inside(auto& env, auto act) {
        base::run_inside(env, act);
        if (suspected_.empty()) return;
        for (const port p : ports(env.degree())) {
            if (!suspected_.contains(p)) continue;
            if (!waits_for(p)) {
                if constexpr (asks) said_.erase(p);   // who waits for it again says so again
            } else if (said_.insert(p)) {
                env.report(outcome{stalled{p}});
            }
        }
    }

    using base::process_;
    bool takes_part_ = false;
    port_set<> suspected_{};
    port_set<> said_{};   // and complained of
    heard_lives<> lives_{};
};

template <class P>
candid(P) -> candid<P>;

}  // namespace caucus
