// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/fields.hpp>
#include <caucus/core/inner_environment.hpp>
#include <caucus/core/objection.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace caucus {

// What layers are made of. A layer is a process that contains a process: its messages carry the
// inner ones, and the environment it shows to the inner process wraps its own.

/// The layer's own kinds of message, timer or outcome, and `Carried` if there is anything to carry.
template <bool Carries, class Carried, class... Own>
using kinds_with = typename std::conditional_t<
    Carries, std::type_identity<std::variant<Own..., Carried>>,
    std::conditional_t<sizeof...(Own) == 0, std::type_identity<nothing>,
                       std::type_identity<std::variant<Own...>>>>::type;

/// The timers of a layer over P: its own, and those of the process inside if it has any.
template <class P, class... Own>
using timers_over = kinds_with<(kinds_of<typename P::timer> != 0),
                               inner_timer<typename P::timer>, Own...>;

namespace detail {

/// The variant with the other kinds behind its own, each kind once.
template <class Variant, class... Own>
struct with_kinds {
    using type = Variant;
};
template <class... Kinds, class First, class... Own>
struct with_kinds<std::variant<Kinds...>, First, Own...>
    : with_kinds<std::conditional_t<(... || std::is_same_v<Kinds, First>), std::variant<Kinds...>,
                                    std::variant<Kinds..., First>>,
                 Own...> {};

template <class Outcome, class... Own>
struct outcomes : with_kinds<std::variant<Outcome>, Own...> {};
template <class Outcome>
struct outcomes<Outcome> {
    using type = Outcome;
};
template <class... Own>
struct outcomes<nothing, Own...> : with_kinds<std::variant<Own...>> {};
template <>
struct outcomes<nothing> {
    using type = nothing;
};
template <class... Kinds, class... Own>
    requires(sizeof...(Own) != 0)
struct outcomes<std::variant<Kinds...>, Own...> : with_kinds<std::variant<Kinds...>, Own...> {};

}  // namespace detail

/// The outcomes of a layer over P that reports what P reports, and its own.
template <class P, class... Own>
using outcomes_over = typename detail::outcomes<typename P::outcome, Own...>::type;

namespace detail {

/// What a layer says of itself because P does.
template <class P>
struct layer_traits {
    static constexpr bool tosses_coins = caucus::tosses_coins<P>;
    static constexpr bool reads_clock = caucus::reads_clock<P>;
    static constexpr bool perpetual = caucus::perpetual<P>;
    static constexpr bool outlives_peers = caucus::outlives_peers<P>;
    static constexpr bool all_must_start = caucus::all_must_start<P>;
    static constexpr bool elects_again = caucus::elects_again<P>;
};

/// How many timers P may have armed at once, by what it says or by the names it has. A layer says
/// so for its type: an instance that alone knows how many has no place inside one.
template <class P>
constexpr std::size_t timers_armed_by([[maybe_unused]] std::size_t degree) {
    static_assert(requires { P::timers(degree); } ||
                      !requires(const P& p) { p.timers(degree); },
                  "inside_a_layer_needs_a_static_timers_function");
    if constexpr (requires { P::timers(degree); }) return P::timers(degree);
    else return kinds_of<typename P::timer>;
}

/// Where an endpoint keeps the timers of a layer over P that has one per port and `Own` others.
template <class Storage, class P, std::size_t Own>
struct room_for_timers_over {
    using type = heap_storage;
};
template <std::size_t N, class P, std::size_t Own>
struct room_for_timers_over<inplace_storage<N>, P, Own> {
    using type = inplace_storage<N + Own + timers_armed_by<P>(N)>;
};

/// How many timers P may have armed at once where all is kept in place; 0 where it is not.
template <class Storage, class P>
inline constexpr std::size_t timers_in_place = 0;
template <std::size_t N, class P>
inline constexpr std::size_t timers_in_place<inplace_storage<N>, P> = timers_armed_by<P>(N);

}  // namespace detail

/// Which timers of the process inside are armed, for a layer that may have to begin afresh with it:
/// a timer of what it was before must not fire in what it is now.
///
/// `Most`    how many, where they are to stay in place; 0: as many as there are, on the heap unless
///           each kind has one name only.
template <class Timer, std::size_t Most = 0>
class inner_timers {
public:
    /// `Outer` is the layer's own timer type.
    template <class Outer>
    constexpr void arm(const Timer& t, ticks delay, auto& env) {
        strike(t);
        armed_.push_back(t);
        env.arm(Outer{inner_timer<Timer>{t}}, delay);
    }
    template <class Outer>
    constexpr void disarm(const Timer& t, auto& env) {
        strike(t);
        env.disarm(Outer{inner_timer<Timer>{t}});
    }
    template <class Outer>
    constexpr void disarm_all(auto& env) {
        for (const Timer& t : armed_) env.disarm(Outer{inner_timer<Timer>{t}});
        armed_.clear();
    }
    /// It has fired.
    constexpr void strike(const Timer& t) {
        for (std::size_t i = 0; i < armed_.size(); ++i)
            if (caucus::same(armed_[i], t)) {
                armed_[i] = armed_[armed_.size() - 1];
                return armed_.pop_back();
            }
    }

    static constexpr auto fields(auto& self) { return std::tie(self.armed_); }

private:
    static constexpr bool plain_names = []<std::size_t... I>(std::index_sequence<I...>) {
        return (... && std::is_empty_v<kind_at<Timer, I>>);
    }(std::make_index_sequence<kinds_of<Timer>>{});
    static constexpr std::size_t most = plain_names ? kinds_of<Timer> : Most;
    std::conditional_t<most != 0, inplace_sequence<Timer, most>, std::vector<Timer>> armed_{};
};
template <std::size_t Most>
class inner_timers<nothing, Most> {
public:
    template <class Outer>
    constexpr void disarm_all(auto&) {}
    constexpr void strike(nothing) {}
    static constexpr auto fields(auto&) { return std::tuple<>{}; }
};

/// Has P an ear for the word, in such an environment? A layer that always had one would make a deaf
/// process look like a listener.
template <class P, class Word, class Env>
concept listens_to = requires(P& process, const Word& word, Env& env) { process.on(word, env); };

namespace detail {

template <class Layer, class Env>
using inside_of = typename Layer::template inside<Env>;

/// Is there an ear for the detector's word, the layer's own or that of the process inside?
template <class Layer, class P, class Word, class Env>
constexpr bool someone_listens() {
    if constexpr (requires { Layer::heeds_suspicions; }) return Layer::heeds_suspicions;
    else return listens_to<P, Word, inside_of<Layer, Env>>;
}

/// What a layer around P lists: what P does, and to be started, which every layer can be. Around
/// one without a list it has none.
template <class P>
struct requests_over {};
template <class P>
    requires lists_its_requests<P>
struct requests_over<P> {
    using requests = typename with_kinds<typename P::requests, caucus::request::start>::type;
};

}  // namespace detail

/// What a layer keeps to itself, said by name: `static constexpr withheld withholds = …`.
enum class withheld : std::uint8_t { nothing = 0, suspicions = 1, outcomes = 2, lives = 4 };
constexpr withheld operator|(withheld a, withheld b) {
    return static_cast<withheld>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool includes(withheld set, withheld one) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

/// The one base of every layer around one process, `class some_layer : public
/// layer_over<some_layer<P>, P>`. It answers what P answers and takes what P takes: requests,
/// messages, timers, the detector's word, news of a new life. The layer adds what is its own and
/// hides what it does otherwise; its `on`s stand beside these with `using base::on;`.
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
///
/// `Held`    how P is kept: P itself, or std::optional<P> for a layer that begins afresh with it.
template <class Layer, class P, class Held = P>
class layer_over : public detail::layer_traits<P>, public detail::requests_over<P> {
public:
    using process_type = P;
    using kept = kept_by<P>;

    static constexpr withheld withholds = withheld::nothing;

    constexpr const P& process() const { return contained(process_); }

    constexpr decltype(auto) id() const requires requires(const P& p) { p.id(); } {
        return inner().id();
    }
    constexpr decltype(auto) peers() const requires requires(const P& p) { p.peers(); } {
        return inner().peers();
    }
    constexpr auto leader() const requires requires(const P& p) { p.leader(); } {
        return inner().leader();
    }
    constexpr bool is_leader() const requires requires(const P& p) { p.is_leader(); } {
        return inner().is_leader();
    }
    constexpr auto epoch() const requires requires(const P& p) { p.epoch(); } {
        return inner().epoch();
    }
    constexpr bool holds() const requires requires(const P& p) { p.holds(); } {
        return inner().holds();
    }
    constexpr bool suspects(port p) const requires requires(const P& q) { q.suspects(p); } {
        return inner().suspects(p);
    }
    constexpr bool awaits(port p) const requires requires(const P& q) { q.awaits(p); } {
        return inner().awaits(p);
    }
    /// What P was told of its network, for executors that check it.
    constexpr std::size_t ring_size() const requires requires(const P& p) { p.ring_size(); } {
        return inner().ring_size();
    }
    constexpr ticks delay_most() const requires requires(const P& p) { p.delay_most(); } {
        return inner().delay_most();
    }
    constexpr const char* objection(std::size_t degree) const {
        return detail::objection_of(inner(), degree);
    }

    // L is the layer: under this name it is not looked at before somebody calls, and complete then.

    /// Every layer can be started; P is, if it can be.
    constexpr void start(auto& env) { static_cast<void>(self().answer_start(env)); }
    template <class Env>
    constexpr answer on(const caucus::request::start&, Env& env) {
        return self().answer_start(env);
    }
    /// Any other request that P takes; where P waits for the same, that is a timer.
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
    template <class Env, class L = Layer>
        requires takes<P, caucus::request::enter, detail::inside_of<L, Env>>
    constexpr answer request(Env& env) {
        return ask(caucus::request::enter{}, env);
    }
    template <class Env, class L = Layer>
        requires takes<P, caucus::request::leave, detail::inside_of<L, Env>>
    constexpr answer release(Env& env) {
        return ask(caucus::request::leave{}, env);
    }
    template <class Env, class L = Layer>
        requires takes<P, caucus::request::cancel, detail::inside_of<L, Env>>
    constexpr answer cancel(Env& env) {
        return ask(caucus::request::cancel{}, env);
    }
    template <class Env, class L = Layer>
        requires takes<P, caucus::request::join, detail::inside_of<L, Env>>
    constexpr answer join(Env& env) {
        return ask(caucus::request::join{}, env);
    }
    template <class Env, class L = Layer>
        requires takes<P, caucus::request::depart, detail::inside_of<L, Env>>
    constexpr answer depart(Env& env) {
        return ask(caucus::request::depart{}, env);
    }
    template <class T, class Env, class L = Layer>
        requires takes<P, caucus::request::broadcast<T>, detail::inside_of<L, Env>>
    constexpr answer broadcast(const T& payload, Env& env) {
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

    template <class Env, class L = Layer>
        requires(detail::someone_listens<L, P, suspect, Env>())
    constexpr void on(suspect s, Env& env) {
        self().heed(s, env);
    }
    template <class Env, class L = Layer>
        requires(detail::someone_listens<L, P, trust, Env>())
    constexpr void on(trust t, Env& env) {
        self().heed(t, env);
    }
    template <class Kept, class Env, class L = Layer>
        requires std::is_same_v<Kept, typename L::kept>
    constexpr void on(const recovered<Kept>& r, Env& env) {
        self().heed(r, env);
    }

protected:
    constexpr explicit layer_over(P process) : process_(std::move(process)) {}

    constexpr P& inner() { return contained(process_); }
    constexpr const P& inner() const { return contained(process_); }

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

    Held process_;

private:
    constexpr Layer& self() { return static_cast<Layer&>(*this); }
    template <class H>
    static constexpr auto& contained(H& held) {
        if constexpr (std::is_same_v<std::remove_const_t<H>, P>) return held;
        else return *held;
    }
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
