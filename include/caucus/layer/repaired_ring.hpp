// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/inner.hpp>
#include <caucus/core/port_set.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace caucus {

template <class P>
concept needs_a_process_for_rings = assumptions_of<P>().topology == shape::one_way_ring ||
                                    assumptions_of<P>().topology == shape::two_way_ring;

/// A ring that closes over its gaps: next is the first successor that is not suspected.
///
/// Model     complete network; what P assumes of links and ids
/// Safety    what P has on a ring, among those who agree on who is suspected
/// Liveness  what P has, once suspicions are right and nobody crashes; what was on its way to a
///           node that crashed is lost: supervise it, or start again
/// Cost      none of its own; what has gone round three times unchanged goes no further
/// Faults    crashes between elections; within one: wrap in supervised, which holds it again
///
/// Listens to suspect and trust, from a detector, a heartbeat layer, or supervised around it.
template <class P>
class repaired_ring : public layer_over<P> {
    static_assert(needs_a_process_for_rings<P>, "needs_a_process_for_rings");
    static constexpr bool one_way = assumptions_of<P>().topology == shape::one_way_ring;

public:
    /// A message of P, the port of the ring by which it comes in, and how many have passed it on.
    struct passed { port at; typename P::message message; std::size_t relays; };
    using message = passed;
    using timer = typename P::timer;
    using outcome = typename P::outcome;
    using typename layer_over<P>::kept;

    static constexpr model assumes = {shape::complete, assumptions_of<P>().links,
                                      assumptions_of<P>().names, assumptions_of<P>().time};
    static constexpr auto messages(size s) requires requires { P::messages(s); } {
        s.links = s.nodes;
        return P::messages(s);
    }
    static constexpr std::size_t timers(std::size_t) {
        return detail::timers_armed_by<P>(one_way ? 1 : 2);
    }

    constexpr explicit repaired_ring(P process) : layer_over<P>(std::move(process)) {}

    constexpr void start(auto& env) {
        run(env, [&](auto& within) { static_cast<void>(process_.start(within)); });
    }
    constexpr void on(const passed& m, port, auto& env) {
        if (!is_inlet(m.at)) return;   // no ring leads there
        run(env, [&](auto& within) { within.deliver(process_, m); });
    }
    template <class Timer>
        requires kind_of<Timer, timer>
    constexpr void on(const Timer& t, auto& env) {
        run(env, [&](auto& within) { process_.on(t, within); });
    }
    constexpr void on(const recovered<kept>& r, auto& env) {
        run(env, [&](auto& within) { tell(process_, r, within); });
    }
    constexpr void on(suspect s, auto&) { suspected_.insert(s.whom); }
    constexpr void on(trust t, auto&) { suspected_.erase(t.whom); }

    /// Inside it is a ring, whatever the degree outside.
    constexpr const char* objection(std::size_t) const {
        return detail::objection_of(process_, one_way ? 1 : 2);
    }

    static constexpr auto fields(auto& self) { return std::tie(self.process_, self.suspected_); }

private:
    /// An id that comes home has gone round once, and one that others adopt not three times.
    static constexpr std::size_t laps_most = 3;

    /// Two ports of a ring, made of the many of a complete network.
    template <class Env>
    class inside : public inner_environment<inside<Env>, Env> {
    public:
        constexpr inside(Env& env, const port_set<>& suspected)
            : inner_environment<inside, Env>(env), suspected_(suspected) {}

        static constexpr std::size_t degree() { return one_way ? 1 : 2; }
        constexpr void deliver(P& process, const passed& m) {
            handled_ = &m;
            dispatch(process, m.message, m.at, *this);
            handled_ = nullptr;
        }
        constexpr void send(port p, const typename P::message& m) {
            const std::size_t all_ports = this->outer_.degree();
            const passed next_hop{opposite(p), m, relays_of(m)};
            // Some pass its sender over: it would go round for ever, and links that repeat would
            // make ever more of it.
            if (next_hop.relays >= laps_most * (all_ports + 1)) return;
            for (const port q : ports(all_ports)) {
                const port there = p == next ? q : port{all_ports - 1 - q.index()};
                if (!suspected_.contains(there)) return this->outer_.send(there, next_hop);
            }
            to_itself.push_back(next_hop);   // a ring of one is a loop
        }
        constexpr void arm(const timer& t, ticks delay) { this->outer_.arm(t, delay); }
        constexpr void disarm(const timer& t) { this->outer_.disarm(t); }
        constexpr void report(const outcome& o) { this->outer_.report(o); }

        std::vector<passed> to_itself{};

    private:
        constexpr std::size_t relays_of(const typename P::message& m) const {
            if (handled_ == nullptr || !caucus::same(handled_->message, m)) return 0;
            return handled_->relays + 1;
        }

        const port_set<>& suspected_;
        const passed* handled_ = nullptr;
    };

    static constexpr bool is_inlet(port p) { return p == prev || (!one_way && p == next); }

    template <class Env>
    constexpr void run(Env& env, auto act) {
        inside<Env> within{env, suspected_};
        act(within);
        // No handler runs before another returns, not even on a loop.
        for (std::size_t i = 0; i < within.to_itself.size(); ++i) {
            const passed m = within.to_itself[i];
            within.deliver(process_, m);
        }
    }

    using layer_over<P>::process_;
    port_set<> suspected_{};
};

}  // namespace caucus
