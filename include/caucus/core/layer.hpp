// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/contained_process.hpp>
#include <caucus/core/dispatch.hpp>
#include <caucus/core/inner_environment.hpp>
#include <caucus/core/layer_kinds.hpp>
#include <caucus/core/layer_timers.hpp>
#include <caucus/core/process.hpp>

#include <type_traits>
#include <utility>

namespace caucus {

namespace detail {

/// In such an environment of the layer, P can be asked for R.
template <class Env, class R, class P, class Layer>
concept lets_ask = takes<P, R, inside_of<Layer, Env>>;

/// Does the layer, or else P, listen to the detector's word? A layer that always did would make a
/// process that does not look as if it did.
template <class Layer, class P, class Word, class Env>
constexpr bool someone_listens() {
    if constexpr (requires { Layer::heeds_suspicions; }) return Layer::heeds_suspicions;
    else return listens_to<P, Word, inside_of<Layer, Env>>;
}
template <class Env, class Word, class P, class Layer>
concept lets_hear = someone_listens<Layer, P, Word, Env>();

}  // namespace detail

/// A layer is a process that contains a process: its messages carry the inner ones, and the
/// environment it shows to the inner process wraps its own. This is the base of all that contain
/// one, `class some_layer : public layer_over<some_layer<P>, P>`. It answers what P answers and
/// takes what P takes: requests, messages, timers, the detector's word, news of a new life. The
/// layer adds what is its own and hides what it does otherwise; its `on`s stand beside these with
/// `using base::on;`.
///
/// The layer gives
///   message, timer, outcome   as any process; `carried{P::message}` if messages differ from P's
///   inside<Env>               the environment that P sees: renaming_environment, or one of its own
/// and may give
///   run_inside(env, act)      how P gets to act: act(within), with what must come before or after.
///                             Without a call of act, a request is answered by refusal()
///   refusal()                 else no_room
///   answer_start(env)         what a start means to the layer
///   before_message(env), before_timer(timer)   what comes before P hears of one
///   heed(word, env)           what suspect, trust and recovered mean to the layer; then pass(…)
///   heeds_suspicions          true: it listens though P be deaf; false: it never does
///   withholds                 what it does not pass on, by name (see `withheld`)
///   own_timers(degree)        how many of its own may be armed at once: then it has timers(degree)
///   degree_inside(degree)     how many ports P sees, if that is another number
///
/// `Held`    how P is kept: P itself, or std::optional<P> for a layer that begins afresh with it.
template <class Layer, class P, class Held = P>
class layer_over : public detail::contained_process<Layer, P, Held>,
                   public detail::requests_over<P> {
    using contents = detail::contained_process<Layer, P, Held>;

public:
    using process_type = P;
    using kept = kept_by<P>;

    static constexpr withheld withholds = withheld::nothing;

    // Layer is not complete here. As L, its members are looked up when somebody calls: then it is.

    /// Every layer can be started; P is, if it can be.
    constexpr void start(auto& env) { static_cast<void>(self().answer_start(env)); }
    constexpr answer on(const caucus::request::start&, auto& env) {
        return self().answer_start(env);
    }
    /// Any other request that P takes. What is also a timer of P's is taken for the timer.
    template <class Request, class Env, class L = Layer>
        requires(request_to<Request, P> && !kind_of<Request, typename P::timer> &&
                 takes<P, Request, detail::inside_of<L, Env>>)
    constexpr answer on(const Request& r, Env& env) {
        return ask(r, env);
    }

    template <class Env>
    static constexpr bool goes_on_after_a_crash() {
        return caucus::goes_on_after_a_crash<P, detail::inside_of<Layer, Env>>;
    }

    /// The verbs of exclusion and multicast, for those who call them by name.
    constexpr answer request(detail::lets_ask<caucus::request::enter, P, Layer> auto& env) {
        return ask(caucus::request::enter{}, env);
    }
    constexpr answer release(detail::lets_ask<caucus::request::leave, P, Layer> auto& env) {
        return ask(caucus::request::leave{}, env);
    }
    constexpr answer cancel(detail::lets_ask<caucus::request::cancel, P, Layer> auto& env) {
        return ask(caucus::request::cancel{}, env);
    }
    constexpr answer join(detail::lets_ask<caucus::request::join, P, Layer> auto& env) {
        return ask(caucus::request::join{}, env);
    }
    constexpr answer depart(detail::lets_ask<caucus::request::depart, P, Layer> auto& env) {
        return ask(caucus::request::depart{}, env);
    }
    template <class T>
    constexpr answer broadcast(
        const T& payload, detail::lets_ask<caucus::request::broadcast<T>, P, Layer> auto& env) {
        return ask(caucus::request::broadcast<T>{payload}, env);
    }

    template <class Kind, class Env, class L = Layer>
        requires(std::is_same_v<typename L::message, typename P::message> &&
                 kind_of<Kind, typename P::message>)
    constexpr void on(const Kind& m, port from, Env& env) {
        self().before_message(env);
        self().run_inside(env, [&](auto& within) { inner().on(m, from, within); });
    }
    template <class Carried, class Env, class L = Layer>
        requires std::is_same_v<Carried, typename L::carried>
    constexpr void on(const Carried& c, port from, Env& env) {
        self().before_message(env);
        self().run_inside(env, [&](auto& within) {
            dispatch(inner(), c.message, from, within);
        });
    }

    template <class Kind, class Env, class L = Layer>
        requires(std::is_same_v<typename L::timer, typename P::timer> &&
                 kind_of<Kind, typename P::timer>)
    constexpr void on(const Kind& t, Env& env) {
        self().before_timer(t);
        self().run_inside(env, [&](auto& within) { inner().on(t, within); });
    }
    template <class Env>
    constexpr void on(const inner_timer<typename P::timer>& t, Env& env) {
        self().before_timer(t.timer);
        self().run_inside(env, [&](auto& within) {
            dispatch(inner(), expiry<typename P::timer>{t.timer}, within);
        });
    }

    constexpr void on(suspect s, detail::lets_hear<suspect, P, Layer> auto& env) {
        self().heed(s, env);
    }
    constexpr void on(trust t, detail::lets_hear<trust, P, Layer> auto& env) {
        self().heed(t, env);
    }
    template <class Kept, class Env, class L = Layer>
        requires std::is_same_v<Kept, typename L::kept>
    constexpr void on(const recovered<Kept>& r, Env& env) {
        self().heed(r, env);
    }

protected:
    constexpr explicit layer_over(P process) : contents(std::move(process)) {}

    using contents::inner;

    constexpr void run_inside(auto& env, auto act) {
        detail::inside_of<Layer, std::remove_reference_t<decltype(env)>> within{env, self()};
        act(within);
    }
    constexpr void before_message(auto&) {}
    constexpr void before_timer(const auto&) {}
    constexpr answer refusal() const { return answer::no_room; }
    template <class Env>
    constexpr answer answer_start(Env& env) {
        if constexpr (takes<P, caucus::request::start, detail::inside_of<Layer, Env>>)
            return ask(caucus::request::start{}, env);
        answer said = self().refusal();
        self().run_inside(env, [&](auto&) { said = answer::accepted; });
        return said;
    }
    constexpr void heed(const auto& word, auto& env) { pass(word, env); }
    /// Tells P, if it has an ear for the word.
    constexpr void pass(const auto& word, auto& env) {
        self().run_inside(env, [&](auto& within) { tell(inner(), word, within); });
    }
    constexpr answer ask(const auto& request, auto& env) {
        answer said = self().refusal();
        self().run_inside(env, [&](auto& within) { said = dispatch(inner(), request, within); });
        return said;
    }

private:
    constexpr Layer& self() { return static_cast<Layer&>(*this); }
};

/// Around what is no process there is nothing to pass on: the layer says so in its own words.
template <class Layer, class P, class Held>
    requires(!process<P>)
class layer_over<Layer, P, Held> {};

/// `layer<supervised>(inner, …)`: the layer around it, also where class template argument deduction
/// would take a layer around a layer of the same name for a copy.
template <template <class...> class Layer, class P, class... Rest>
constexpr auto layer(P process, Rest... rest) {
    return Layer<P>{std::move(process), std::move(rest)...};
}

}  // namespace caucus
