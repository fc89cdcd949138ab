// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/text.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

/// What a process says to a request. One type for all, so that every layer can say no.
enum class [[nodiscard]] answer : std::uint8_t {
    accepted,           // also of a verb that returns nothing
    already_waiting,    // it has asked before, and has not been let in
    already_inside,
    not_inside,         // there is nothing to leave
    not_waiting,        // there is nothing to cancel
    not_a_member,       // of the group that is asked for something
    blocked,            // not now: a view change, or an election, is under way
    no_room,            // the storage chosen for this process is full
    no_such_instance,
    unfit,              // for this node: what the request brings objects to running there
    not_running         // the node is dead, paused, or has not begun
};

constexpr text name_of(answer a) {
    switch (a) {
        case answer::accepted: return "accepted";
        case answer::already_waiting: return "already waiting";
        case answer::already_inside: return "already inside";
        case answer::not_inside: return "not inside";
        case answer::not_waiting: return "not waiting";
        case answer::not_a_member: return "not a member";
        case answer::blocked: return "blocked";
        case answer::no_room: return "no room";
        case answer::no_such_instance: return "no such instance";
        case answer::unfit: return "unfit";
        case answer::not_running: return "not running";
    }
    return "";
}

/// What an application asks of a process: plain values. The verb that answers stands beside each.
namespace request {

struct start {};                                    // start(env)
struct enter {};                                    // request(env): the critical section
struct leave {};                                    // release(env)
struct cancel {};                                   // cancel(env): do not wait any longer
struct join {};                                     // join(env): the group
struct depart {};                                   // depart(env)
struct reset {};                                    // reset(env): the bus, which elects anew
template <class T>
struct broadcast { T payload; };                    // broadcast(payload, env)
/// Of many instances in one process, that one is asked.
template <class What>
struct of_one { std::size_t instance = 0; [[no_unique_address]] What what{}; };
using start_one = of_one<start>;

}  // namespace request

namespace detail {

template <class T>
inline constexpr bool is_known_request = false;
template <>
inline constexpr bool is_known_request<request::start> = true;
template <>
inline constexpr bool is_known_request<request::enter> = true;
template <>
inline constexpr bool is_known_request<request::leave> = true;
template <>
inline constexpr bool is_known_request<request::cancel> = true;
template <>
inline constexpr bool is_known_request<request::join> = true;
template <>
inline constexpr bool is_known_request<request::depart> = true;
template <>
inline constexpr bool is_known_request<request::reset> = true;
template <class T>
inline constexpr bool is_known_request<request::broadcast<T>> = true;
template <class What>
inline constexpr bool is_known_request<request::of_one<What>> = true;

template <class P>
struct listed_requests {
    using type = std::variant<request::start>;
};
template <class P>
    requires requires { typename P::requests; }
struct listed_requests<P> {
    using type = typename P::requests;
};

}  // namespace detail

/// What P can be asked: `P::requests`, a variant, or to start.
template <class P>
using requests_of = typename detail::listed_requests<P>::type;

template <class P>
concept lists_its_requests = requires { typename P::requests; };

/// A process that contains others of this type.
template <class P>
concept is_layer = requires { typename P::process_type; };

/// A request that P may be asked: one of its own list, or one of the library's if it has no list.
template <class R, class P>
concept request_to = kind_of<R, requests_of<P>> ||
                     (!lists_its_requests<P> && detail::is_known_request<R>);

namespace detail {

/// The verb of a request, or its `on`.
struct answer_function {
    template <class P, class Env>
    constexpr auto operator()(P& p, request::start, Env& env) const -> decltype(p.start(env)) {
        return p.start(env);
    }
    template <class P, class Env>
    constexpr auto operator()(P& p, request::enter, Env& env) const -> decltype(p.request(env)) {
        return p.request(env);
    }
    template <class P, class Env>
    constexpr auto operator()(P& p, request::leave, Env& env) const -> decltype(p.release(env)) {
        return p.release(env);
    }
    template <class P, class Env>
    constexpr auto operator()(P& p, request::cancel, Env& env) const -> decltype(p.cancel(env)) {
        return p.cancel(env);
    }
    template <class P, class Env>
    constexpr auto operator()(P& p, request::join, Env& env) const -> decltype(p.join(env)) {
        return p.join(env);
    }
    template <class P, class Env>
    constexpr auto operator()(P& p, request::depart, Env& env) const -> decltype(p.depart(env)) {
        return p.depart(env);
    }
    template <class P, class Env>
    constexpr auto operator()(P& p, request::reset, Env& env) const -> decltype(p.reset(env)) {
        return p.reset(env);
    }
    template <class P, class T, class Env>
    constexpr auto operator()(P& p, const request::broadcast<T>& r, Env& env) const
        -> decltype(p.broadcast(r.payload, env)) {
        return p.broadcast(r.payload, env);
    }
};

template <class P, class R, class Env>
concept has_verb = requires(P& p, const R& r, Env& env) { answer_function{}(p, r, env); };
template <class P, class R, class Env>
concept has_handler = requires(P& p, const R& r, Env& env) { p.on(r, env); };

}  // namespace detail

/// Can P answer the request, in such an environment?
template <class P, class R, class Env>
concept takes = request_to<R, P> &&
                (detail::has_verb<P, R, Env> || detail::has_handler<P, R, Env>);

namespace detail {

/// What the process answers; a verb that returns nothing means accepted. A layer that has both is
/// asked by its `on`, which returns the answer of the process inside. Any other process is asked by
/// its verb: it may have an `on` that takes any type and was not meant for requests.
template <class P, class R, class Env>
constexpr answer answer_of(P& process, const R& r, Env& env) {
    constexpr bool by_verb =
        has_verb<P, R, Env> && !(is_layer<P> && has_handler<P, R, Env>);
    const auto asked = [&]() -> decltype(auto) {
        if constexpr (by_verb) return answer_function{}(process, r, env);
        else return process.on(r, env);
    };
    if constexpr (std::is_same_v<decltype(asked()), answer>) {
        return asked();
    } else {
        static_cast<void>(asked());
        return answer::accepted;
    }
}

}  // namespace detail

}  // namespace caucus
