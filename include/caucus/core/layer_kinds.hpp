// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/inner_environment.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/request.hpp>

#include <type_traits>
#include <variant>

namespace caucus {

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

}  // namespace caucus
