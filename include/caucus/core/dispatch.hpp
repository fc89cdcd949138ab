// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>

#include <cstddef>
#include <utility>

namespace caucus {

namespace detail {

struct tell_function {
    template <class P, class Word, class Env>
    constexpr void operator()(P& process, const Word& word, Env& env) const {
        if constexpr (has_handler<P, Word, Env>) process.on(word, env);
    }
};

/// A function of that name: g++ prints it in the first lines of its message.
template <class P, class R, class Env>
constexpr void the_process_takes_no_such_request() {
    static_assert(takes<P, R, Env>, "the_process_takes_no_such_request");
}

struct dispatch_function {
    /// A request: by its verb, or by `on(request, env)`. Nothing returned is `accepted`.
    template <class P, class Request, class Env>
        requires request_to<Request, P>
    constexpr answer operator()(P& process, const Request& in, Env& env) const {
        the_process_takes_no_such_request<P, Request, Env>();
        if constexpr (takes<P, Request, Env>) return answer_of(process, in, env);
        else return answer::blocked;
    }
    /// A request of the library's that P does not take: here only to fail under that name.
    template <class P, class Request, class Env>
        requires(!request_to<Request, P> && is_known_request<Request> &&
                 !has_handler<P, Request, Env>)
    constexpr answer operator()(P&, const Request&, Env&) const {
        the_process_takes_no_such_request<P, Request, Env>();
        return answer::blocked;
    }
    /// A request that P does not list but has an `on` for may return anything; layers do not pass
    /// it on.
    template <class P, class Request, class Env>
        requires(!request_to<Request, P> && has_handler<P, Request, Env>)
    constexpr decltype(auto) operator()(P& process, const Request& in, Env& env) const {
        return process.on(in, env);
    }

    /// `arrival` by its parts, for executors that would otherwise copy the message.
    template <class P, class Env>
    constexpr void operator()(P& process, const typename P::message& m, port from, Env& env) const {
        if constexpr (kinds_of<typename P::message> != 0)
            visit_kind(m, [&](const auto& kind) { process.on(kind, from, env); });
    }
    template <class P, class Message, class Env>
    constexpr void operator()(P& process, const arrival<Message>& in, Env& env) const {
        (*this)(process, in.message, in.from, env);
    }

    template <class P, class Timer, class Env>
    constexpr void operator()(P& process, const expiry<Timer>& in, Env& env) const {
        if constexpr (kinds_of<Timer> != 0)
            visit_kind(in.timer, [&](const auto& kind) { process.on(kind, env); });
    }

    template <class P, class Env>
    constexpr void operator()(P& process, suspect in, Env& env) const {
        tell_function{}(process, in, env);
    }
    template <class P, class Env>
    constexpr void operator()(P& process, trust in, Env& env) const {
        tell_function{}(process, in, env);
    }
    template <class P, class Kept, class Env>
    constexpr void operator()(P& process, const recovered<Kept>& in, Env& env) const {
        tell_function{}(process, in, env);
    }

    template <class P, class Env>
    constexpr void operator()(P& process, const input<P>& in, Env& env) const {
        visit_kind(in, [&](const auto& kind) { static_cast<void>((*this)(process, kind, env)); });
    }
};

}  // namespace detail

/// tell(process, word, env): calls the handler for a detector's word or a new life, if there is
/// one. A process without does not listen to detectors, or starts afresh after a crash.
inline constexpr detail::tell_function tell{};

/// Has P a handler for the word, in such an environment?
template <class P, class Word, class Env>
concept listens_to = detail::has_handler<P, Word, Env>;

/// dispatch(process, input, env): the only place that takes inputs apart. Executors, layers, replay
/// and the endpoint all pass here.
inline constexpr detail::dispatch_function dispatch{};

namespace detail {

template <class P, class Message, class Env>
concept hears = requires(P& process, const Message& m, port from, Env& env) {
    process.on(m, from, env);
};

template <class P, class Env>
constexpr bool handles_all() {
    using message = typename P::message;
    using timer = typename P::timer;
    const bool messages_handled = []<std::size_t... I>(std::index_sequence<I...>) {
        return (... && hears<P, kind_at<message, I>, Env>);
    }(std::make_index_sequence<kinds_of<message>>{});
    const bool timers_handled = []<std::size_t... I>(std::index_sequence<I...>) {
        return (... && has_handler<P, kind_at<timer, I>, Env>);
    }(std::make_index_sequence<kinds_of<timer>>{});
    return messages_handled && timers_handled;
}
template <class P, class Env>
constexpr bool answers_all() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return (... && takes<P, kind_at<requests_of<P>, I>, Env>);
    }(std::make_index_sequence<kinds_of<requests_of<P>>>{});
}

}  // namespace detail

/// There is no catch-all: each kind of message and timer has its own `on`, and each request its
/// verb: `start`, unless the process lists others.
template <class P, class Env>
concept a_message_or_timer_kind_has_no_handler = detail::handles_all<P, Env>();
template <class P, class Env>
concept a_request_has_no_verb = detail::answers_all<P, Env>();

}  // namespace caucus
