// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/time.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace caucus {

/// A way to the neighbours.
///
/// Syntax     env.degree(); env.send(port, message); env.broadcast(message)
/// Semantics  send hands one message to the link behind the port; broadcast does so for every port;
///            effects keep their order; no handler of this process runs before this one ends
/// Models     rounds, events, endpoint; tests/archetypes.hpp has the least one
/// Laws       degree is constant; ports 0 … degree-1 can be sent on; broadcast is degree sends
template <class E, class Message>
concept channel = requires(E& env, const E& c, port p, const Message& m) {
    { c.degree() } -> std::convertible_to<std::size_t>;
    env.send(p, m);
    env.broadcast(m);
} || (std::same_as<Message, nothing> && requires(const E& c) {
    { c.degree() } -> std::convertible_to<std::size_t>;
});

/// What a channel says of itself; one that says nothing promises nothing.
template <class Channel>
constexpr guarantee guarantees_of() {
    if constexpr (requires { { Channel::guarantees } -> std::convertible_to<guarantee>; })
        return Channel::guarantees;
    else
        return guarantee::none;
}

/// Delays, and nothing else of time.
///
/// Syntax     env.arm(timer, delay); env.disarm(timer)
/// Semantics  the timer, named by its value, fires once, `delay` ticks from now (at least one: a
///            delay of 0 is taken for 1, so that nobody keeps others from their time)
/// Models     as for channel; explore
/// Laws       re-arming replaces; a disarmed timer does not fire; disarming an idle one is no error
template <class E, class Timer>
concept clock = std::same_as<Timer, nothing> || requires(E& env, const Timer& t, ticks delay) {
    env.arm(t, delay);
    env.disarm(t);
};

/// The time of day, for those few who ask for it.
///
/// Syntax     env.now() -> ticks
/// Semantics  ticks since a fixed moment
/// Models     events, rounds, endpoint, a user's monotonic clock
/// Laws       never runs backwards; constant while a handler runs
template <class E>
concept timepiece = requires(E& env) {
    { env.now() } -> std::convertible_to<ticks>;
};

/// The only source of randomness.
///
/// Syntax     env.choose(k) -> 0 … k-1
/// Semantics  every value equally likely; k > 0
/// Models     as for channel
/// Laws       the result is below k; choose(1) is 0
template <class E>
concept chance = requires(E& env) {
    { env.choose(std::size_t{2}) } -> std::convertible_to<std::size_t>;
};

/// Someone who wants to know.
///
/// Syntax     env.report(outcome)
/// Semantics  the application hears the outcome, in the order of reports
/// Models     as for channel
/// Laws       nothing comes back: a report changes nothing that the process can see
template <class E, class Outcome>
concept listener = std::same_as<Outcome, nothing> ||
                   requires(E& env, const Outcome& outcome) { env.report(outcome); };

/// What survives a crash.
///
/// Syntax     env.keep(value)
/// Semantics  durable before anything sent afterwards leaves; the last one is in `recovered`
/// Models     events; an endpoint with a memory
/// Laws       the last value kept before a crash is the one recovered
template <class E, class Kept>
concept memory = std::same_as<Kept, nothing> ||
                 requires(E& env, const Kept& value) { env.keep(value); };

/// A process that draws lots says so: `static constexpr bool tosses_coins = true`.
template <class P>
concept tosses_coins = requires { requires P::tosses_coins; };

/// A process that asks for the time says so: `static constexpr bool reads_clock = true`.
template <class P>
concept reads_clock = requires { requires P::reads_clock; };

/// A process that never falls silent says so: `static constexpr bool perpetual = true`.
template <class P>
concept perpetual = requires { requires P::perpetual; };

/// An election that ends though others crash: `static constexpr bool outlives_peers = true`.
template <class P>
concept outlives_peers = requires { requires P::outlives_peers; };

/// An election that goes on to find new leaders: `static constexpr bool elects_again = true`; one
/// that is perpetual by itself, and not by a layer around it, is taken for one.
template <class P>
concept elects_again = requires { requires P::elects_again; } || (perpetual<P> && !is_layer<P>);

/// An election in which all have to start: `static constexpr bool all_must_start = true`.
template <class P>
concept all_must_start = requires { requires P::all_must_start; };

/// A process that is not safe any more if one message takes longer than it was told, delay_most():
/// `static constexpr bool breaks_if_late = true`. Layers that make messages late refuse its bound.
template <class P>
concept breaks_if_late = requires { requires P::breaks_if_late; };

namespace detail {

/// All that P could ask for, declared only: to find out what P has handlers for.
template <class P>
struct any_environment {
    std::size_t degree() const;
    void send(port, const typename P::message&);
    void broadcast(const typename P::message&);
    void arm(const typename P::timer&, ticks);
    void disarm(const typename P::timer&);
    std::size_t choose(std::size_t);
    void report(const typename P::outcome&);
    ticks now() const;
    void keep(const kept_by<P>&);
};

template <class P, class Env>
constexpr bool goes_on() {
    if constexpr (requires { P::template goes_on_after_a_crash<Env>(); })
        return P::template goes_on_after_a_crash<Env>();
    else
        return has_handler<P, recovered<kept_by<P>>, Env>;
}

}  // namespace detail

/// Does P go on by itself when it is told of a new life? If not, it has to be started again. A
/// layer hears of it in any case, and answers by a static function of that name for the process
/// inside.
template <class P, class Env = detail::any_environment<P>>
inline constexpr bool goes_on_after_a_crash = detail::goes_on<P, Env>();

/// All that process P may ask of its surroundings.
template <class E, class P>
concept environment_for =
    channel<E, typename P::message> && clock<E, typename P::timer> &&
    listener<E, typename P::outcome> && memory<E, kept_by<P>> &&
    (!tosses_coins<P> || chance<E>) && (!reads_clock<P> || timepiece<E>);

}  // namespace caucus
