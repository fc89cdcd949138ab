// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/heard_lives.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/layer/relay_counter.hpp>

#include <cstddef>
#include <optional>
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
/// Faults    crashes between elections; within one: wrap in supervised, which holds it again, or
///           let P be renewed with detector, which begins again by itself
///
/// Listens to suspect and trust, from a detector, a heartbeat layer, or supervised around it. P
/// hears of its neighbours on the ring, by the ports of the ring: suspect{next} when the ring has
/// just been closed over its next, trust{next} when one that was passed over stands there again.
/// Each gap, and each return, is thus told to one node of a one-way ring, and to two of another.
template <class P>
class repaired_ring : public layer_over<repaired_ring<P>, P> {
    static_assert(needs_a_process_for_rings<P>, "needs_a_process_for_rings");
    static constexpr bool one_way = assumptions_of<P>().topology == shape::one_way_ring;
    using base = layer_over<repaired_ring, P>;
    friend base;
    using base::process_;

public:
    /// A message of P, the port of the ring by which it comes in, and how many have passed it on.
    struct passed { port at; typename P::message message; std::size_t relays; };
    using message = passed;
    using timer = typename P::timer;
    using outcome = typename P::outcome;
    template <class Env>
    class inside;
    using storage_type = decltype(detail::room_for_timers<P>());

    static constexpr bool heeds_suspicions = true;
    static constexpr model assumes = assumptions_on<P>(shape::complete);
    static constexpr auto messages(size s) requires requires { P::messages(s); } {
        s.links = s.nodes;
        return P::messages(s);
    }
    static constexpr std::size_t own_timers(std::size_t) { return 0; }
    /// Inside it is a ring, whatever the degree outside.
    static constexpr std::size_t degree_inside(std::size_t) { return one_way ? 1 : 2; }

    constexpr explicit repaired_ring(P process) : base(std::move(process)) {}

    using base::on;
    constexpr void on(const passed& m, port, auto& env) {
        if (!is_inlet(m.at)) return;   // no ring leads there
        run_inside(env, [&](auto& within) { within.deliver(m); });
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.suspected_, self.lives_);
    }

private:
    /// No live message needs three laps; one that has made them is orphaned.
    static constexpr std::size_t laps_most = 3;

    static constexpr bool is_inlet(port p) { return p == prev || (!one_way && p == next); }

    /// Without the life that the detector speaks of: many have stood at one port of the ring.
    constexpr void heed(suspect s, auto& env) {
        if (lives_.is_late(s)) return;
        const std::size_t all_ports = env.degree();
        const bool was_next = neighbour(next, all_ports) == s.whom;
        const bool was_prev = neighbour(prev, all_ports) == s.whom;
        suspected_.insert(s.whom);
        if (was_next) base::pass(suspect{next}, env);
        if (was_prev && !one_way) base::pass(suspect{prev}, env);
    }
    constexpr void heed(trust t, auto& env) {
        if (lives_.is_late(t) || !suspected_.erase(t.whom)) return;
        const std::size_t all_ports = env.degree();
        if (neighbour(next, all_ports) == t.whom) base::pass(trust{next}, env);
        if (neighbour(prev, all_ports) == t.whom && !one_way) base::pass(trust{prev}, env);
    }
    constexpr void heed(const recovered<typename base::kept>& r, auto& env) { base::pass(r, env); }

    /// Who stands on that side: the first that is not suspected; nobody, if this is a ring of one.
    constexpr std::optional<port> neighbour(port side, std::size_t all_ports) const {
        for (const port q : ports(all_ports)) {
            const port there = side == next ? q : port{all_ports - 1 - q.index()};
            if (!suspected_.contains(there)) return there;
        }
        return std::nullopt;
    }

    template <class Env>
    constexpr void run_inside(Env& env, auto act) {
        inside<Env> within{env, *this};
        act(within);
        // No handler runs before another returns, not even on a loop.
        for (std::size_t i = 0; i < within.to_itself.size(); ++i) {
            const passed m = within.to_itself[i];
            within.deliver(m);
        }
    }

    port_set<> suspected_{};
    heard_lives<> lives_{};
};

/// Two ports of a ring, made of the many of a complete network.
template <class P>
template <class Env>
class repaired_ring<P>::inside : public inner_environment<inside<Env>, repaired_ring, Env> {
public:
    constexpr inside(Env& env, repaired_ring& layer)
        : inner_environment<inside, repaired_ring, Env>(env), layer_(layer) {}

    constexpr std::size_t degree() const { return degree_inside(this->outer_.degree()); }
    constexpr void deliver(const passed& m) {
        relays_.while_handling(m, [&] { dispatch(layer_.process_, m.message, m.at, *this); });
    }
    constexpr void send(port p, const typename P::message& m) {
        const std::size_t all_ports = this->outer_.degree();
        const passed next_hop{opposite(p), m, relays_.relays_of(m)};
        // Nodes that suspect its sender do not send to it: nobody would ever take this home.
        if (next_hop.relays >= laps_most * (all_ports + 1)) return;
        if (const auto there = layer_.neighbour(p, all_ports)) this->outer_.send(*there, next_hop);
        else to_itself.push_back(next_hop);   // a ring of one is a loop
    }

    std::vector<passed> to_itself{};

private:
    repaired_ring& layer_;
    relay_counter<passed> relays_{};
};

template <class P>
repaired_ring(P) -> repaired_ring<P>;

}  // namespace caucus
