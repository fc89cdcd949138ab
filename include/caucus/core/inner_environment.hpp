// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/port.hpp>

#include <cstddef>
#include <type_traits>

namespace caucus {

/// A timer of the process inside a layer, which has timers of its own.
template <class Timer>
struct inner_timer {
    Timer timer;
};

/// What a layer shows to the process inside: everything as outside, but for names. What P sends
/// travels as `Layer::carried`, or as it is where the layer has no messages of its own; its timers
/// are `inner_timer`s of the layer, or as they are; its reports are the layer's. A layer hides what
/// it does otherwise: `Self` is the class that does so.
///
/// The layer is a class with process_type, message, timer and outcome (core/layer.hpp).
template <class Self, class Layer, class Env>
class inner_environment {
    using P = typename Layer::process_type;

public:
    constexpr explicit inner_environment(Env& outer) : outer_(outer) {}

    constexpr std::size_t degree() const { return outer_.degree(); }
    constexpr void send(port p, const typename P::message& m) { outer_.send(p, as_carried(m)); }
    constexpr void broadcast(const typename P::message& m) {
        Self& self = static_cast<Self&>(*this);
        for (const port p : ports(self.degree())) self.send(p, m);
    }
    constexpr void arm(const typename P::timer& t, ticks delay) { outer_.arm(as_inner(t), delay); }
    constexpr void disarm(const typename P::timer& t) { outer_.disarm(as_inner(t)); }
    constexpr void report(const typename P::outcome& o) {
        if constexpr (std::is_same_v<typename P::outcome, typename Layer::outcome>)
            outer_.report(o);
        else
            visit_kind(o, [&](const auto& kind) {
                outer_.report(typename Layer::outcome{kind});
            });
    }
    constexpr std::size_t choose(std::size_t k) requires chance<Env> { return outer_.choose(k); }
    constexpr ticks now() const requires timepiece<Env> { return outer_.now(); }
    constexpr void keep(const auto& value) requires requires(Env& env) { env.keep(value); } {
        outer_.keep(value);
    }

protected:
    static constexpr typename Layer::message as_carried(const typename P::message& m) {
        if constexpr (std::is_same_v<typename Layer::message, typename P::message>) return m;
        else return typename Layer::message{typename Layer::carried{m}};
    }
    static constexpr typename Layer::timer as_inner(const typename P::timer& t) {
        if constexpr (std::is_same_v<typename Layer::timer, typename P::timer>) return t;
        else return typename Layer::timer{inner_timer<typename P::timer>{t}};
    }

    Env& outer_;
};

/// The environment inside a layer that changes nothing but names.
template <class Layer, class Env>
class renaming_environment final
    : public inner_environment<renaming_environment<Layer, Env>, Layer, Env> {
public:
    constexpr explicit renaming_environment(Env& outer, const Layer&)
        : inner_environment<renaming_environment, Layer, Env>(outer) {}
};

namespace detail {
template <class Layer, class Env>
using inside_of = typename Layer::template inside<Env>;
}  // namespace detail

}  // namespace caucus
