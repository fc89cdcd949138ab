// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/layer/load.hpp>
#include <caucus/layer/log.hpp>
#include <caucus/layer/refusal_tally.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace caucus {

using client_options = sections;

template <class P>
concept needs_an_exclusion__with_holds = requires(const P& p) {
    { p.holds() } -> std::convertible_to<bool>;
};

namespace detail {
template <class Load>
concept stays_inside = requires { requires Load::stays; };
template <class Load>
concept makes_decisions = requires { requires Load::decides; };
template <class Load>
concept has_a_queue = requires { requires Load::queues; };

/// Does P answer such a request? What returns nothing accepts it, however often it is asked. A
/// layer answers what the process inside does.
template <class P, class R>
constexpr bool can_refuse() {
    using environment = any_environment<P>;
    if constexpr (is_layer<P>) return can_refuse<typename P::process_type, R>();
    else if constexpr (has_verb<P, R, environment>)
        return requires(P& p, const R& r, environment& env) {
            { answer_function{}(p, r, env) } -> std::same_as<answer>;
        };
    else
        return requires(P& p, const R& r, environment& env) {
            { p.on(r, env) } -> std::same_as<answer>;
        };
}
}  // namespace detail

/// An application, the outermost layer: it asks P what its load says and listens to what P reports.
/// It is explored with P: its decisions are timers, and what it remembers is part of the state.
///
/// Model     what P assumes
/// Cost      none of its own
///
/// `Load`    what it asks, and when (layer/load.hpp). Default sections: one entry is the least use.
/// `Log`     what it remembers of outcomes (layer/log.hpp). Default none: it costs no states.
template <class P, class Load = sections, class Log = no_log>
class client : public layer_over<client<P, Load, Log>, P> {
    static_assert(!detail::stays_inside<Load> || needs_an_exclusion__with_holds<P>,
                  "needs_an_exclusion__with_holds");
    using base = layer_over<client, P>;
    friend base;
    using base::process_;
    static constexpr bool stays = detail::stays_inside<Load>;
    static constexpr bool queues = detail::has_a_queue<Load>;

public:
    struct ask { static constexpr bool is_decision = detail::makes_decisions<Load>; };
    struct leave { static constexpr bool is_decision = detail::makes_decisions<Load>; };
    using message = typename P::message;
    using timer = typename std::conditional_t<stays, std::type_identity<timers_over<P, ask, leave>>,
                                              std::type_identity<timers_over<P, ask>>>::type;
    using outcome = typename P::outcome;
    using log_type = typename detail::log_of<Log, outcome>::type;
    using typename base::kept;
    template <class Env>
    class inside;
    using storage_type = decltype(detail::room_for_timers<P, stays ? 2 : 1>());

    static constexpr bool perpetual = caucus::perpetual<P> || requires { requires Load::endless; };
    static constexpr bool tosses_coins =
        caucus::tosses_coins<P> || requires { requires Load::tosses_coins; };
    static constexpr bool has_no_bound = queues;   // on its state: not for explore
    static constexpr model assumes = assumptions_of<P>();
    static constexpr std::size_t own_timers(std::size_t) { return stays ? 2 : 1; }

    constexpr explicit client(P process, Load load = {}, Log log = {}) requires
        std::is_same_v<Log, log_type>
        : base(std::move(process)), load_(std::move(load)), log_(std::move(log)) {}
    constexpr explicit client(P process, Load load = {}, Log = {}) requires
        (!std::is_same_v<Log, log_type>)
        : base(std::move(process)), load_(std::move(load)) {}

    using base::on;
    constexpr void on(ask, auto& env) {
        staying_ = staying_ && stays;
        if constexpr (queues) {
            load_.arrive();
            think(env);
        }
        ask_now(env);
    }
    constexpr void on(leave, auto& env) requires stays {
        const answer said = put(caucus::request::leave{}, env);
        const bool patient = note(said);
        const bool stuck = said != answer::accepted && process_.holds();
        staying_ = stuck && !patient;   // one that gives up leaving stays
        if (!stuck) {
            if constexpr (queues) load_.has_left();
            if constexpr (!queues) think(env);
            else if (load_.waiting != 0) ask_now(env);
        }
        settle(env);
    }

    constexpr const log_type& log() const { return log_; }
    constexpr const refusal_tally& refused() const { return refused_; }
    constexpr const Load& load() const { return load_; }
    /// Has it asked for everything that it was to?
    constexpr bool is_through() const { return !load_.wants(); }
    constexpr std::size_t entries_left() const requires requires(const Load& l) { l.entries; } {
        return load_.entries;
    }
    constexpr const char* objection(std::size_t degree) const {
        if constexpr (requires { load_.objection(); })
            if (const char* words = load_.objection()) return words;
        return base::objection(degree);
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.load_, self.started_, self.staying_, self.refused_,
                        self.log_);
    }

private:
    using base::heed;
    constexpr answer answer_start(auto& env) {
        if (started_) return answer::accepted;
        started_ = true;
        const answer said = base::answer_start(env);
        think(env);
        return said;
    }
    template <class Env>
    constexpr void heed(const recovered<kept>& r, Env& env) {
        if constexpr (requires { log_.came_back(r.incarnation); }) log_.came_back(r.incarnation);
        base::pass(r, env);
        if (!load_.again || started_) return;
        started_ = true;
        if constexpr (!caucus::goes_on_after_a_crash<P, inside<Env>>)
            static_cast<void>(base::answer_start(env));
        think(env);
    }
    constexpr void run_inside(auto& env, auto act) {
        base::run_inside(env, act);
        settle(env);
    }

    /// A request to P, of which the load is still to hear: what follows from it is settled later.
    constexpr answer put(const auto& request, auto& env) {
        answer said = answer::blocked;
        base::run_inside(env, [&](auto& within) { said = dispatch(process_, request, within); });
        if constexpr (requires { log_.asked(request, said); }) log_.asked(request, said);
        return said;
    }
    constexpr void ask_now(auto& env) {
        if constexpr (queues && stays)
            if (!detail::can_refuse<P, caucus::request::enter>() && load_.is_served) return;
        bool goes_on = true;
        for (bool first = true; first || (queues && goes_on); first = false) {
            const answer said = load_.ask([&](const auto& r) { return put(r, env); });
            goes_on = load_.goes_on(said, note(said));
        }
        // Where nothing tells that P is inside, a leave does not wait for it.
        if (!queues && (goes_on || !needs_an_exclusion__with_holds<P>)) think(env);
        settle(env);
    }
    constexpr bool note(answer said) {
        return refused_.note(said, load_.retries, requires { requires Load::endless; });
    }
    constexpr void think(auto& env) {
        if (load_.wants()) env.arm(timer{ask{}}, load_.think_time(env));
    }
    /// Once inside, it decides when to leave.
    constexpr void settle([[maybe_unused]] auto& env) {
        if constexpr (needs_an_exclusion__with_holds<P>) {
            // Let in and put out again by one input: it finds that out when it is to leave.
            const bool was_let_in = std::exchange(let_in_, false);
            if (staying_ || !load_.is_to_leave() || !(process_.holds() || was_let_in)) return;
            staying_ = true;
            const ticks delay = load_.stay_time(env);
            if constexpr (stays) env.arm(timer{leave{}}, delay);
            else env.arm(timer{ask{}}, delay);
        }
    }

    Load load_;
    bool started_ = false;
    bool staying_ = false;   // and the timer runs that ends it
    bool let_in_ = false;    // by the input that is being handled: never between two
    refusal_tally refused_{};
    [[no_unique_address]] log_type log_{};
};

template <class P>
client(P) -> client<P>;
template <class P>
client(P, sections) -> client<P>;
template <class P, class Log>
client(P, sections, Log) -> client<P, sections, Log>;
template <class P, class Load>
client(P, Load) -> client<P, Load>;
template <class P, class Load, class Log>
client(P, Load, Log) -> client<P, Load, Log>;

/// What P sees: as outside, but somebody listens.
template <class P, class Load, class Log>
template <class Env>
class client<P, Load, Log>::inside final
    : public inner_environment<typename client<P, Load, Log>::template inside<Env>, client, Env> {
    using base_environment = inner_environment<inside, client, Env>;

public:
    constexpr inside(Env& outer, client& whose) : base_environment(outer), whose_(whose) {}

    constexpr void report(const outcome& o) {
        whose_.log_.hear(o);
        visit_kind(o, [&](const auto& kind) {
            using told = std::remove_cvref_t<decltype(kind)>;
            whose_.let_in_ = whose_.let_in_ || presence_after<told> == presence::inside;
        });
        base_environment::report(o);
    }

private:
    client& whose_;
};

}  // namespace caucus
