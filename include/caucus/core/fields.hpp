// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/random.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace caucus {

// One description, many uses: an aggregate describes itself, a class has
//     static constexpr auto fields(auto& self) { return std::tie(self.a_, self.b_); }
// and `same`, `compare`, `hash` (here), `print` (print.hpp) and the wire codec need nothing more.
// Argument-dependent lookup would find a user's own `compare` or `hash` in the namespace of its id
// type. So the library qualifies its calls of those four; what else it calls with users' types are
// function objects, for which there is no such lookup.

namespace detail {

template <class T>
inline constexpr bool is_variant = false;
template <class... Ts>
inline constexpr bool is_variant<std::variant<Ts...>> = true;

template <class T>
concept scalar = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, node> ||
                 std::is_same_v<T, port>;
template <class T>
concept described = requires(T& t) { T::fields(t); };
template <class T>
concept maybe = requires(const T& t) { t.has_value(); *t; };
template <class T>
concept sequence = requires(const T& t) { t.begin(); t.end(); t.size(); };
template <class T>
concept tuple_like = requires { std::tuple_size<T>::value; } && !sequence<T>;

// Members are counted by initialising with one `{}` each: that fits any member, and never two.
template <class T>
constexpr std::size_t field_count() {
    if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; }) return 9;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; }) return 8;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}}; }) return 7;
    else if constexpr (requires { T{{}, {}, {}, {}, {}, {}}; }) return 6;
    else if constexpr (requires { T{{}, {}, {}, {}, {}}; }) return 5;
    else if constexpr (requires { T{{}, {}, {}, {}}; }) return 4;
    else if constexpr (requires { T{{}, {}, {}}; }) return 3;
    else if constexpr (requires { T{{}, {}}; }) return 2;
    else if constexpr (requires { T{{}}; }) return 1;
    else return 0;
}

template <class T>
concept aggregate = std::is_aggregate_v<T> && std::is_class_v<T> && !sequence<T> && !tuple_like<T>;

// What is not described and cannot be compared. An array or a pointer would compare by its address.
template <class T>
concept comparable_class = std::is_class_v<T> && requires(const T& x) { x == x; };

// With a member that `{}` does not initialise, the count would be 0 and all values the same.
template <class T>
concept counts_its_fields = aggregate<T> && field_count<T>() <= 8 &&
                            (field_count<T>() != 0 || std::is_empty_v<T>);

// Functions, so that g++ names the reason and the type before it tells how it came there.
template <bool Can, class T>
constexpr void cannot_be_described__give_it_a_static_fields_function() {
    static_assert(Can, "cannot_be_described__give_it_a_static_fields_function");
}
template <bool Few, class T>
constexpr void at_most_eight_fields__or_give_it_a_static_fields_function() {
    static_assert(Few, "at_most_eight_fields__or_give_it_a_static_fields_function");
}
template <bool Is, class T>
constexpr void has_elements_instead_of_fields__see_each_scalar() {
    static_assert(!Is, "has_elements_instead_of_fields__see_each_scalar");
}

struct fields_of_function {
    template <class T>
    constexpr auto operator()(T& x) const {
        using plain = std::remove_const_t<T>;
        if constexpr (described<T>) {
            return plain::fields(x);
        } else if constexpr (tuple_like<plain>) {
            return std::apply([](auto&... each) { return std::tie(each...); }, x);
        } else {
            return fields_of_aggregate(x);
        }
    }

private:
    template <class T>
    static constexpr auto fields_of_aggregate(T& x) {
        using plain = std::remove_const_t<T>;
        has_elements_instead_of_fields__see_each_scalar<sequence<plain>, plain>();
        // Of anything but an aggregate, braces would count arguments of constructors.
        constexpr std::size_t count = aggregate<plain> ? field_count<plain>() : 0;
        at_most_eight_fields__or_give_it_a_static_fields_function<count <= 8, plain>();
        cannot_be_described__give_it_a_static_fields_function<
            counts_its_fields<plain> || sequence<plain> || (count > 8), plain>();
        if constexpr (count == 0 || count > 8) {
            return std::tuple<>{};
        } else if constexpr (count == 1) {
            auto& [a] = x;
            return std::tie(a);
        } else if constexpr (count == 2) {
            auto& [a, b] = x;
            return std::tie(a, b);
        } else if constexpr (count == 3) {
            auto& [a, b, c] = x;
            return std::tie(a, b, c);
        } else if constexpr (count == 4) {
            auto& [a, b, c, d] = x;
            return std::tie(a, b, c, d);
        } else if constexpr (count == 5) {
            auto& [a, b, c, d, e] = x;
            return std::tie(a, b, c, d, e);
        } else if constexpr (count == 6) {
            auto& [a, b, c, d, e, f] = x;
            return std::tie(a, b, c, d, e, f);
        } else if constexpr (count == 7) {
            auto& [a, b, c, d, e, f, g] = x;
            return std::tie(a, b, c, d, e, f, g);
        } else {
            auto& [a, b, c, d, e, f, g, h] = x;
            return std::tie(a, b, c, d, e, f, g, h);
        }
    }
};

}  // namespace detail

/// fields_of(x): a tuple of references to the fields of a described class, a tuple or an aggregate.
inline constexpr detail::fields_of_function fields_of{};

namespace detail {

template <class T>
concept has_fields = described<const T> || tuple_like<T> || aggregate<T>;

/// Can every value of the type be taken apart into scalars? Asked early, so that the error points
/// at the user's line and not at the depths of the library. `Above` holds the types around it: a
/// type that contains itself, in a sequence, can be if all else in it can.
template <class T, class... Above>
constexpr bool describable() {
    if constexpr (scalar<T> || (... || std::is_same_v<T, Above>)) {
        return true;
    } else if constexpr (is_variant<T>) {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (... && describable<kind_at<T, I>, T, Above...>());
        }(std::make_index_sequence<kinds_of<T>>{});
    } else if constexpr (maybe<T>) {
        using held = std::remove_cvref_t<decltype(*std::declval<const T&>())>;
        return describable<held, T, Above...>();
    } else if constexpr (sequence<T>) {
        using element = std::remove_cvref_t<decltype(*std::declval<const T&>().begin())>;
        return describable<element, T, Above...>();
    } else if constexpr (described<const T> || tuple_like<T> || counts_its_fields<T>) {
        return []<class... Fields>(const std::tuple<Fields...>*) {
            return (... && describable<std::remove_cvref_t<Fields>, T, Above...>());
        }(static_cast<decltype(fields_of(std::declval<const T&>()))*>(nullptr));
    } else {
        return false;
    }
}

struct compare_function {
    template <class T>
    constexpr int operator()(const T& a, const T& b) const {
        const compare_function& compare = *this;
        if constexpr (scalar<T>) {
            return a == b ? 0 : a < b ? -1 : 1;
        } else if constexpr (is_variant<T>) {
            if (a.index() != b.index()) return a.index() < b.index() ? -1 : 1;
            return compare_held<0>(a, b);
        } else if constexpr (maybe<T>) {
            if (!a.has_value() || !b.has_value()) return int{a.has_value()} - int{b.has_value()};
            return compare(*a, *b);
        } else if constexpr (sequence<T>) {
            auto i = a.begin();
            auto j = b.begin();
            for (; i != a.end() && j != b.end(); ++i, ++j)
                if (const int first = compare(*i, *j)) return first;
            return int{i != a.end()} - int{j != b.end()};
        } else if constexpr (has_fields<T>) {
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                [[maybe_unused]] const auto x = fields_of(a);
                [[maybe_unused]] const auto y = fields_of(b);
                int first = 0;
                static_cast<void>((... || (first = compare(std::get<I>(x), std::get<I>(y)))));
                return first;
            }(std::make_index_sequence<std::tuple_size_v<decltype(fields_of(a))>>{});
        } else {
            constexpr bool can = comparable_class<T>;
            cannot_be_described__give_it_a_static_fields_function<can, T>();
            if constexpr (!can) return 0;
            else if constexpr (requires { a < b; }) return a == b ? 0 : a < b ? -1 : 1;
            else return a == b ? 0 : 1;
        }
    }

private:
    /// Two variants that hold the same alternative; by its place, as a type may stand in several.
    template <std::size_t I, class T>
    constexpr int compare_held(const T& a, const T& b) const {
        if constexpr (I + 1 < kinds_of<T>) {
            if (a.index() != I) return compare_held<I + 1>(a, b);
        }
        return (*this)(*std::get_if<I>(&a), *std::get_if<I>(&b));
    }
};

struct each_scalar_function {
    template <class T, class F>
    constexpr void operator()(const T& x, F&& f) const {
        const each_scalar_function& each_scalar = *this;
        if constexpr (scalar<T>) {
            f(x);
        } else if constexpr (is_variant<T>) {
            f(static_cast<std::uint8_t>(x.index()));
            visit_kind(x, [&](const auto& held) { each_scalar(held, f); });
        } else if constexpr (maybe<T>) {
            f(x.has_value());
            if (x.has_value()) each_scalar(*x, f);
        } else if constexpr (sequence<T>) {
            if constexpr (!requires { std::tuple_size<T>::value; })
                f(static_cast<std::uint32_t>(x.size()));
            for (const auto& element : x) each_scalar(element, f);
        } else {
            constexpr bool can = has_fields<T>;
            cannot_be_described__give_it_a_static_fields_function<can, T>();
            if constexpr (can)
                std::apply([&](const auto&... each) { (each_scalar(each, f), ...); }, fields_of(x));
        }
    }
};

struct wire_bits_function {
    template <class T>
    constexpr std::uint64_t operator()(const T& x) const {
        std::uint64_t bits = 0;
        each_scalar_function{}(x, [&](const auto& leaf) { bits += 8 * sizeof leaf; });
        return bits;
    }
};

}  // namespace detail

/// Negative, zero or positive, field by field: a total order where the leaves have
/// one. Leaves that only have == count as positive when they differ, so zero always means the same
/// value.
template <class T>
constexpr int compare(const T& a, const T& b) {
    return detail::compare_function{}(a, b);
}

/// The same value, field by field; asks no == of anyone's class.
template <class T>
constexpr bool same(const T& a, const T& b) {
    return detail::compare_function{}(a, b) == 0;
}

/// each_scalar(x, f): calls `f` with every scalar inside `x`, in order, the lengths of sequences
/// and the indices of variants included: equal values give equal streams, different values
/// different ones.
inline constexpr detail::each_scalar_function each_scalar{};

/// The same on every compiler, word size and run.
template <class T>
constexpr std::uint64_t hash(const T& x, std::uint64_t seed = 0) {
    each_scalar(x, [&](const auto& leaf) {
        using leaf_type = std::remove_cvref_t<decltype(leaf)>;
        if constexpr (std::is_floating_point_v<leaf_type>) {
            // Plus zero: -0.0 and 0.0 are equal, and so must their hashes be.
            seed = mix(seed, std::bit_cast<std::uint64_t>(static_cast<double>(leaf) + 0.0));
        } else if constexpr (std::is_same_v<leaf_type, char>) {
            seed = mix(seed, static_cast<unsigned char>(leaf));   // signed on some machines only
        } else {
            seed = mix(seed, static_cast<std::uint64_t>(leaf));
        }
    });
    return seed;
}

/// wire_bits(x): how many bits the value takes on the wire before any packing: the width of each
/// scalar.
inline constexpr detail::wire_bits_function wire_bits{};

}  // namespace caucus
