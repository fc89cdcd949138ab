// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/text.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

/// What a process has for `message`, `timer` or `outcome` where it has none.
struct nothing {
    friend constexpr bool operator==(nothing, nothing) = default;
};

namespace detail {

template <class T>
constexpr text spelled() {
    return __PRETTY_FUNCTION__;
}

template <class T>
struct alternatives {
    static constexpr std::size_t count = 1;
    template <std::size_t>
    using at = T;
};
template <>
struct alternatives<nothing> {
    static constexpr std::size_t count = 0;
    template <std::size_t>
    using at = nothing;
};
template <class... Ts>
struct alternatives<std::variant<Ts...>> {
    static constexpr std::size_t count = sizeof...(Ts);
    template <std::size_t I>
    using at = std::variant_alternative_t<I, std::variant<Ts...>>;
};

}  // namespace detail

/// How many kinds a message (or timer, or outcome) type has: a variant's alternatives, one for a
/// plain type, none for `nothing`.
template <class T>
inline constexpr std::size_t kinds_of = detail::alternatives<T>::count;

template <class T, std::size_t I>
using kind_at = typename detail::alternatives<T>::template at<I>;

namespace detail {
template <class Kind, class Message>
constexpr bool is_kind() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return std::is_same_v<Kind, Message> || (... || std::is_same_v<Kind, kind_at<Message, I>>);
    }(std::make_index_sequence<kinds_of<Message>>{});
}
}  // namespace detail

/// A whole message, or one of its alternatives.
template <class Kind, class Message>
concept kind_of = detail::is_kind<Kind, Message>();

namespace detail {
/// Has no kind of T fields? Then each has one value, and is its own name.
template <class T>
constexpr bool all_kinds_plain() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return (... && std::is_empty_v<kind_at<T, I>>);
    }(std::make_index_sequence<kinds_of<T>>{});
}
}  // namespace detail

/// Which kind of a `Message` the value is: a bare alternative says it by its type, anything else
/// by what it is as a message.
template <class Message, class Kind>
constexpr std::size_t kind_index(const Kind& value) {
    constexpr std::size_t by_type = []<std::size_t... I>(std::index_sequence<I...>) {
        std::size_t found = kinds_of<Message>;
        ((std::is_same_v<Kind, kind_at<Message, I>> ? found = I : found), ...);
        return found;
    }(std::make_index_sequence<kinds_of<Message>>{});
    if constexpr (by_type != kinds_of<Message>) return by_type;
    else if constexpr (std::is_same_v<Kind, Message>) return value.index();
    else return Message(value).index();
}

namespace detail {

struct visit_kind_function {
    template <class T, class F>
    constexpr decltype(auto) operator()(const T& value, F&& f) const {
        return visit_from<0>(value, std::forward<F>(f));
    }

private:
    template <std::size_t I, class T, class F>
    static constexpr decltype(auto) visit_from(const T& value, F&& f) {
        if constexpr (requires { std::get_if<I>(&value); }) {
            if constexpr (I + 1 < kinds_of<T>) {
                if (value.index() != I) return visit_from<I + 1>(value, std::forward<F>(f));
            }
            return f(*std::get_if<I>(&value));
        } else {
            return f(value);
        }
    }
};

}  // namespace detail

/// visit_kind(value, f): calls `f` with the alternative that `value` holds; a plain type is its own
/// only alternative. A function object, as all that is called with users' types (see fields.hpp).
inline constexpr detail::visit_kind_function visit_kind{};

/// The unqualified name of a type, without template arguments: `election`, `answer_overdue`.
template <class T>
constexpr text kind_name() {
    const text whole = detail::spelled<T>();
    std::size_t first = 0;
    while (whole.begin()[first] != '=') ++first;
    first += 2;
    std::size_t last = first;
    for (std::size_t depth = 0, at = first; at < whole.size(); ++at) {
        const char c = whole.begin()[at];
        if (c == '<') ++depth;
        if (c == '>') --depth;
        if (depth != 0) continue;
        if (c == ']' || c == ';') break;
        if (c == ':') first = at + 1;
        if (c != '>') last = at + 1;
    }
    std::size_t end = first;
    while (end < last && whole.begin()[end] != '<') ++end;
    return {whole.begin() + first, end - first};
}

}  // namespace caucus
