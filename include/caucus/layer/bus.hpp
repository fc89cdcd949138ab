// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/heard_lives.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/layer/supervision.hpp>
#include <caucus/layer/visible_ports.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace caucus {

/// An outcome: the bus was reset, and this is the number of the reset. Who led leads no more.
struct bus_was_reset {
    std::uint64_t number;
};

template <class P>
concept needs_a_process_that_can_do_without_a_port__not_for_rings =
    assumptions_of<P>().topology != shape::one_way_ring &&
    assumptions_of<P>().topology != shape::two_way_ring;
/// P counts only the ports that have a device: what it knew of a port it would take for another's.
template <class P>
concept needs_a_process_that_knows_no_peers_by_port = !requires(const P& p) { p.peers(); };
/// P begins anew with each reset, and so would its epochs, which must rise.
template <class P>
concept needs_a_process_without_epochs__not_for_supervised_ones =
    !requires(const P& p) { p.epoch(); };

/// A bus that lives: whenever a device is plugged in or pulled out, or somebody asks for it, a
/// reset floods the bus, and P begins anew, on the ports behind which there is a device.
///
/// Model     tree, or what P assumes; a pulled plug is seen at both ends, as suspicion and trust
/// Safety    what P has, for each reset: messages of former resets and lives are told apart. With
///           firewire or tree_wave inside: at most one leader on a bus at a time
/// Liveness  what P has if all start, after the last reset; one start wakes the whole bus
/// Cost      n-1 to 2(n-1) bus_resets on a tree, for each reset, and P's messages
/// Faults    crash, restart with or without memory, unplugged parts: each is a bus of its own, and
///           without ids nothing tells their leaders apart; lost messages: wrap in reliable
/// Source    IEEE 1394-1995: bus reset, hot plug
///
/// Resets are numbered. Whoever hears of a greater number, be it by a message of P, begins anew in
/// it and passes it on; whatever has a smaller one is late. Two resets at once may take the same
/// number: then they are one. Requests: request::reset, at any time and in any state.
/// storage   heap_storage or inplace_storage<degree>. Default heap_storage: any degree.
template <class P, class... Policies>
class bus : public layer_over<bus<P, Policies...>, P, std::optional<P>> {
    static_assert(needs_a_process_that_can_do_without_a_port__not_for_rings<P>,
                  "needs_a_process_that_can_do_without_a_port__not_for_rings");
    static_assert(needs_a_process_that_knows_no_peers_by_port<P>,
                  "needs_a_process_that_knows_no_peers_by_port");
    static_assert(needs_a_process_without_epochs__not_for_supervised_ones<P>,
                  "needs_a_process_without_epochs__not_for_supervised_ones");
    static_assert(roles<storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using store = policy<storage, heap_storage, Policies...>;
    using base = layer_over<bus, P, std::optional<P>>;
    friend base;
    using base::process_;

public:
    /// Which reset it belongs to, and between which lives of the two ends it travels.
    struct stamp { std::uint64_t number; incarnation mine; incarnation yours; };
    struct bus_reset { stamp at; };
    struct signal { stamp at; typename P::message message; };
    using message = kinds_with<(kinds_of<typename P::message> != 0), signal, bus_reset>;
    using timer = timers_over<P>;
    using outcome =
        typename std::conditional_t<store::bounded,
                                    std::type_identity<outcomes_over<P, bus_was_reset, overflow>>,
                                    std::type_identity<outcomes_over<P, bus_was_reset>>>::type;
    using requests = typename detail::with_kinds<requests_of<P>, caucus::request::start,
                                                 caucus::request::reset>::type;
    using typename base::kept;
    using storage_type = detail::room_for_timers_of<store, P>;
    template <class Env>
    class inside;

    static constexpr bool all_must_start = false;   // the first wakes the others
    static constexpr bool heeds_suspicions = true;
    /// P is made anew for each reset: it has no former life, and does not see empty ports.
    static constexpr withheld withholds = withheld::suspicions | withheld::lives;
    template <class>
    static constexpr bool goes_on_after_a_crash() { return true; }
    static constexpr model assumes = assumptions_of<P>();
    static constexpr std::size_t own_timers(std::size_t) { return 0; }

    constexpr explicit bus(P process, Policies...) : base(process), fresh_(std::move(process)) {}

    constexpr answer reset(auto& env) {
        if (is_out(env) || is_exhausted()) return answer::no_room;
        become_reset(env);
        return answer::accepted;
    }
    using base::on;
    constexpr void on(const bus_reset& r, port from, auto& env) {
        static_cast<void>(is_current(r.at, from, env, is_first_word(r.at)));
    }
    constexpr void on(const signal& s, port from, auto& env) {
        if (!is_current(s.at, from, env)) return;
        run_inside(env, [&](auto& within) {
            dispatch(*process_, s.message, plugged_.inner(from), within);
        });
    }

    /// The number of the last reset; 0: it has not been woken.
    constexpr std::uint64_t resets() const { return number_; }
    constexpr bool suspects(port p) const { return empty_.contains(p); }
    /// By its number outside, whatever P was shown.
    constexpr auto parent() const requires requires(const P& p) { p.parent(); } {
        auto up = this->process().parent();
        if (up) up = plugged_.outer(*up);
        return up;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.state_, self.number_, self.heard_, self.life_,
                        self.lives_, self.words_, self.empty_, self.plugged_, self.timers_);
    }

private:
    /// out: this node has more ports than there is room for.
    enum class state : std::uint8_t { asleep, on, out };

    constexpr bool is_out(auto& env) {
        if (state_ == state::asleep && overflows<store, outcome>(env)) state_ = state::out;
        return state_ == state::out;
    }
    constexpr bool is_exhausted() const { return heard_ == last_number; }
    /// Of a device that has returned: it knows no number yet, and resets the bus as if it were new.
    static constexpr bool is_first_word(const stamp& s) {
        return s.number == 1 && !(s.mine == incarnation{});
    }
    constexpr stamp stamp_for(port p) const { return {number_, life_, lives_.of(p)}; }

    constexpr answer refusal() const {
        return state_ == state::out ? answer::no_room : answer::blocked;
    }
    constexpr answer answer_start(auto& env) {
        if (is_out(env)) return answer::no_room;
        if (state_ == state::asleep) become_reset(env);
        return answer::accepted;
    }
    constexpr void run_inside(auto& env, auto act) {
        if (state_ == state::on) base::run_inside(env, act);
    }
    constexpr void before_timer(const typename P::timer& t) { timers_.strike(t); }

    /// Goes along with what the sender knows; then: is the message of this very reset?
    constexpr bool is_current(const stamp& s, port from, auto& env, bool first_word = false) {
        if (is_out(env) || leaps(s.number, heard_)) return false;
        // Also by a port that is still empty here: the reset that fills it must be a later one,
        // for what its device sends before that is not heard.
        if (heard_ < s.number) heard_ = s.number;
        // Its first word counts, though a detector may have told of it before: what was sent to it
        // in between is lost if `reliable`, which finds out by itself, had not heard of it.
        const bool reborn = first_word || lives_.of(from) < s.mine;
        if (lives_.is_late(trust{from, s.mine}) || empty_.contains(from)) return false;
        if (reborn) {   // and what it knew of the bus is gone
            become_reset(env);
            return false;
        }
        if (!(s.yours == life_)) return false;   // for a former life of this node
        if (number_ < s.number) join(s.number, from, env);
        return s.number == number_ && plugged_.contains(from);
    }
    constexpr void heed(suspect s, auto& env) {
        if (is_late(s, env) || !empty_.insert(s.whom)) return;
        if (state_ == state::on) become_reset(env);
    }
    constexpr void heed(trust t, auto& env) {
        if (is_late(t, env)) return;
        const bool reborn = t.life && lives_.of(t.whom) < *t.life;
        if (reborn) static_cast<void>(lives_.is_late(t));
        const bool was_empty = empty_.erase(t.whom);
        if ((reborn || was_empty) && is_called()) become_reset(env);
    }
    /// Awake, or asleep and told of a reset by a port that was still empty here: the wake-up has
    /// gone by, and nobody would repeat it.
    constexpr bool is_called() const { return heard_ != 0; }
    constexpr bool is_late(const auto& word, auto& env) {
        return is_out(env) || word.whom >= env.degree() || words_.is_late(word);
    }
    constexpr void heed(const recovered<kept>& r, auto& env) {
        if (is_out(env) || state_ != state::asleep) return;   // only as a life's first input
        life_ = r.incarnation;
        become_reset(env);
    }

    constexpr void become_reset(auto& env) {
        if (!is_exhausted()) join(heard_ + 1, port{env.degree()}, env);
    }
    constexpr void join(std::uint64_t number, port from, auto& env) {
        state_ = state::on;
        number_ = number;
        if (heard_ < number) heard_ = number;   // by an empty port it may have heard of a later one
        timers_.template disarm_all<timer>(env);
        process_.emplace(fresh_);
        plugged_.show_all_but(empty_, env.degree());
        env.report(outcome{bus_was_reset{number}});
        for (const port p : ports(env.degree()))
            if (p != from && plugged_.contains(p)) env.send(p, message{bus_reset{stamp_for(p)}});
        static_cast<void>(base::answer_start(env));
    }

    P fresh_;                          // as each reset begins
    state state_ = state::asleep;
    std::uint64_t number_ = 0;
    std::uint64_t heard_ = 0;          // the greatest number that was heard of
    incarnation life_{};
    heard_lives<store> lives_{};       // of those behind the ports, as their messages tell
    heard_lives<store> words_{};       // and as the detector does, which may know less of them
    port_set<store> empty_{};          // ports without a device
    visible_ports<store> plugged_{};   // the others, since the reset
    inner_timers<typename P::timer, detail::timers_in_place<store, P>> timers_{};
};

/// The ports that have a device, and messages that tell which reset they belong to.
template <class P, class... Policies>
template <class Env>
class bus<P, Policies...>::inside : public inner_environment<inside<Env>, bus, Env> {
public:
    constexpr inside(Env& outer, bus& layer)
        : inner_environment<inside, bus, Env>(outer), layer_(layer) {}

    constexpr std::size_t degree() const { return layer_.plugged_.size(); }
    constexpr void send(port p, const typename P::message& m) {
        const port out = layer_.plugged_.outer(p);
        this->outer_.send(out, message{signal{layer_.stamp_for(out), m}});
    }
    constexpr void arm(const typename P::timer& t, ticks delay) {
        layer_.timers_.template arm<timer>(t, delay, this->outer_);
    }
    constexpr void disarm(const typename P::timer& t) {
        layer_.timers_.template disarm<timer>(t, this->outer_);
    }

private:
    bus& layer_;
};

template <class P, class... Policies>
bus(P, Policies...) -> bus<P, Policies...>;

}  // namespace caucus
