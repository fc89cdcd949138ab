// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/fields.hpp>
#include <caucus/core/objection.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/storage.hpp>

#include <cstddef>
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

/// A timer of the process inside.
template <class Timer>
struct inner_timer {
    Timer timer;
};

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

/// The environment of a process inside a layer: passes on what the layer leaves alone. `Self` adds
/// send(port, message), and arm, disarm, report and keep where the process inside needs them.
template <class Self, class Env>
class inner_environment {
public:
    constexpr explicit inner_environment(Env& outer) : outer_(outer) {}

    constexpr std::size_t degree() const { return outer_.degree(); }
    constexpr void broadcast(const auto& m) {
        Self& self = static_cast<Self&>(*this);
        for (const port p : ports(self.degree())) self.send(p, m);
    }
    constexpr std::size_t choose(std::size_t k) requires chance<Env> { return outer_.choose(k); }
    constexpr ticks now() const requires timepiece<Env> { return outer_.now(); }
    constexpr void keep(const auto& value) requires requires(Env& env) { env.keep(value); } {
        outer_.keep(value);
    }

protected:
    Env& outer_;
};

namespace detail {

/// What a layer says of itself because P does.
template <class P>
struct layer_traits {
    static constexpr bool tosses_coins = caucus::tosses_coins<P>;
    static constexpr bool reads_clock = caucus::reads_clock<P>;
    static constexpr bool perpetual = caucus::perpetual<P>;
    static constexpr bool outlives_peers = caucus::outlives_peers<P>;
    static constexpr bool all_must_start = caucus::all_must_start<P>;
};

/// How many timers P may have armed at once, by what it says or by the names it has.
template <class P>
constexpr std::size_t timers_armed_by([[maybe_unused]] std::size_t degree) {
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

}  // namespace detail

/// Which timers of the process inside are armed, for a layer that may have to begin afresh with it:
/// a timer of what it was before must not fire in what it is now.
template <class Timer>
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
    std::conditional_t<plain_names, inplace_sequence<Timer, kinds_of<Timer>>, std::vector<Timer>>
        armed_{};
};
template <>
class inner_timers<nothing> {
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

/// Can P be asked for the critical section, in such an environment, and give it back?
template <class P, class Env>
concept takes_requests = requires(P& process, Env& env) {
    process.request(env);
    process.release(env);
};

/// What every layer around one process has: the process, and the answers that it gives.
template <class P>
class layer_over : public detail::layer_traits<P> {
public:
    using kept = kept_by<P>;

    constexpr const P& process() const { return process_; }
    constexpr decltype(auto) id() const requires requires(const P& p) { p.id(); } {
        return process_.id();
    }
    constexpr decltype(auto) peers() const requires requires(const P& p) { p.peers(); } {
        return process_.peers();
    }
    constexpr auto leader() const requires requires(const P& p) { p.leader(); } {
        return process_.leader();
    }
    constexpr bool is_leader() const requires requires(const P& p) { p.is_leader(); } {
        return process_.is_leader();
    }
    constexpr bool holds() const requires requires(const P& p) { p.holds(); } {
        return process_.holds();
    }
    constexpr const char* objection(std::size_t degree) const {
        return detail::objection_of(process_, degree);
    }

protected:
    constexpr explicit layer_over(P process) : process_(std::move(process)) {}

    P process_;
};

/// Tells a layer's listener what the process inside reported.
template <class Outcome, class Env>
constexpr void report_inner(const auto& told, Env& env) {
    visit_kind(told, [&](const auto& kind) { env.report(Outcome{kind}); });
}

/// The environment inside a layer that only wraps: what P sends travels as `Layer::carried`, its
/// timers have names of their own, and its reports are the layer's.
template <class Layer, class P, class Env>
class carrying_environment
    : public inner_environment<carrying_environment<Layer, P, Env>, Env> {
public:
    using inner_environment<carrying_environment, Env>::inner_environment;

    constexpr void send(port p, const typename P::message& m) {
        this->outer_.send(p, typename Layer::message{typename Layer::carried{m}});
    }
    constexpr void arm(const typename P::timer& t, ticks delay) {
        this->outer_.arm(typename Layer::timer{inner_timer<typename P::timer>{t}}, delay);
    }
    constexpr void disarm(const typename P::timer& t) {
        this->outer_.disarm(typename Layer::timer{inner_timer<typename P::timer>{t}});
    }
    constexpr void report(const typename P::outcome& o) {
        report_inner<typename Layer::outcome>(o, this->outer_);
    }
};

/// `layer<supervised>(inner, …)`: the layer around it, also where class template argument deduction
/// would take a layer around a layer of the same name for a copy.
template <template <class...> class Layer, class P, class... Rest>
constexpr auto layer(P process, Rest... rest) {
    return Layer<P>{std::move(process), std::move(rest)...};
}

}  // namespace caucus
