// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/inner.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

namespace caucus {

template <class P>
concept needs_an_election__with_leader = requires(const P& p) { p.leader().has_value(); };

/// An election that waits for the dead says so: textbooks' wait in silence.
///
/// Model     what P assumes, and a failure detector
/// Safety    what P has; who says stalled suspects that neighbour, and knows no leader
/// Liveness  what P has; who knows no leader though it takes part, and suspects a neighbour, has
///           said so. One-way rings: whoever suspects its successor, since nothing passes there
/// Cost      none
/// Faults    as P, but audible: `supervised` holds the election again instead
template <class P>
class candid : public layer_over<P> {
    static_assert(needs_an_election__with_leader<P>, "needs_an_election__with_leader");
    static constexpr bool breaks = assumptions_of<P>().topology == shape::one_way_ring;
    template <class Env>
    class inside;

public:
    using message = typename P::message;
    using timer = typename P::timer;
    using outcome = outcomes_over<P, stalled>;
    using typename layer_over<P>::kept;

    static constexpr model assumes = assumptions_of<P>();
    static constexpr auto messages(size s) requires requires { P::messages(s); } {
        return P::messages(s);
    }
    static constexpr std::size_t timers(std::size_t degree) {
        return detail::timers_armed_by<P>(degree);
    }

    constexpr explicit candid(P process) : layer_over<P>(std::move(process)) {}

    constexpr void start(auto& env) {
        takes_part_ = true;
        run(env, [&](auto& within) { static_cast<void>(process_.start(within)); });
    }
    template <class Kind>
        requires kind_of<Kind, message>
    constexpr void on(const Kind& m, port from, auto& env) {
        takes_part_ = true;
        run(env, [&](auto& within) { process_.on(m, from, within); });
    }
    template <class Timer>
        requires kind_of<Timer, timer>
    constexpr void on(const Timer& t, auto& env) {
        run(env, [&](auto& within) { process_.on(t, within); });
    }
    template <class Env>
    constexpr void on(const recovered<kept>& r, Env& env) {
        // One that hears of its new life takes part again; others wait to be started or woken.
        takes_part_ = takes_part_ || listens_to<P, recovered<kept>, inside<Env>>;
        run(env, [&](auto& within) { tell(process_, r, within); });
    }
    constexpr void on(suspect s, auto& env) {
        suspected_.insert(s.whom);
        run(env, [&](auto& within) { tell(process_, s, within); });
    }
    constexpr void on(trust t, auto& env) {
        suspected_.erase(t.whom);
        said_.erase(t.whom);
        run(env, [&](auto& within) { tell(process_, t, within); });
    }

    constexpr bool is_stalled() const { return waits() && !suspected_.empty(); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.takes_part_, self.suspected_, self.said_);
    }

private:
    template <class Env>
    class inside : public inner_environment<inside<Env>, Env> {
    public:
        using inner_environment<inside, Env>::inner_environment;
        constexpr void send(port p, const message& m) { this->outer_.send(p, m); }
        constexpr void arm(const timer& t, ticks delay) { this->outer_.arm(t, delay); }
        constexpr void disarm(const timer& t) { this->outer_.disarm(t); }
        constexpr void report(const typename P::outcome& o) {
            report_inner<outcome>(o, this->outer_);
        }
    };

    constexpr bool waits() const {
        return takes_part_ && (breaks || !process_.leader().has_value());
    }

    template <class Env>
    constexpr void run(Env& env, auto act) {
        inside<Env> within{env};
        act(within);
        if (!waits()) return;
        for (const port p : ports(env.degree()))
            if (suspected_.contains(p) && said_.insert(p)) env.report(outcome{stalled{p}});
    }

    using layer_over<P>::process_;
    bool takes_part_ = false;
    port_set<> suspected_{};
    port_set<> said_{};   // and complained of
};

}  // namespace caucus
