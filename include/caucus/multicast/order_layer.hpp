// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

namespace detail {
struct some_payload {};

template <class Variant, class Old, class New>
struct exchange_kind {
    using type = std::conditional_t<std::is_same_v<Variant, Old>, New, Variant>;
};
template <class... Kinds, class Old, class New>
struct exchange_kind<std::variant<Kinds...>, Old, New> {
    using type = std::variant<std::conditional_t<std::is_same_v<Kinds, Old>, New, Kinds>...>;
};
/// The variant, or the single kind, with New where it has Old.
template <class Variant, class Old, class New>
using with_exchanged = typename exchange_kind<Variant, Old, New>::type;

template <class P>
using id_within = std::remove_cvref_t<decltype(std::declval<const P&>().id())>;
}  // namespace detail

/// What can carry messages to a group.
///
/// Syntax     payload, with_payload<Other>, delivers, id(), broadcast(payload, env)
/// Semantics  reports `delivered` of each message, to its sender too; with_payload: the same group
///            for another payload, made of this one, in which nothing has happened yet
/// Models     best_effort, acked, nacked, srm, views; orders over them
/// Laws       no message twice, none that nobody sent; ordered as `delivers` says
template <class P>
concept needs_a_multicast__with_payload_and_delivers = process<P> && requires(const P& p) {
    typename P::payload;
    requires std::constructible_from<typename P::template with_payload<detail::some_payload>,
                                     const P&>;
    { P::delivers } -> std::convertible_to<ordering>;
    p.id();
};

/// How much an order holds back for each member, at most.
struct hold_back {
    std::size_t held_max = 1024;      // messages that came too early, of all senders
    std::size_t senders_max = 1024;   // that it hears of, itself included

    constexpr hold_back checked() const {
        if (held_max == 0 || senders_max == 0)
            refuse("hold_back: held_max is ", held_max, ", senders_max ", senders_max,
                   "; nothing could come too early, or be heard");
        return *this;
    }
};

/// An order over P, a multicast for a payload, is a layer around the same multicast for that
/// payload and what the order needs to know of it: `Wrapped`. This is the base of such layers,
/// `class some_order : public order_layer<some_order<P>, P, some_wrapped<typename P::payload>>`.
///
/// It gives all that layer_over does: joins, departures, the detector's word, news of a new life go
/// to P, its messages and timers travel as they are. It reports what P does, but for `delivered` of
/// what is wrapped, and the order's `Own` outcomes. It is constructed from P.
///
/// The layer gives
///   broadcast(payload, env)   wraps, and lets P cast it: cast(wrapped, env) returns P's answer
///   take(from, wrapped, env)  P has delivered it, one's own message too, perhaps while one still
///                             casts it. What is in order goes on by deliver(from, payload, env)
///   with_payload, delivers, fields; a constructor from the same order of another payload
/// and may give
///   note(outcome, env)        any other outcome of P's: reports it, unless it is hidden. A view is
///                             reported after all that P delivers before it
///   settle(within)            P has done what it had to, after each input and request: here, and
///                             not in take or note, more is cast: cast_inside(wrapped, within)
template <class Layer, class P, class Wrapped, class... Own>
class order_layer : public layer_over<Layer, typename P::template with_payload<Wrapped>> {
    using base = layer_over<Layer, typename P::template with_payload<Wrapped>>;
    friend base;

public:
    using layer_type = base;
    using payload = typename P::payload;
    using inner_type = typename P::template with_payload<Wrapped>;
    using id_type = detail::id_within<P>;
    using message = typename inner_type::message;
    using timer = typename inner_type::timer;
    using outcome = typename detail::outcomes<
        detail::with_exchanged<typename inner_type::outcome, delivered<id_type, Wrapped>,
                               delivered<id_type, payload>>,
        Own...>::type;
    using requests = typename detail::with_kinds<
        detail::with_exchanged<requests_of<inner_type>, request::broadcast<Wrapped>,
                               request::broadcast<payload>>,
        request::start>::type;
    using storage_type = decltype(detail::room_for_timers<inner_type>());
    template <class Env>
    class inside;

    static constexpr model assumes = assumptions_of<inner_type>();
    static constexpr std::size_t own_timers(std::size_t) { return 0; }

protected:
    constexpr explicit order_layer(const P& like) : base(inner_type(like)) {}
    /// Of the same order, for another payload.
    template <class OtherInner>
    constexpr order_layer(std::in_place_t, const OtherInner& like) : base(inner_type(like)) {}

    constexpr answer cast(const Wrapped& w, auto& env) {
        return base::ask(request::broadcast<Wrapped>{w}, env);
    }
    constexpr answer cast_inside(const Wrapped& w, auto& within) {
        return dispatch(this->inner(), request::broadcast<Wrapped>{w}, within);
    }
    constexpr void deliver(const id_type& from, const payload& p, auto& env) {
        env.report(outcome{delivered<id_type, payload>{from, p}});
    }
    constexpr void note(const auto& kind, auto& env) { env.report(outcome{kind}); }
    constexpr void settle(auto&) {}

    constexpr void run_inside(auto& env, auto act) {
        base::run_inside(env, [&](auto& within) {
            act(within);
            static_cast<Layer&>(*this).settle(within);
        });
    }
};

/// What P sees: as outside, but what it delivers is put in order first.
template <class Layer, class P, class Wrapped, class... Own>
template <class Env>
class order_layer<Layer, P, Wrapped, Own...>::inside final
    : public inner_environment<inside<Env>, Layer, Env> {
    using base_environment = inner_environment<inside, Layer, Env>;

public:
    constexpr inside(Env& outer, Layer& order) : base_environment(outer), order_(order) {}

    constexpr void report(const typename inner_type::outcome& o) {
        visit_kind(o, [&]<class Kind>(const Kind& kind) {
            if constexpr (std::is_same_v<Kind, delivered<id_type, Wrapped>>)
                order_.take(kind.from, kind.payload, this->outer_);
            else
                order_.note(kind, this->outer_);
        });
    }

private:
    Layer& order_;
};

}  // namespace caucus
